/** Providers: found, asked for their models, and their accounts added, switched and deleted all at once. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { axeFindings, closeCleanly, describeInBrowser, type Tab } from '../../support/browser.ts'
import { addAccountAt, playOpenAi } from '../../support/openai-play.ts'

setDefaultTimeout(20_000)

const openAi = playOpenAi()
afterAll(() => openAi.stop())

const GOOD = 'sk-proj-0123456789abcdefghij'
const BAD = 'sk-proj-bad-9876543210aaaa'

const fitsIn = ({ page }: Tab): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')

describeInBrowser('providers', (stage) => {
  test('connected ones come first; search, view and capability are in the address', async () => {
    await addAccountAt(openAi, stage.server, 'main')
    const tab = await stage.openAs('/providers')
    const { page } = tab
    const table = page.getByRole('table', { name: 'Providers' })
    await table.getByRole('link', { name: /^OpenAI/ }).waitFor()
    expect(await table.getByRole('row').nth(1).textContent()).toContain('OpenAI')
    await table.getByText('Answers here, needs no account').filter({ visible: true }).waitFor()
    await page
      .getByRole('region', { name: 'Connect another' })
      .getByRole('link', { name: /Mistral/ })
      .waitFor()
    await page.getByRole('searchbox', { name: 'Find a provider' }).fill('no such thing')
    await page.getByText('No provider matches').waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('no such thing')
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('button', { name: 'Capability' }).click()
    await page.getByRole('button', { name: 'Chat' }).click()
    expect(new URL(page.url()).searchParams.get('capability')).toBe('chat')
    await page.getByText('Local', { exact: true }).first().click()
    await table.getByRole('link', { name: /Ollama/ }).waitFor()
    expect(await table.getByRole('link', { name: /^OpenAI/ }).count()).toBe(0)
    await closeCleanly(tab)
  })

  for (const theme of ['light', 'dark'] as const) {
    test(`axe finds nothing, and nothing scrolls sideways on a phone, ${theme}`, async () => {
      const { id } = await addAccountAt(openAi, stage.server, `shown-${theme}`)
      const tab = await stage.openAs('/providers', { theme, width: 390 })
      for (const [path, content] of [
        ['/providers', 'Connect another'],
        ['/providers/openai', 'gpt-5-mini'],
        [`/providers/openai/accounts/${id}`, 'If you disable it'],
      ] as const) {
        await tab.page.goto(path)
        await tab.page.getByText(content).first().waitFor()
        expect(await axeFindings(tab)).toEqual([])
        expect(await fitsIn(tab)).toBe(true)
      }
      await closeCleanly(tab)
      await stage.server.call('DELETE', '/v1/providers/openai/accounts/all')
    })
  }

  test('many are added at once, and each line says what became of it', async () => {
    const tab = await stage.openAs('/providers/openai/add-many')
    const { page } = tab
    await page.getByRole('button', { name: 'Add accounts' }).click()
    await page.getByText('One field needs a change').waitFor()
    await page.getByLabel('Keys, one per line').fill(`first, ${GOOD}\nsecond ${GOOD}\n${BAD}\n`)
    await page.getByText('3 keys, 2 with a name').waitFor()
    await page.getByRole('checkbox', { name: /Test each one/ }).uncheck()
    await page.getByRole('button', { name: 'Add accounts' }).click()
    await page.getByText('2 accounts added, 1 duplicate left out').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.getByRole('link', { name: 'Show the accounts' }).click()
    await page.getByRole('table', { name: 'Accounts' }).getByRole('link', { name: 'first' }).waitFor()
    await closeCleanly(tab)
  })

  test('all are disabled, enabled, and deleted, each after saying what follows', async () => {
    const tab = await stage.openAs('/providers/openai')
    const { page } = tab
    const open = async (act: string): Promise<void> => {
      await page.getByRole('button', { name: 'All accounts' }).click()
      await page.getByRole('button', { name: act }).click()
    }
    await open('Disable all…')
    await page.getByRole('dialog').getByText('have no account left').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable', exact: true }).click()
    await page.getByText('2 accounts disabled').waitFor()
    await open('Enable all')
    await page.getByText('2 accounts enabled').waitFor()
    await page.getByRole('switch', { name: 'Enable first' }).click()
    await page.getByText('Account “first” disabled').waitFor()
    await open('Delete the disabled…')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('link', { name: 'first' }).waitFor({ state: 'detached' })
    await open('Delete all…')
    await page.getByLabel('Type openai to delete it').fill('openai')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No accounts yet').waitFor()
    await closeCleanly(tab)
  })

  test('the list of models is asked for, searched and paged', async () => {
    const { id } = await addAccountAt(openAi, stage.server, 'asking')
    await stage.server.call('POST', `/v1/accounts/${id}/test`, {})
    const tab = await stage.openAs('/providers/openai')
    const { page } = tab
    await page.getByRole('button', { name: 'Ask for the list' }).click()
    await page.getByText('2 models: 2 new, 0 gone').waitFor()
    const models = page.getByRole('table', { name: 'Models' })
    await models.getByText('gpt-5-mini').first().waitFor()
    await page.getByRole('searchbox', { name: 'Find a model' }).fill('gpt-new')
    await models.getByText('unpriced').first().waitFor()
    await page.getByRole('searchbox', { name: 'Find a model' }).fill('nothing like it')
    await page.getByText('No model matches').waitFor()
    await closeCleanly(tab)
  })

  test('a provider that is not there is said to be missing', async () => {
    const tab = await stage.openAs('/providers/nowhere')
    await tab.page.getByText('This provider could not be read').waitFor()
    await tab.page.getByRole('button', { name: 'Try again' }).waitFor()
    await closeCleanly(tab)
  })
})
