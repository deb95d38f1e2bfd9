import { expect, test } from 'bun:test'
import type { Capabilities } from '../../../src/web/wire.ts'
import { axeFindings, closeCleanly, describeInBrowser, type Stage, type Theme } from '../../support/browser.ts'

const PATH = '/v1/capability-overrides'
const LOOKS: readonly (readonly [Theme, number])[] = [
  ['light', 1440],
  ['dark', 390],
]

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
      expect(await axeFindings(tab)).toEqual([])
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
