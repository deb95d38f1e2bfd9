/** The check of a provider's conformance: what it costs, how far it is, what it found, and taking that over. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { axeFindings, closeCleanly, describeInBrowser, type Stage, type Tab } from '../../support/browser.ts'
import { GOOD_MODEL, playFaultyProvider } from '../../support/faulty-provider.ts'

setDefaultTimeout(20_000)

const host = playFaultyProvider()
afterAll(() => host.played.stop())

const fitsIn = ({ page }: Tab): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')

async function addProvider({ server }: Stage, slug: string): Promise<{ id: string }> {
  const provider = await server.call<{ id: string }>('POST', '/v1/custom-providers', {
    slug,
    dialects: [{ dialect: 'openai_chat', base_url: `${host.played.url}/v1` }],
    allow_private_network: true,
    models_mode: 'static',
    models: [{ id: GOOD_MODEL, price: { input: 1, output: 2 } }],
  })
  for (const name of ['first', 'second']) {
    const credentials = { api_key: `sk-${slug}-${name}-0123456789` }
    await server.call('POST', '/v1/accounts', { provider: slug, name, credentials })
  }
  return provider
}

describeInBrowser('conformance', (stage) => {
  test('tells what a check costs before it asks, and then what failed', async () => {
    await addProvider(stage, 'costly')
    host.have('ignores stop')
    const tab = await stage.openAs('/providers/costly')
    const { page } = tab
    const card = page.getByRole('region', { name: 'Conformance' })
    await card.getByText('Not checked yet').waitFor()
    const asked = host.played.requests.length
    await card.getByRole('button', { name: 'Check conformance' }).click()
    const dialog = page.getByRole('dialog', { name: 'Check conformance' })
    await dialog
      .getByText(/about [\d,.k ]+, at most/)
      .first()
      .waitFor()
    expect(await dialog.getByRole('definition').first().textContent()).toBe('11')
    expect(await axeFindings(tab)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(host.played.requests).toHaveLength(asked)
    await card.getByRole('button', { name: 'Check conformance' }).click()
    await dialog.getByRole('button', { name: 'Check now' }).click()
    await card.getByText('97 of 100').waitFor()
    await card.getByText('Went on after the stop sequence').waitFor()
    await card.getByText('12 checks passed').click()
    await card.getByText('Two tool calls at once').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await closeCleanly(tab)
  })

  test('shows quirks before they are saved, and the score with them after', async () => {
    const { id } = await addProvider(stage, 'quirky')
    host.have('refuses max_completion_tokens')
    const tab = await stage.openAs('/providers/quirky')
    const { page } = tab
    await page.getByRole('button', { name: 'Check conformance with second' }).click()
    const dialog = page.getByRole('dialog', { name: 'Check conformance' })
    expect(await dialog.getByLabel('Account').locator('option:checked').textContent()).toBe('second')
    await dialog.getByRole('button', { name: 'Check now' }).click()
    const card = page.getByRole('region', { name: 'Conformance' })
    await card.getByText('85 of 100').waitFor()
    await card.getByText('works with the quirks below').waitFor()
    await card.getByText('This host needs').waitFor()
    expect(await stage.server.call('GET', `/v1/custom-providers/${id}`)).toMatchObject({ version: 1, quirks: {} })
    const asked = host.played.requests.length
    await card.getByRole('button', { name: 'Save with the provider' }).click()
    await card.getByText('Saved with the provider').waitFor()
    await card.getByText('100 of 100').waitFor()
    expect(host.played.requests).toHaveLength(asked)
    expect(host.played.requests.at(-1)?.headers['authorization']).toContain('second')
    const quirks = { max_tokens_field: 'max_tokens' }
    expect(await stage.server.call('GET', `/v1/custom-providers/${id}`)).toMatchObject({ version: 2, quirks })
    await closeCleanly(tab)
  })

  test('says how far it is, also to somebody who comes later', async () => {
    await addProvider(stage, 'slow')
    host.have()
    const { promise, resolve } = Promise.withResolvers<void>()
    host.played.play(async (stage) => {
      await promise
      stage.reply(200, { 'content-type': 'application/json' }, ANSWER)
    })
    const tab = await stage.openAs('/providers/slow')
    await tab.page.getByRole('button', { name: 'Check conformance', exact: true }).click()
    await tab.page.getByRole('button', { name: 'Check now' }).click()
    const later = await stage.openAs('/providers/slow', { width: 390 })
    for (const { page } of [tab, later]) await page.getByText('Question 1 of 11').waitFor()
    expect(await fitsIn(later)).toBe(true)
    resolve()
    for (const { page } of [tab, later]) {
      await page.getByRole('region', { name: 'Conformance' }).getByText('100 of 100').waitFor()
    }
    await closeCleanly(tab)
    await closeCleanly(later)
  })

  test('says why the provider could not be asked', async () => {
    await addProvider(stage, 'locked')
    host.played.play(({ reply }) => reply(401, { 'content-type': 'application/json' }, '{"error":{"message":"no"}}'))
    const tab = await stage.openAs('/providers/locked')
    await tab.page.getByRole('button', { name: 'Check conformance', exact: true }).click()
    await tab.page.getByRole('button', { name: 'Check now' }).click()
    await tab.page.getByRole('alert').getByText('did not accept the credentials').waitFor()
    await closeCleanly(tab)
  })

  for (const theme of ['light', 'dark'] as const) {
    test(`fits on a phone, and axe finds nothing, ${theme}`, async () => {
      await addProvider(stage, `small-${theme}`)
      host.have('refuses system', 'breaks arguments', 'ignores stop')
      const tab = await stage.openAs(`/providers/small-${theme}`, { theme, width: 390 })
      const { page } = tab
      await page.getByRole('button', { name: 'Check conformance', exact: true }).click()
      await page.getByRole('dialog').getByText('at most').first().waitFor()
      expect(await axeFindings(tab)).toEqual([])
      await page.getByRole('button', { name: 'Check now' }).click()
      await page.getByText('This host needs').waitFor()
      expect(await axeFindings(tab)).toEqual([])
      expect(await fitsIn(tab)).toBe(true)
      await closeCleanly(tab)
    })
  }
})

const ANSWER = JSON.stringify({
  choices: [{ index: 0, message: { role: 'assistant', content: 'ready' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 },
})
