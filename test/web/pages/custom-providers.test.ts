/** Providers of one's own: tried as they are typed, added with their first account, changed, and deleted with what hangs on them. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { axeFindings, closeCleanly, describeInBrowser, type Stage } from '../../support/browser.ts'
import { type Play, playProvider, type Provider } from '../../support/provider.ts'

setDefaultTimeout(20_000)

const JSON_TYPE = { 'content-type': 'application/json' }
const upstream: { played: Provider | undefined } = { played: undefined }

beforeAll(() => {
  upstream.played = playProvider()
  upstream.played.otherwise(rack)
})
afterAll(() => upstream.played?.stop())

/** A host that wants its own header beside the key. */
const rack: Play = ({ request, reply }) => {
  if (request.headers['x-rack'] !== 'seven') return reply(403, JSON_TYPE, '{"error":{"message":"no"}}')
  return reply(200, JSON_TYPE, JSON.stringify({ data: [{ id: 'qwen3-32b', max_model_len: 131_072 }] }))
}

const addressHere = (): string => `${upstream.played?.url}/v1`

interface Created {
  readonly id: string
}

function addProvider(stage: Stage, slug: string): Promise<Created> {
  return stage.server.call('POST', '/v1/custom-providers', {
    slug,
    name: 'Rack',
    dialects: [{ dialect: 'openai_chat', base_url: addressHere() }],
    headers: { 'x-rack': { value: 'seven', secret: true } },
    models_mode: 'both',
    models: [{ id: 'tiny', max_output: 100, price: { input: 1, output: 2, cache_read: 0.5 } }],
    quirks: { no_system_role: true },
    allow_private_network: true,
  })
}

describeInBrowser('custom providers', (stage) => {
  test('none yet is a sentence and a way on', async () => {
    const tab = await stage.openAs('/custom-providers')
    const { page } = tab
    await page.getByText('No custom providers yet').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.keyboard.press('n')
    await page.getByRole('heading', { name: 'New custom provider', level: 1 }).waitFor()
    await closeCleanly(tab)
  })

  test('one is tried as it is typed, mended, and added with its first account', async () => {
    const tab = await stage.openAs('/custom-providers/new')
    const { page } = tab
    await page.getByText('Needs a base URL').waitFor()
    await page.getByLabel('Slug').fill('rack')
    await page.getByLabel('Base URL').fill(addressHere())
    await page.getByLabel('Key to test with').fill('rack-key-0123456789abcdef')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByRole('alert').getByText('Dialects').waitFor()
    await page.getByRole('switch', { name: /this machine/ }).click()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('does not allow this account').waitFor()
    await page.getByText('Headers and parameters').click()
    await page.getByRole('button', { name: 'Add header' }).click()
    await page.getByLabel('Header 1, name').fill('x-rack')
    await page.getByLabel('Header 1, value').fill('seven')
    await page.getByRole('checkbox', { name: 'Secret' }).check()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('1 found').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.getByRole('button', { name: 'Add provider' }).click()
    await page.getByRole('heading', { name: 'rack', level: 1 }).waitFor()
    await page.getByRole('table', { name: 'Accounts' }).getByText('Active').filter({ visible: true }).waitFor()
    const [stored] = await stage.server.call<unknown[]>('GET', '/v1/custom-providers?q=rack')
    expect(stored).toMatchObject({ headers: { 'x-rack': { secret: true } } })
    await closeCleanly(tab)
  })

  test('a slug that is taken or wrong is said beside its field', async () => {
    const tab = await stage.openAs('/custom-providers/new')
    const { page } = tab
    await page.getByLabel('Slug').fill('openai')
    await page.getByLabel('Base URL').fill('https://llm.example.com/v1')
    await page.getByRole('button', { name: 'Add provider' }).click()
    await page.getByText('Means something else already').waitFor()
    await page.getByRole('link', { name: 'Slug' }).click()
    expect(await page.evaluate('document.activeElement.name')).toBe('slug')
    await page.getByRole('link', { name: 'Providers', exact: true }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await page.getByRole('button', { name: 'Leave', exact: true }).click()
    await page.waitForURL('**/providers')
    await closeCleanly(tab)
  })

  test('an edit keeps stored secrets and what the form does not show', async () => {
    const { id } = await addProvider(stage, 'kept')
    const tab = await stage.openAs(`/custom-providers/${id}`)
    const { page } = tab
    await page.getByLabel('Name').first().fill('Rack in the attic')
    await page.getByLabel('Input, $ per M').fill('1.25')
    await page.getByRole('checkbox', { name: /Thinks in <think> tags/ }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Rack in the attic', level: 1 }).waitFor()
    expect(await axeFindings(tab)).toEqual([])
    expect(await stage.server.call('GET', `/v1/custom-providers/${id}`)).toMatchObject({
      headers: { 'x-rack': { secret: true } },
      models: [{ id: 'tiny', max_output: 100, price: { input: 1.25, output: 2, cache_read: 0.5 } }],
      quirks: { no_system_role: true, split_think_tags: true },
    })
    await page.getByLabel('Base URL').fill('https://llm.example.com/v1')
    await page.getByText('are dropped when you save').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByLabel('Key to test with').fill('rack-key-0123456789abcdef')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('1 found').waitFor() // the mask stands for the stored header
    await closeCleanly(tab)
  })

  test('a second format, a key in another header and models of one’s own are sent as typed', async () => {
    const tab = await stage.openAs('/custom-providers/new', { theme: 'dark', width: 390 })
    const { page } = tab
    await page.getByLabel('Slug').fill('formats')
    await page.getByLabel('Base URL').fill('https://llm.example.com/v1')
    await page.getByRole('button', { name: 'Add a format' }).click()
    await page.getByLabel('Format 2', { exact: true }).selectOption('anthropic_messages')
    await page.getByLabel('Sign-in').selectOption('x-api-key')
    await page.getByLabel('Header', { exact: true }).fill('x-llm-key')
    await page.getByText('List them here').click()
    await page.getByRole('button', { name: 'Add model' }).click()
    await page.getByLabel('Model', { exact: true }).fill('qwen3-32b')
    await page.getByLabel('Context').fill('131072')
    expect(await axeFindings(tab)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await page.getByRole('button', { name: 'Add provider' }).click()
    await page.getByRole('heading', { name: 'Add an account at formats', level: 1 }).waitFor()
    const [stored] = await stage.server.call<unknown[]>('GET', '/v1/custom-providers?q=formats')
    expect(stored).toMatchObject({
      dialects: [{ dialect: 'openai_chat' }, { dialect: 'anthropic_messages' }],
      auth_scheme: 'x-api-key',
      auth_header: 'x-llm-key',
      models_mode: 'static',
      models: [{ id: 'qwen3-32b', context: 131_072 }],
    })
    await closeCleanly(tab)
  })

  test('where it is and what becomes of requests there is said by the operator, and stands on its page', async () => {
    const { id } = await addProvider(stage, 'said')
    const tab = await stage.openAs(`/custom-providers/${id}`, { theme: 'dark' })
    const { page } = tab
    await page.getByText('Paths and proxy').click()
    await page.getByLabel('Proxy').selectOption('direct')
    await page.getByText('Regions and data').click()
    await page.getByRole('group', { name: 'Regions' }).getByLabel('Add region').fill('eu')
    await page.getByRole('group', { name: 'Regions' }).getByLabel('Add region').press('Enter')
    await page.getByLabel('Models learn from requests').selectOption({ label: 'no' })
    await page.getByLabel('Keeps none of them').selectOption({ label: 'yes' })
    await page.getByLabel('Keeps them for, days').fill('30')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByRole('link', { name: 'Keeps none of them' }).waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.getByLabel('Keeps none of them').selectOption({ label: 'nobody says' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('changed').waitFor()
    expect(await stage.server.call('GET', `/v1/custom-providers/${id}`)).toMatchObject({
      regions: ['eu'],
      data_policy: { trains: false, retention_days: 30, zdr: null },
      proxy_pool_id: 'direct',
    })
    await page.getByLabel('Base URL').fill('https://llm.example.com/v1')
    await page.getByText('is it true of this host, too?').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('link', { name: 'Accounts and models' }).click()
    await page.getByText('no training on requests, keeps them for up to 30 days').waitFor()
    await closeCleanly(tab)
  })

  test('one with accounts is deleted only after its name is typed, and they go with it', async () => {
    const { id } = await addProvider(stage, 'gone')
    await stage.server.call('POST', '/v1/accounts', {
      provider: 'gone',
      credentials: { api_key: 'rack-key-9876543210' },
    })
    const tab = await stage.openAs(`/custom-providers/${id}`)
    const { page } = tab
    await page.getByRole('button', { name: 'More about this provider' }).click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog', { name: /Delete provider/ })
    await dialog.getByText('Its 1 account and their stored credentials').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await dialog.getByLabel('Type gone to delete it').fill('gone')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Custom providers', level: 1 }).waitFor()
    await page.getByRole('table').getByText('gone ·').waitFor({ state: 'detached' })
    await closeCleanly(tab)
  })

  test('an account that came meanwhile stops the deletion, and the dialog names it', async () => {
    const { id } = await addProvider(stage, 'raced')
    const tab = await stage.openAs(`/custom-providers/${id}`)
    const { page } = tab
    await page.getByRole('button', { name: 'More about this provider' }).click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog', { name: /Delete provider/ })
    await stage.server.call('POST', '/v1/accounts', {
      provider: 'raced',
      credentials: { api_key: 'rack-key-5566778899' },
    })
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('alert').getByText('account').waitFor()
    await dialog.getByText('Its 1 account and their stored credentials').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await closeCleanly(tab)
  })
})
