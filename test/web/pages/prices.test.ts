/** What models cost, prices set over that, newer ones from outside, and the past priced anew. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { PricingOverride } from '../../../src/web/wire.ts'
import {
  axeFindings,
  closeCleanly,
  describeInBrowser,
  type Stage,
  type Tab,
  type Theme,
} from '../../support/browser.ts'
import { ask, newKey, playedAccount } from '../../support/gateway-calls.ts'
import { addressOf, INTERNET, playInternet } from '../../support/internet.ts'
import { json } from '../../support/plays.ts'

setDefaultTimeout(20_000)

const LOOKS: readonly (readonly [Theme, number])[] = [
  ['light', 1440],
  ['dark', 1440],
  ['light', 390],
  ['dark', 390],
]
const OVERRIDES = '/v1/model-pricing-overrides'
/** What the file says of three models: one a little dearer, one far beyond belief, one that nobody knew. */
const FILE = [
  {
    id: 'anthropic',
    name: 'Anthropic',
    models: [
      modelAt('claude-opus-5', { input_mtok: 4, output_mtok: 20 }),
      modelAt('claude-haiku-4-5', { input_mtok: 90, output_mtok: 400 }),
      modelAt('claude-newest', { input_mtok: 2, output_mtok: 10 }),
    ],
  },
]

function modelAt(id: string, prices: object) {
  return { id, name: id, match: { equals: id }, prices }
}

/** 1,000 tokens in at 2 $/M, 200 out at 8 $/M: 0.0036. */
const ANSWER = json({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'gpt-4.1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 },
})

const set = (stage: Stage, override: object): Promise<PricingOverride> =>
  stage.server.call<PricingOverride>('POST', OVERRIDES, override)
const all = (stage: Stage): Promise<PricingOverride[]> => stage.server.call('GET', `${OVERRIDES}?limit=100`)
const fits = ({ page }: Tab): Promise<unknown> => page.evaluate('document.documentElement.scrollWidth <= innerWidth')

describeInBrowser(
  'prices',
  (stage) => {
    const host = playInternet()
    host.otherwise(json(FILE))
    afterAll(() => host.stop())

    for (const [theme, width] of LOOKS) {
      test(`axe finds nothing, and nothing scrolls sideways at ${width} px, ${theme}`, async () => {
        await set(stage, { model: `anthropic/*-${width}-${theme}`, mode: 'multiply', multiplier: 0.85 })
        const tab = await stage.openAs('/models/prices', { theme, width })
        for (const [path, content] of [
          ['/models/prices', 'anthropic/claude-haiku-4-5'],
          ['/models/prices/set', `anthropic/*-${width}-${theme}`],
          ['/models/prices/new?model=anthropic%2Fclaude-opus-4-1', 'Before and after'],
          ['/models/prices/newer', 'Nothing has been fetched yet'],
          ['/models/prices/past', 'What is written down stays'],
        ] as const) {
          await tab.page.goto(path)
          await tab.page.getByText(content).first().waitFor()
          expect([path, await axeFindings(tab)]).toEqual([path, []])
          expect([path, await fits(tab)]).toEqual([path, true])
        }
        await closeCleanly(tab)
      })
    }

    test('each model says what it costs and where that comes from, and is found by what it costs', async () => {
      await set(stage, { model: 'anthropic/claude-opus-4-1', input: 12.5 })
      const tab = await stage.openAs('/models')
      const { page } = tab
      await page.getByRole('link', { name: 'Prices' }).click()
      await page.getByRole('searchbox').fill('claude-opus-4-1')
      const row = page.getByRole('row', { name: /anthropic\/claude-opus-4-1 / })
      await row.getByText('$12.50').waitFor()
      await row.getByText('set here').waitFor()
      await page.getByRole('searchbox').fill('')
      await page.getByRole('button', { name: 'Output' }).click()
      await page.waitForURL('**sort=output**')
      await page.goto(`${stage.server.url}/models/prices?q=nonesuch`)
      await page.getByText('No model with a price matches').waitFor()
      await page.getByRole('button', { name: 'Clear the filters' }).click()
      await page.getByRole('table', { name: 'Prices' }).waitFor()
      await closeCleanly(tab)
    })

    test('a price is set by keyboard for one key, over what counts now, and is deleted again', async () => {
      const key = await stage.server.call<{ id: string }>('POST', '/v1/keys', { name: 'night shift' })
      const tab = await stage.openAs('/models/prices')
      const { page } = tab
      await page.getByRole('heading', { name: 'Prices', level: 1 }).waitFor()
      await page.keyboard.press('n')
      await page.waitForURL('**/models/prices/new')
      await page.getByLabel('Model', { exact: true }).fill('anthropic/claude-haiku-4-5')
      await page.getByText('$1', { exact: true }).waitFor()
      await page.getByLabel('For', { exact: true }).selectOption('One key')
      await page.getByLabel('Key', { exact: true }).selectOption('night shift')
      await page.getByLabel('Input', { exact: true }).fill('0.8')
      await page.getByText('$0.80', { exact: true }).waitFor()
      await page.getByText('Long prompts').click()
      await page.getByRole('button', { name: 'Add a step' }).click()
      await page.getByLabel('Above so many tokens').fill('200000')
      await page.getByRole('group').getByLabel('Input').last().fill('1.6')
      await page.getByRole('button', { name: 'Set the price' }).click()
      await page.waitForURL('**/models/prices/set')
      const row = page.getByRole('row', { name: /claude-haiku-4-5/ })
      await row.getByText('night shift').waitFor()
      await row.getByText('$0.80 in, 1 step for long prompts').waitFor()
      const [stored] = (await all(stage)).filter(({ scope_id: id }) => id === key.id)
      expect(stored).toMatchObject({
        scope: 'key',
        input: 0.8,
        output: null,
        tiers: [{ above_input_tokens: 200_000, input: 1.6 }],
      })
      await row.getByRole('button', { name: 'Delete the price of anthropic/claude-haiku-4-5' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await row.waitFor({ state: 'detached' })
      expect((await all(stage)).some(({ id }) => id === stored?.id)).toBe(false)
      await closeCleanly(tab)
    })

    test('a multiple says what it makes of the price, and what makes no sense is refused beside its field', async () => {
      const tab = await stage.openAs('/models/prices/new?model=anthropic%2Fclaude-haiku-4-5')
      const { page } = tab
      await page.getByText('Multiply', { exact: true }).click()
      await page.getByLabel('Times').fill('0.5')
      await page.getByText('$2.50', { exact: true }).waitFor()
      await page.getByLabel('Model', { exact: true }).fill('nobody/knows')
      await page.getByRole('button', { name: 'Set the price' }).click()
      await page.getByText('One field needs a change').waitFor()
      expect(await page.getByLabel('Model', { exact: true }).getAttribute('aria-invalid')).toBe('true')
      expect(await axeFindings(tab)).toEqual([])
      await page.getByLabel('Model', { exact: true }).fill('anthropic/claude-haiku-4-5*')
      await page.getByRole('button', { name: 'Set the price' }).click()
      await page
        .getByRole('row', { name: /claude-haiku-4-5\*/ })
        .getByText('× 0.5')
        .waitFor()
      await closeCleanly(tab)
    })

    test('newer prices are shown as a difference, with what is held back, before they are taken over', async () => {
      await stage.server.call('PATCH', '/v1/settings', { pricing: { sync_url: addressOf(host, '/data.json') } })
      const tab = await stage.openAs('/models/prices/newer')
      const { page } = tab
      await page.getByRole('button', { name: 'Look for newer prices' }).click()
      const row = page.getByRole('table', { name: 'Prices that differ' }).getByRole('row', { name: /claude-opus-5/ })
      await row.getByText('$4', { exact: true }).first().waitFor()
      const held = page.getByRole('table', { name: 'Held back' }).getByRole('row', { name: /claude-haiku-4-5/ })
      expect(await held.getByRole('link', { name: 'Set it' }).getAttribute('href')).toContain(
        '/models/prices/new?model=',
      )
      expect(await axeFindings(tab)).toEqual([])
      expect((await rateOf(stage, 'claude-opus-5')).source).toBe('builtin')
      await page.getByRole('button', { name: 'Take them over' }).click()
      await page
        .getByText(/^Taken over: 1 price changed/)
        .first()
        .waitFor()
      expect(await rateOf(stage, 'claude-opus-5')).toMatchObject({ source: 'sync', input: 4 })
      await page.getByRole('button', { name: 'Look again' }).click()
      await page.getByText('Nothing differs from what counts here.').waitFor()
      await page.getByRole('button', { name: 'Take them over' }).waitFor({ state: 'detached' })
      await closeCleanly(tab)
    })

    test('a file that is none says why and changes nothing', async () => {
      host.play(json({ error: 'gone' }, 500))
      const tab = await stage.openAs('/models/prices/newer')
      await tab.page.getByRole('button', { name: 'Look for newer prices' }).click()
      await tab.page.getByRole('alert').getByText('The host answered 500.').waitFor()
      expect(await axeFindings(tab)).toEqual([])
      await closeCleanly(tab)
    })

    test('the past is priced anew only after it was said what that comes to', async () => {
      const played = await playedAccount(stage.server, { provider: 'openai', name: 'main', priority: 0, play: ANSWER })
      const id = await ask(stage.server, await newKey(stage.server, 'asker'), 'openai/gpt-4.1')
      await set(stage, { model: 'openai/gpt-4.1', input: 3, effective_from: '2020-01-01T00:00:00Z' })
      const tab = await stage.openAs('/models/prices/past')
      const { page } = tab
      await page.getByLabel('From').fill('2030-01-01T00:00')
      await page.getByRole('button', { name: 'See what it comes to' }).click()
      await page.getByText('One field needs a change').waitFor()
      await page.getByLabel('From').fill('2020-01-01T00:00')
      await page.getByLabel('Provider').fill('openai')
      await page.getByRole('textbox', { name: 'Model' }).fill('gpt-4.1')
      await page.getByRole('button', { name: 'See what it comes to' }).click()
      await page.getByText('$0.003600000', { exact: true }).waitFor()
      await page.getByText('$0.004600000', { exact: true }).waitFor()
      expect(await axeFindings(tab)).toEqual([])
      expect(await costOf(stage, id)).toBe(0.0036)
      await page.getByRole('button', { name: 'Price them anew' }).click()
      await page.getByRole('dialog').getByText('Budgets keep what they have counted.').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Price anew' }).click()
      await page.getByText('1 cost changed').waitFor()
      expect(await costOf(stage, id)).toBe(0.0046)
      await page.getByRole('button', { name: 'See what it comes to' }).click()
      await page.getByText('There is nothing to do').waitFor()
      await closeCleanly(tab)
      played.stop()
    })
  },
  { internet: INTERNET },
)

async function rateOf({ server }: Stage, model: string) {
  const [rate] = await server.call<{ source: string; input: number }[]>(
    'GET',
    `/v1/providers/rates?provider=anthropic&model=${model}`,
  )
  if (rate === undefined) throw new Error(`${model} has no price`)
  return rate
}

async function costOf({ server }: Stage, id: string): Promise<number> {
  const { cost_usd } = await server.call<{ cost_usd: number }>('GET', `/v1/usage/requests/${id}`)
  return cost_usd
}
