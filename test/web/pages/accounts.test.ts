/** One account: added only after a test, tested again, revealed, changed, switched off and deleted. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { KeyWithSecret } from '../../../src/web/wire.ts'
import { axeFindings, closeCleanly, describeInBrowser, type Stage } from '../../support/browser.ts'
import { addAccountAt, playOpenAi } from '../../support/openai-play.ts'
import { playProvider } from '../../support/provider.ts'

setDefaultTimeout(20_000)

const openAi = playOpenAi()
afterAll(() => openAi.stop())

/** The usual number of failures after which a provider is left alone. */
const CIRCUIT_ERRORS = 5

const GOOD = 'sk-proj-0123456789abcdefghij'
const BAD = 'sk-proj-bad-9876543210aaaa'

/** Asks a model through the gateway, as a client does it, and says with which status it was answered. */
async function ask({ server }: Stage, model: string): Promise<number> {
  const { secret } = await server.call<KeyWithSecret>('POST', '/v1/keys', { name: `asks ${model}` })
  const answer = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  await answer.text()
  return answer.status
}

describeInBrowser('accounts', (stage) => {
  test('a key that the provider refuses is not added, unless the reader says so', async () => {
    const tab = await stage.openAs('/providers')
    const { page } = tab
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Add account' }).first().waitFor()
    await page.keyboard.press('n')
    await page.getByRole('dialog').getByRole('searchbox').fill('openai')
    await page.getByRole('dialog').getByRole('link', { name: 'OpenAI', exact: true }).click()
    await page.getByLabel('API key').fill(BAD)
    await page.getByLabel('Name', { exact: true }).fill('refused')
    await page.getByText('Address', { exact: true }).click()
    await page.getByLabel('Base URL').fill(`${openAi.url}/v1`)
    await page.getByText('it needs this switch').waitFor()
    await page.getByRole('button', { name: 'Test and add' }).click()
    await page.getByRole('link', { name: 'Base URL' }).waitFor()
    await page.getByRole('switch', { name: /this machine/ }).click()
    await page.getByRole('button', { name: 'Test and add' }).click()
    await page.getByText('The test did not pass').waitFor()
    const steps = page.getByRole('list', { name: 'Steps of the test' })
    await steps.getByText('The provider does not accept these credentials').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.getByRole('button', { name: 'Save without a passed test' }).click()
    await page.getByRole('heading', { name: 'refused', level: 1 }).waitFor()
    await page.getByText('The provider refuses this credential').waitFor()
    await closeCleanly(tab)
  })

  test('a good key is tested, added and tested again, down to one token', async () => {
    const tab = await stage.openAs('/providers/openai/add')
    const { page } = tab
    await page.getByRole('button', { name: 'Test and add' }).click()
    await page.getByText('One field needs a change').waitFor()
    await page.getByLabel('API key').fill(GOOD)
    await page.getByLabel('Name', { exact: true }).fill('main')
    await page.getByLabel('Base URL').fill(`${openAi.url}/v1`)
    await page.getByRole('switch', { name: /this machine/ }).click()
    await page.getByRole('button', { name: 'Test and add' }).click()
    await page.getByRole('heading', { name: 'main', level: 1 }).waitFor()
    const steps = page.getByRole('list', { name: 'Steps of the test' })
    await steps.getByText('2 found').waitFor()
    await page.getByText('Active').waitFor()
    await page.getByRole('button', { name: 'Test with one token' }).click()
    await steps.getByText('One token').waitFor()
    await page.getByText('reached a limit for now').waitFor()
    await closeCleanly(tab)
  })

  test('each way to sign in asks for its own fields, and what is no secret is shown', async () => {
    const tab = await stage.openAs('/providers/bedrock/add')
    const { page } = tab
    await page.getByLabel('API key').fill('a key of the other way')
    await page.getByLabel('Sign-in', { exact: true }).selectOption({ label: 'AWS access key' })
    await page.getByLabel('API key').waitFor({ state: 'detached' })
    await page.getByLabel('Region').fill('somewhere')
    await page.getByLabel('Access key id').fill('AKIDEXAMPLE0123456')
    await page.getByLabel('Secret access key').fill('wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY')
    await page.getByRole('button', { name: 'Test and add' }).click()
    await page.getByText('must look like us-east-1').first().waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.getByLabel('Region').fill('eu-west-1')
    await page.getByLabel('Base URL').fill(openAi.url)
    await page.getByRole('switch', { name: /this machine/ }).click()
    await page.getByRole('button', { name: 'Test and add' }).click()
    await page.getByRole('heading', { name: 'Amazon Bedrock 1', level: 1 }).waitFor()
    await page.getByText('AKIDEXAMPLE0123456').waitFor()
    await page.getByRole('button', { name: 'Reveal the secret access key' }).waitFor()
    await closeCleanly(tab)
  })

  test('a key file is pasted with its lines', async () => {
    const tab = await stage.openAs('/providers/vertex/add')
    const { page } = tab
    await page.getByLabel('Key of a service account').fill('{\n  "type": "authorized_user"\n}')
    await page.getByRole('button', { name: 'Test and add' }).click()
    await page.getByText('must be the JSON of a service account’s key').first().waitFor()
    await closeCleanly(tab)
  })

  test('a credential is revealed on purpose, and an account switched off and back by Undo', async () => {
    const { id } = await addAccountAt(openAi, stage.server, 'switched')
    const tab = await stage.openAs(`/providers/openai/accounts/${id}`)
    const { page } = tab
    await page.getByRole('button', { name: 'Reveal the api key' }).click()
    await page.getByText('sk-proj-switched-0123456789abcdef').waitFor()
    await page.getByRole('switch', { name: 'Enabled' }).click()
    await page.getByText('Disabled', { exact: true }).waitFor()
    await page.getByRole('button', { name: /Undo/ }).click()
    await page.getByText('Untested', { exact: true }).waitFor()
    expect(await stage.server.call<{ enabled: boolean }>('GET', `/v1/accounts/${id}`)).toMatchObject({ enabled: true })
    await closeCleanly(tab)
  })

  test('an edit sends what has changed alone, keeps the key, and names the field that is wrong', async () => {
    const { id } = await addAccountAt(openAi, stage.server, 'edited', { tags: { team: 'platform' } })
    const tab = await stage.openAs(`/providers/openai/accounts/${id}/edit`)
    const { page } = tab
    await page.getByLabel('Name', { exact: true }).fill('renamed')
    await page.locator('#content').getByText('Routing', { exact: true }).click()
    await page.getByLabel('Priority').fill('101')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('One field needs a change').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.getByLabel('Priority').fill('7')
    await page.getByRole('group', { name: 'But not' }).getByLabel('Add pattern').fill('openai/o1*')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'renamed', level: 1 }).waitFor()
    const stored = await stage.server.call('GET', `/v1/accounts/${id}`)
    expect(stored).toMatchObject({
      name: 'renamed',
      priority: 7,
      models_deny: ['openai/o1*'],
      tags: { team: 'platform' },
      credentials_set: true,
      base_url_override: `${openAi.url}/v1`,
    })
    await closeCleanly(tab)
  })

  test('limits of its own are set and taken away again, and stand on its page', async () => {
    const { id } = await addAccountAt(openAi, stage.server, 'limited', { tpm: 90_000 })
    const tab = await stage.openAs(`/providers/openai/accounts/${id}/edit`)
    const { page } = tab
    await page.locator('#content').getByText('Routing', { exact: true }).click()
    await page.getByLabel('Requests per minute').fill('1200')
    await page.getByLabel('Requests at once').fill('8')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('1,200 requests a minute, 90,000 tokens a minute, 8 requests at once').waitFor()
    await page.getByRole('link', { name: 'Edit' }).first().click()
    await page.locator('#content').getByText('Routing', { exact: true }).click()
    await page.getByLabel('Tokens per minute').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('1,200 requests a minute, 8 requests at once').waitFor()
    expect(await stage.server.call('GET', `/v1/accounts/${id}`)).toMatchObject({
      rpm: 1_200,
      tpm: null,
      max_concurrency: 8,
    })
    await closeCleanly(tab)
  })

  test('its region, what it may cost and what is put in are set and taken away again, and stand on its page', async () => {
    const { id } = await addAccountAt(openAi, stage.server, 'granted')
    const tab = await stage.openAs(`/providers/openai/accounts/${id}/edit`, { theme: 'dark', width: 390 })
    const { page } = tab
    await page.getByLabel('Region').fill('EU')
    await page.locator('#content').getByText('Routing', { exact: true }).click()
    await page.getByLabel('May cost, $').fill('10')
    await page.getByLabel('How often').selectOption('day')
    await page.locator('#content').getByText('More', { exact: true }).click()
    await page.getByLabel('Temperature').fill('0.2')
    await page.getByLabel('Thinking').selectOption('high')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByRole('link', { name: 'Region' }).click()
    await page.getByLabel('Region').fill('eu')
    expect(await axeFindings(tab)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    const budget = page.getByRole('region', { name: 'Budget' })
    await budget.getByText('of $10 a day').waitFor()
    await budget.getByText(/Begins anew in/).waitFor()
    const routing = page.getByRole('region', { name: 'Routing' })
    await routing.getByText('eu', { exact: true }).waitFor()
    await routing.getByText('temperature 0.2, thinking effort high').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await budget.getByRole('link', { name: 'Edit' }).click()
    await page.locator('#content').getByText('Routing', { exact: true }).click()
    await page.getByLabel('May cost, $').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'granted', level: 1 }).waitFor()
    await budget.waitFor({ state: 'detached' })
    expect(await stage.server.call('GET', `/v1/accounts/${id}`)).toMatchObject({
      region: 'eu',
      budget_usd: null,
      budget_period: 'day',
      params: { temperature: 0.2, thinking: { effort: 'high' } },
    })
    await closeCleanly(tab)
  })

  test('a model that rests says why and for how long, and is used again at a click', async () => {
    const { id } = await addAccountAt(openAi, stage.server, 'resting', { models_allow: ['openai/gpt-resting'] })
    expect(await ask(stage, 'openai/gpt-resting')).toBe(429)
    const tab = await stage.openAs(`/providers/openai/accounts/${id}`, { theme: 'dark', width: 390 })
    const { page } = tab
    const rests = page.getByRole('region', { name: 'Cooldowns' })
    await rests.getByText('gpt-resting').waitFor()
    await page.getByText('for one model').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await rests.getByRole('button', { name: 'End them now' }).click()
    await page.getByText('Requests use all models of “resting” again').waitFor()
    await rests.waitFor({ state: 'detached' })
    expect(await stage.server.call('GET', `/v1/accounts/${id}`)).toMatchObject({ status: 'active', cooldowns: [] })
    await closeCleanly(tab)
  })

  test('while the provider is left alone, its page and those of its accounts say so', async () => {
    const broken = playProvider()
    broken.otherwise(({ reply }) => reply(500, { 'content-type': 'application/json' }, '{"message":"down"}'))
    const { id } = await stage.server.call<{ id: string }>('POST', '/v1/accounts', {
      provider: 'mistral',
      credentials: { api_key: 'mistral-0123456789abcdef0123456789ab' },
      base_url_override: `${broken.url}/v1`,
      allow_private_network: true,
    })
    for (let count = 0; count < CIRCUIT_ERRORS; count++) await ask(stage, 'mistral/mistral-large-latest')
    const tab = await stage.openAs(`/providers/mistral/accounts/${id}`)
    const { page } = tab
    await page.getByText('requests leave it alone for a while').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.goto('/providers/mistral')
    await page.getByText('requests leave it alone for a while').waitFor()
    await page.getByText('it is left alone', { exact: true }).waitFor()
    await closeCleanly(tab)
    broken.stop()
  })

  test('a key is not taken to another host: the form says so, and the account afterwards', async () => {
    const { id } = await addAccountAt(openAi, stage.server, 'moving')
    const tab = await stage.openAs(`/providers/openai/accounts/${id}/edit`)
    const { page } = tab
    await page.getByLabel('Base URL').fill('https://llm.example.com/v1')
    await page.getByText('the stored key is dropped').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('No credential is kept for this account').waitFor()
    await page.getByRole('link', { name: 'Enter it again' }).click()
    await page.getByRole('heading', { name: 'Edit moving', level: 1 }).waitFor()
    await closeCleanly(tab)
  })

  test('what is typed stays while the gateway does not answer, and is saved when it does', async () => {
    const { id } = await addAccountAt(openAi, stage.server, 'waiting')
    const tab = await stage.openAs(`/providers/openai/accounts/${id}/edit`)
    const { page } = tab
    await page.getByLabel('Name', { exact: true }).fill('patient')
    await tab.context.setOffline(true)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('The gateway does not answer. Nothing was saved.').waitFor()
    await tab.context.setOffline(false)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'patient', level: 1 }).waitFor()
    await closeCleanly(tab)
  })

  test('somebody else’s change is not overwritten unasked', async () => {
    const { id } = await addAccountAt(openAi, stage.server, 'shared')
    const tab = await stage.openAs(`/providers/openai/accounts/${id}/edit`)
    const { page } = tab
    await page.getByLabel('Name', { exact: true }).fill('mine')
    await stage.server.call('PATCH', `/v1/accounts/${id}`, { name: 'theirs' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody has changed this').waitFor()
    await page.getByRole('button', { name: 'Save mine over it' }).click()
    await page.getByRole('heading', { name: 'mine', level: 1 }).waitFor()
    await closeCleanly(tab)
  })

  test('deleting the last account says that nothing is left, and offers to disable instead', async () => {
    await stage.server.call('DELETE', '/v1/providers/openai/accounts/all')
    const { id } = await addAccountAt(openAi, stage.server, 'last')
    const tab = await stage.openAs(`/providers/openai/accounts/${id}`)
    const { page } = tab
    await page.getByRole('button', { name: 'More about this account' }).click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete account “last”?' })
    await dialog.getByText('have no account').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No accounts yet').waitFor()
    await closeCleanly(tab)
    const gone = await stage.openAs(`/providers/openai/accounts/${id}`)
    await gone.page.getByText('This account could not be read').waitFor()
    await closeCleanly(gone)
  })
})
