/** Chains by clicks and by keyboard: made, put in another order, told what is wrong, tried without sending, deleted. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { axeFindings, closeCleanly, describeInBrowser, focused, type Stage } from '../../support/browser.ts'
import type { Chain, KeyWithSecret } from '../../../src/web/wire.ts'

setDefaultTimeout(30_000)

function addChain(stage: Stage, slug: string, more: object = {}): Promise<Chain> {
  const steps = [{ model: 'demo/echo' }, { model: 'anthropic/claude-sonnet-4-6' }, { model: 'openai/gpt-5.4' }]
  return stage.server.call<Chain>('POST', '/v1/chains', { name: `Chain ${slug}`, slug, steps, ...more })
}

const modelsOf = ({ steps }: Chain): string[] => steps.map(({ model }) => model)
const stored = (stage: Stage, { id }: Chain): Promise<Chain> => stage.server.call<Chain>('GET', `/v1/chains/${id}`)

/** Through the inference routes, as a client does it. */
async function ask(stage: Stage, secret: string, model: string): Promise<void> {
  const response = await fetch(`${stage.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Is the line clear?' }] }),
  })
  expect(response.status).toBe(200)
  await response.text()
}

describeInBrowser('chains', (stage) => {
  test('none yet is a sentence and an example that can be tried before it is saved', async () => {
    const tab = await stage.openAs('/chains')
    const { page } = tab
    await page.getByText('No chains yet').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.getByRole('link', { name: 'Short requests to a small model' }).click()
    await page.getByRole('heading', { name: 'New chain', level: 1 }).waitFor()
    await page.getByText('Step 1 would answer').waitFor()
    await page.getByLabel('Input tokens').fill('20000')
    await page.getByText('Step 2 would answer').waitFor()
    await page.getByText('Skipped: its condition does not hold').first().waitFor()
    expect(await stage.server.call<Chain[]>('GET', '/v1/chains')).toEqual([])
    await closeCleanly(tab)
  })

  test('one is made by clicks: a name, steps, a condition, weights', async () => {
    const tab = await stage.openAs('/chains')
    const { page } = tab
    await page.getByRole('link', { name: 'New chain' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Night shift')
    await page.getByLabel('Try steps').selectOption('weighted')
    await page.getByText('Each gets its share of the requests').waitFor()
    await page.getByLabel('Step 1: model, alias or chain').fill('anthropic/claude-sonnet-4-6')
    await page.getByText('Conditions, accounts and limits of step 1').click()
    await page.getByRole('button', { name: 'Add a condition' }).click()
    await page.getByRole('combobox', { name: 'Fact' }).selectOption('hour')
    await page.getByRole('combobox', { name: 'Comparison' }).selectOption('gte')
    await page.getByRole('textbox', { name: 'Value' }).fill('20')
    await page.getByLabel('Weight').fill('3')
    await page.getByRole('button', { name: 'Add a step' }).click()
    await page.getByLabel('Step 2: model, alias or chain').fill('demo/echo')
    await page.getByText('hour (utc) ≥ 20').waitFor()
    await page.getByRole('button', { name: 'Add chain' }).click()
    await page.getByRole('heading', { name: 'Night shift', level: 1 }).waitFor()
    const [chain] = await stage.server.call<Chain[]>('GET', '/v1/chains?q=night')
    expect(chain).toMatchObject({
      slug: 'night-shift',
      strategy: 'weighted',
      steps: [
        {
          model: 'anthropic/claude-sonnet-4-6',
          weight: 3,
          when: { all: [{ fact: 'hour', op: 'gte', value: 20 }] },
        },
        { model: 'demo/echo', weight: 1, when: null },
      ],
    })
    expect(chain?.steps.map(({ id }) => id).filter((id) => id.startsWith('new-'))).toEqual([])
    await closeCleanly(tab)
  })

  test('several answer together: who is asked, who judges and how, also when steps come and go', async () => {
    const chain = await addChain(stage, 'board', { steps: Array.from({ length: 3 }, () => ({ model: 'demo/echo' })) })
    const tab = await stage.openAs(`/chains/${chain.id}`)
    const { page } = tab
    await page.getByLabel('Try steps').selectOption('ensemble')
    await page.getByText('Steps 1, 2 and 3 together would answer').waitFor()
    await page.getByText('Judges their answers').first().waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.getByRole('button', { name: 'Add a step' }).click()
    await page.getByLabel('Step 4: model, alias or chain').fill('demo/echo')
    await page.getByLabel('The judge', { exact: true }).selectOption({ label: 'Step 4: demo/echo' })
    await page.getByRole('checkbox', { name: /Step 3/ }).check()
    await page.getByLabel('The judge then').selectOption('merge')
    await page.getByRole('button', { name: 'Remove step 1' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    const { steps, strategy, ensemble } = await stored(stage, chain)
    const [one, two, judge] = steps.map(({ id }) => id)
    expect([strategy, ensemble]).toEqual(['ensemble', { panel: [one, two], judge, mode: 'merge' }] as never)
    await page.getByLabel('Try steps').selectOption('priority')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    expect((await stored(stage, chain)).ensemble).toBeNull()
    await closeCleanly(tab)
  })

  test('steps are put in another order by keyboard, and the focus goes with them', async () => {
    const chain = await addChain(stage, 'ordered')
    const tab = await stage.openAs(`/chains/${chain.id}`)
    const { page } = tab
    const down = page.getByRole('button', { name: 'Move step 1 down' })
    await down.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Step 1 is now step 2 of 3').waitFor({ state: 'attached' })
    await focused(tab, page.getByRole('button', { name: 'Move step 2 down' }))
    await page.keyboard.press('Enter')
    await page.getByText('Step 2 is now step 3 of 3').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    const after = await stored(stage, chain)
    expect(modelsOf(after)).toEqual(['anthropic/claude-sonnet-4-6', 'openai/gpt-5.4', 'demo/echo'])
    expect(after.steps.map(({ id }) => id).toSorted()).toEqual(chain.steps.map(({ id }) => id).toSorted())
    await closeCleanly(tab)
  })

  test('steps are put in another order by dragging', async () => {
    const chain = await addChain(stage, 'dragged')
    const tab = await stage.openAs(`/chains/${chain.id}`)
    const { page } = tab
    const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem')
    await steps.nth(2).getByTitle('Drag to another place').dragTo(steps.nth(0))
    await page.getByText('Step 3 is now step 1 of 3').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    expect(modelsOf(await stored(stage, chain))).toEqual(['openai/gpt-5.4', 'demo/echo', 'anthropic/claude-sonnet-4-6'])
    await closeCleanly(tab)
  })

  test('what no request gets to is said at its step before it is saved, and is no mistake', async () => {
    const chain = await addChain(stage, 'warned', { steps: [{ model: 'demo/echo' }, { model: 'demo/echo' }] })
    const tab = await stage.openAs(`/chains/${chain.id}`)
    const { page } = tab
    const second = page.getByRole('list', { name: 'Steps' }).getByRole('listitem').nth(1)
    await second.getByText('Conditions, accounts and limits').click()
    await second.getByRole('button', { name: 'Add a condition' }).click()
    await second.getByRole('combobox', { name: 'Fact' }).selectOption('hour')
    await second.getByRole('combobox', { name: 'Comparison' }).selectOption('gt')
    await second.getByRole('textbox', { name: 'Value' }).fill('23')
    await second.getByText('Its condition never holds, whatever is asked.').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await second.getByRole('textbox', { name: 'Value' }).fill('22')
    await second.getByText('Its condition never holds').waitFor({ state: 'detached' })
    await second.getByLabel(/Step 2/).fill('openai/gpt-5.4')
    await second.getByText('OpenAI has no account that can be used.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    expect(modelsOf(await stored(stage, chain))).toEqual(['demo/echo', 'openai/gpt-5.4'])
    await closeCleanly(tab)
  })

  test('a plan is chosen by its name, and what a request may cost is set', async () => {
    const plan = await stage.server.call<{ id: string }>('POST', '/v1/plans', { name: 'Interns' })
    const chain = await addChain(stage, 'frugal')
    const tab = await stage.openAs(`/chains/${chain.id}`)
    const { page } = tab
    await page.getByText('Conditions, accounts and limits of step 1').click()
    await page.getByRole('button', { name: 'Add a condition' }).first().click()
    await page.getByRole('combobox', { name: 'Fact' }).selectOption('plan_id')
    await page.getByRole('combobox', { name: 'Value' }).selectOption({ label: 'Interns' })
    await page.getByText('plan is Interns').waitFor()
    await page.getByText('More about this chain').last().click()
    await page.getByLabel('A request may cost, $').fill('0.25')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    const { budget_usd, steps } = await stored(stage, chain)
    expect([budget_usd, steps[0]?.when]).toEqual([0.25, { all: [{ fact: 'plan_id', op: 'eq', value: plan.id }] }])
    await closeCleanly(tab)
  })

  test('what is wrong stands at its field, before saving and after', async () => {
    const chain = await addChain(stage, 'wrong')
    const tab = await stage.openAs(`/chains/${chain.id}`)
    const { page } = tab
    const model = page.getByLabel('Step 2: model, alias or chain')
    await model.fill('chain/wrong')
    await page.getByText('cycle via wrong').waitFor()
    await model.fill('nobody-has-this')
    await page.locator('[aria-invalid=true]').and(model).waitFor()
    await page.getByText('The chain cannot be saved as it is').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('One field needs a change').waitFor()
    await page.getByRole('link', { name: 'Step 2: model, alias or chain' }).click()
    await focused(tab, model)
    expect(await axeFindings(tab)).toEqual([])
    expect(modelsOf(await stored(stage, chain))).toEqual(modelsOf(chain))
    await closeCleanly(tab)
  })

  test('a mistake in folded limits opens them', async () => {
    const chain = await addChain(stage, 'limits')
    const tab = await stage.openAs(`/chains/${chain.id}`)
    const { page } = tab
    await page.getByText('When something fails').click()
    await page.getByLabel('Tries in all').fill('21')
    await page.getByText('When something fails').click()
    await page.locator('[aria-invalid=true]').and(page.getByLabel('Tries in all')).waitFor()
    await page.getByLabel('Tries in all').fill('3')
    await page.locator('[aria-invalid=true]').waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: 'Content refused' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    const after = await stored(stage, chain)
    expect(after.retry.total_attempts).toBe(3)
    expect(after.fallback_on.toSorted()).toEqual([...chain.fallback_on, 'refused_content'].toSorted())
    await closeCleanly(tab)
  })

  test('the simulation answers for a pasted request and for those of the past', async () => {
    const key = await stage.server.call<KeyWithSecret>('POST', '/v1/keys', { name: 'laptop' })
    const chain = await addChain(stage, 'tried')
    await ask(stage, key.secret, 'chain/tried')
    const tab = await stage.openAs(`/chains/${chain.id}`, { theme: 'dark' })
    const { page } = tab
    await page.getByText('Step 1 would answer').waitFor()
    await page.getByText('100 %').first().waitFor()
    await page.getByText('Pasted').click()
    await page.getByText('Paste the body of a request').waitFor()
    await page.getByLabel('Body').fill('{"messages": [')
    await page.getByText('This is not the JSON of a request').waitFor()
    await page.getByLabel('Body').fill('{"messages": [{"role": "user", "content": "Hello"}]}')
    await page.getByText('Step 1 would answer').waitFor()
    await page.getByText('The last 100', { exact: true }).click()
    await page.getByText('Cost with this chain').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await closeCleanly(tab)
  })

  test('where its answers came from is drawn as wide as their share, said, and a table at a click', async () => {
    const key = await stage.server.call<KeyWithSecret>('POST', '/v1/keys', { name: 'tracks' })
    const chain = await addChain(stage, 'drawn')
    await ask(stage, key.secret, 'chain/drawn')
    const tab = await stage.openAs(`/chains/${chain.id}`)
    const { page } = tab
    await page.getByRole('img', { name: /^1 answer in 24 hours: 1\. demo\/echo 100 %, 2\. / }).waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.getByRole('button', { name: 'Show as table' }).click()
    await page.getByRole('row', { name: '1. demo/echo 1 100 %' }).waitFor()
    await closeCleanly(tab)
  })

  test('its requests are a click away, and no others', async () => {
    const key = await stage.server.call<KeyWithSecret>('POST', '/v1/keys', { name: 'reader' })
    const chain = await addChain(stage, 'asked')
    await ask(stage, key.secret, 'chain/asked')
    await ask(stage, key.secret, 'demo/echo')
    const tab = await stage.openAs(`/chains/${chain.id}`)
    const { page } = tab
    await page.getByRole('link', { name: 'Its requests' }).click()
    await page.getByText('Chain asked').first().waitFor()
    await page.getByText('1 request', { exact: true }).first().waitFor()
    await closeCleanly(tab)
  })

  test('leaving with changes asks first', async () => {
    const chain = await addChain(stage, 'left')
    const tab = await stage.openAs(`/chains/${chain.id}`)
    const { page } = tab
    await page.getByLabel('Name', { exact: true }).fill('Another name')
    await page.getByRole('link', { name: 'Models', exact: true }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await page.getByRole('button', { name: 'Stay' }).click()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Another name')
    await closeCleanly(tab)
  })

  test('one that was used is deleted only after its slug is typed', async () => {
    const key = await stage.server.call<KeyWithSecret>('POST', '/v1/keys', { name: 'bot' })
    const chain = await addChain(stage, 'gone')
    await ask(stage, key.secret, 'gone')
    const tab = await stage.openAs(`/chains/${chain.id}`)
    const { page } = tab
    await page.getByText('100 %').first().waitFor()
    await page.getByRole('button', { name: 'More about this chain' }).click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog', { name: /Delete chain/ })
    await dialog.getByText('1 answer came through it').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await dialog.getByLabel('Type gone to delete it').fill('gone')
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('heading', { name: 'Chains', level: 1 }).waitFor()
    expect(await stage.server.call<Chain[]>('GET', '/v1/chains?q=gone')).toEqual([])
    await closeCleanly(tab)
  })

  for (const theme of ['light', 'dark'] as const) {
    test(`a phone says in the bar who would answer, and opens the rest as a sheet, ${theme}`, async () => {
      const key = await stage.server.call<KeyWithSecret>('POST', '/v1/keys', { name: `phone ${theme}` })
      const chain = await addChain(stage, `sheet-${theme}`)
      await ask(stage, key.secret, `sheet-${theme}`)
      const tab = await stage.openAs(`/chains/${chain.id}`, { theme, width: 390, height: 844 })
      const { page } = tab
      const line = page.getByRole('button', { name: 'Open the simulation' })
      await line.getByText('Step 1 would answer').waitFor()
      await line.focus()
      await page.keyboard.press('Enter')
      const sheet = page.getByRole('dialog', { name: 'Simulation: nothing is sent' })
      await sheet.getByLabel('Input tokens').fill('250000')
      await sheet.getByText('Next, if those before it fail').or(sheet.getByText('Skipped')).first().waitFor()
      expect(await axeFindings(tab)).toEqual([])
      await sheet.getByText('The last 100', { exact: true }).click()
      await sheet.getByText('Cost with this chain').waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      expect(await axeFindings(tab)).toEqual([])
      await page.keyboard.press('Escape')
      await focused(tab, line)
      await line.getByText('0 of 1 request would move').waitFor()
      await page.getByLabel('Name', { exact: true }).fill('Renamed')
      await page.getByRole('button', { name: 'Save' }).waitFor()
      expect(await axeFindings(tab)).toEqual([])
      await closeCleanly(tab)
    })
  }

  test('a phone shows the list and the editor without sideways scrolling', async () => {
    const chain = await addChain(stage, 'narrow', {
      steps: [{ model: 'demo/echo', when: { not: { fact: 'client', op: 'matches', value: 'claude*' } } }],
    })
    const tab = await stage.openAs('/chains?q=narrow', { theme: 'dark', width: 390 })
    const { page } = tab
    await page.getByRole('link', { name: /Chain narrow/ }).click()
    await page.getByText('not (client matches claude*)').waitFor()
    await page.getByText('Conditions, accounts and limits of step 1').click()
    await page.getByRole('button', { name: 'Add a group' }).click()
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await axeFindings(tab)).toEqual([])
    await page.getByRole('button', { name: 'Remove condition 2', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('Renamed')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Renamed', level: 1 }).waitFor()
    expect((await stored(stage, chain)).name).toBe('Renamed')
    await closeCleanly(tab)
  })
})
