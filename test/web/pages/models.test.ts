import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Capabilities } from '../../../src/web/wire.ts'
import { axeFindings, closeCleanly, describeInBrowser, type Stage, type Theme } from '../../support/browser.ts'
import { ask, newKey, playedAccount } from '../../support/gateway-calls.ts'
import { json } from '../../support/plays.ts'

setDefaultTimeout(20_000)

const PATH = '/v1/capability-overrides'
const LOOKS: readonly (readonly [Theme, number])[] = [
  ['light', 1440],
  ['dark', 1440],
  ['light', 390],
  ['dark', 390],
]
/** 1,000 tokens in at 2 $/M, 200 out at 8 $/M: 0.0036. */
const ANSWER = json({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'gpt-4.1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 },
})

const say = (stage: Stage, id: string, sheet: object): Promise<Capabilities> =>
  stage.server.call<Capabilities>('PUT', `${PATH}/${id}`, sheet)
const stored = (stage: Stage, id: string): Promise<Capabilities> =>
  stage.server.call<Capabilities>('GET', `${PATH}/${id}`)
const addressOf = (id: string): string => `/models/one?id=${encodeURIComponent(id)}`

describeInBrowser('models', (stage) => {
  for (const [theme, width] of LOOKS) {
    test(`nothing that axe objects to on either page at ${width} px, ${theme}`, async () => {
      await say(stage, 'openai/gpt-4o', { max_output: 9_000, input_modalities: ['text'] })
      const tab = await stage.openAs('/models', { theme, width })
      await tab.page.getByRole('link', { name: 'anthropic/claude-opus-5-5' }).waitFor()
      expect(await axeFindings(tab)).toEqual([])
      await tab.page.goto(`${stage.server.url}${addressOf('openai/gpt-4o')}`)
      await tab.page.getByLabel('Longest answer').waitFor()
      await tab.page.getByRole('table', { name: 'Prices by kind of token' }).waitFor()
      expect(await axeFindings(tab)).toEqual([])
      expect(await tab.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await closeCleanly(tab)
    })
  }

  test('the list leads from what is known of all models to those with overrides, and to one of them', async () => {
    await say(stage, 'openrouter/acme/own-model', { context_window: 77_000, tools: false })
    const tab = await stage.openAs('/models')
    await tab.page.getByText('With overrides').click()
    const row = tab.page.getByRole('row', { name: /own-model/ })
    await row.getByText('2 facts').waitFor()
    await row.getByText('77.0 k').waitFor()
    await tab.page.getByRole('link', { name: 'openrouter/acme/own-model' }).click()
    await tab.page.getByText('2 facts changed here').waitFor()
    await closeCleanly(tab)
  })

  test('a model says what it costs and since when each figure counts, what it did and who leads to it', async () => {
    const { server } = stage
    const played = await playedAccount(server, { provider: 'openai', name: 'main', priority: 0, play: ANSWER })
    await ask(server, await newKey(server, 'asker'), 'openai/gpt-4.1')
    const account = (await server.call<{ id: string }[]>('GET', '/v1/accounts'))[0]?.id
    const set = (price: object) =>
      server.call('POST', '/v1/model-pricing-overrides', { model: 'openai/gpt-4.1', ...price })
    await set({ input: 1.8 })
    await set({ scope: 'account', scope_id: account, mode: 'multiply', multiplier: 0.5 })
    await server.call('POST', '/v1/chains', { name: 'Careful', steps: [{ model: 'openai/gpt-4.1' }] })
    await server.call('PUT', '/v1/models/alias', { alias: 'smart', targets: [{ model: 'openai/gpt-4.1' }] })
    const tab = await stage.openAs(addressOf('openai/gpt-4.1'))
    const { page } = tab
    const prices = page.getByRole('table', { name: 'Prices by kind of token' })
    expect(await prices.getByRole('row', { name: /^Input/ }).innerText()).toMatch(/\$1\.80\s+set here/)
    expect(await prices.getByRole('row', { name: /^Output/ }).innerText()).toMatch(/\$8\s+catalogue/)
    await page.getByRole('listitem').filter({ hasText: 'account main' }).getByText('× 0.5').waitFor()
    await page.getByTitle('$0.003600000').first().waitFor()
    await page.getByText('100 % answered').waitFor()
    await page.getByRole('link', { name: 'Careful' }).waitFor()
    await page.getByRole('link', { name: 'smart' }).waitFor()
    await page.getByRole('link', { name: 'Its requests' }).click()
    await page.waitForURL('**/requests?model=openai%2Fgpt-4.1&range=30d')
    await closeCleanly(tab)
    played.stop()
  })

  test('a model with dearer long prompts shows each step, and one without a price how to set it', async () => {
    const tab = await stage.openAs(addressOf('anthropic/claude-sonnet-4-5'))
    const { page } = tab
    await page.getByRole('columnheader', { name: 'above 200,000' }).waitFor()
    expect(await page.getByRole('row', { name: /^Output/ }).innerText()).toMatch(/\$15\s+\$22\.50\s+built in/)
    await page.goto(`${stage.server.url}${addressOf('openai/own-model')}`)
    await page.getByText('No price is known').waitFor()
    await page.getByRole('link', { name: 'Set a price' }).click()
    await page.waitForURL('**/models/prices/new?model=openai%2Fown-model')
    await closeCleanly(tab)
  })

  test('a search without a match says how models are called all the same', async () => {
    const tab = await stage.openAs('/models?q=nonesuch')
    await tab.page.getByText('No model matches').waitFor()
    await tab.page.getByRole('button', { name: 'Clear the filters' }).click()
    await tab.page.getByRole('link', { name: 'anthropic/claude-opus-5-5' }).waitFor()
    await closeCleanly(tab)
  })

  test('a fact says where it comes from, is replaced, and is the catalogue’s again after a reset', async () => {
    const tab = await stage.openAs(addressOf('anthropic/claude-opus-4-1'))
    const answer = tab.page.getByRole('textbox', { name: 'Longest answer' })
    expect(await answer.getAttribute('placeholder')).toBe('32,000')
    await answer.fill('12000')
    await tab.page.getByRole('combobox', { name: 'Tools' }).selectOption('No')
    await tab.page.getByRole('combobox', { name: 'Thinking' }).selectOption('effort')
    await tab.page.getByRole('button', { name: 'Save' }).click()
    await tab.page.getByText('3 facts changed here').waitFor()
    expect((await stored(stage, 'anthropic/claude-opus-4-1')).override).toMatchObject({
      max_output: 12_000,
      tools: false,
      context_window: null,
      thinking: { style: 'effort', efforts: null },
    })
    await tab.page.getByText('instead of 32,000').waitFor()
    await tab.page.getByRole('button', { name: 'Reset' }).click()
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
    await tab.page.getByText('as the catalogue knows it').waitFor()
    expect((await stored(stage, 'anthropic/claude-opus-4-1')).override).toBeNull()
    await closeCleanly(tab)
  })

  test('what makes no sense is refused beside its field, and what somebody else said meanwhile is kept', async () => {
    const tab = await stage.openAs(addressOf('openai/gpt-4.1'))
    const answer = tab.page.getByRole('textbox', { name: 'Longest answer' })
    await answer.fill('90000000')
    await tab.page.getByRole('button', { name: 'Save' }).click()
    await tab.page
      .getByText(/must not be more than/i)
      .first()
      .waitFor()
    await say(stage, 'openai/gpt-4.1', { notes: 'mine' })
    await answer.fill('5000')
    await tab.page.getByRole('button', { name: 'Save' }).click()
    await tab.page
      .getByText(/Somebody has changed this/)
      .first()
      .waitFor()
    expect((await stored(stage, 'openai/gpt-4.1')).override).toMatchObject({ notes: 'mine', max_output: null })
    await closeCleanly(tab)
  })
})
