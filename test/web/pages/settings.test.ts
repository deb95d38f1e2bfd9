import { describe, expect, test } from 'bun:test'
import { DEFAULTS } from '../../../src/resources/settings/settings.ts'
import { FIELDS } from '../../../src/web/pages/settings/fields.ts'
import { draftOf, valuesOf, valueText } from '../../../src/web/pages/settings/values.ts'
import type { Settings } from '../../../src/web/wire.ts'
import { axeFindings, closeCleanly, describeInBrowser, focused, type Stage, type Theme } from '../../support/browser.ts'

const LOOKS: readonly (readonly [Theme, number])[] = [
  ['light', 1440],
  ['dark', 390],
]
const EVERY_GROUP = '/settings?open=routing,server,auth,streaming'

const stored = (stage: Stage): Promise<Settings> => stage.server.call<Settings>('GET', '/v1/settings')
const change = (stage: Stage, draft: unknown): Promise<Settings> =>
  stage.server.call<Settings>('PATCH', '/v1/settings', draft)

function leavesOf(value: object, path = ''): (readonly [string, unknown])[] {
  return Object.entries(value).flatMap(([name, child]) =>
    typeof child === 'object' && child !== null && !Array.isArray(child)
      ? leavesOf(child, `${path}${name}.`)
      : [[`${path}${name}`, child] as const],
  )
}

describe('the catalogue of settings', () => {
  test('holds every field that the server has, with its default; the pause has a switch of its own', () => {
    const own = new Map(leavesOf(DEFAULTS).filter(([path]) => path !== 'routing.paused'))
    expect(new Map<string, unknown>(FIELDS.map(({ path, standard }) => [path, standard]))).toEqual(own)
  })

  test('sends what was changed alone, defaults as null, and what is no number as it was typed', () => {
    const draft = draftOf({
      'server.max_body_mib': '64',
      'server.shutdown_grace_s': '30',
      'server.trusted_proxies': [],
      'routing.default_model': '',
      'routing.timeouts.idle_ms': 'soon',
    })
    expect(draft as unknown).toEqual({
      server: { max_body_mib: 64, shutdown_grace_s: null, trusted_proxies: null },
      routing: { default_model: null, timeouts: { idle_ms: 'soon' } },
    })
  })

  test('sends a price whole, with the half that is missing as it is, and none as null', () => {
    const sent = (price: readonly string[]): unknown => draftOf({ 'pricing.unknown_price_usd': price }).pricing
    expect(sent(['2.5', '10'])).toEqual({ unknown_price_usd: { input: 2.5, output: 10 } })
    expect(sent(['2.5', ''])).toEqual({ unknown_price_usd: { input: 2.5, output: '' } })
    expect(sent(['', ''])).toEqual({ unknown_price_usd: null })
  })

  test('says values in words', () => {
    const values = valuesOf({ ...DEFAULTS, id: 'settings', created_at: '', updated_at: '', version: 1 })
    const texts = FIELDS.map((field) => valueText(field, values[field.path] ?? ''))
    expect(texts).toContain('180,000 ms (3 min 00 s)')
    expect(texts).toContain('32 MiB')
    expect(texts).toContain('none')
    expect(texts).toContain('on')
    expect(texts).toContain('In memory')
  })
})

describeInBrowser('settings', (stage) => {
  for (const [theme, width] of LOOKS) {
    test(`nothing that axe objects to at ${width} px, ${theme}, folded, open and stopped`, async () => {
      const tab = await stage.openAs('/settings', { theme, width })
      await tab.page.getByText('Routing and timeouts').waitFor()
      expect(await axeFindings(tab)).toEqual([])
      await tab.page.goto(EVERY_GROUP)
      await tab.page.getByRole('textbox', { name: 'Keep-alive' }).waitFor()
      await tab.page.getByRole('textbox', { name: 'Largest request' }).fill('33')
      expect(await axeFindings(tab)).toEqual([])
      await tab.page.getByRole('switch', { name: 'Stop all spending' }).click()
      await tab.page.getByRole('dialog').getByText('Every inference call').waitFor()
      expect(await axeFindings(tab)).toEqual([])
      expect(await tab.page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
      await closeCleanly(tab)
    })
  }

  test('a group opens by keyboard and stays open in the address', async () => {
    const tab = await stage.openAs('/settings')
    await tab.page.locator('summary', { hasText: 'Streaming' }).press('Enter')
    await tab.page.getByRole('textbox', { name: 'Keep-alive' }).waitFor()
    await tab.page.waitForURL('**/settings?open=streaming')
    await tab.page.reload()
    await tab.page.getByRole('textbox', { name: 'Keep-alive' }).waitFor()
    await closeCleanly(tab)
  })

  test('a change shows its difference, is saved, and can be reset to its default', async () => {
    const tab = await stage.openAs(EVERY_GROUP)
    await tab.page.getByRole('textbox', { name: 'Largest request' }).fill('64')
    await tab.page.getByRole('switch', { name: 'Demo provider' }).click()
    const difference = tab.page.getByRole('list', { name: 'What saving changes' })
    expect(await difference.getByRole('listitem').allInnerTexts()).toEqual([
      'Demo provider: on → off',
      'Largest request: 32 MiB → 64 MiB',
    ])
    await tab.page.getByRole('button', { name: 'Save settings' }).click()
    await tab.page.getByText('Settings saved').waitFor()
    expect((await stored(stage)).server.max_body_mib).toBe(64)
    await tab.page.getByRole('button', { name: 'Reset to 32 MiB (Largest request)' }).click()
    await tab.page.getByRole('button', { name: 'Reset to on (Demo provider)' }).click()
    await tab.page.getByRole('button', { name: 'Save settings' }).click()
    await tab.page.getByRole('button', { name: 'Save settings' }).waitFor({ state: 'detached' })
    const { server, routing } = await stored(stage)
    expect([server.max_body_mib, routing.demo]).toEqual([32, true])
    await closeCleanly(tab)
  })

  test('a price for models without one is saved, and half a price is refused beside its field', async () => {
    const tab = await stage.openAs('/settings?open=pricing,logging')
    const price = tab.page.getByRole('group', { name: 'Models without a price' })
    await price.getByLabel('Input').fill('5')
    await tab.page.getByRole('button', { name: 'Save settings' }).click()
    await tab.page.getByText('One field needs a change').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await price.getByLabel('Output').fill('25')
    await tab.page.getByText('Models without a price: none → $5 in, $25 out').waitFor()
    await tab.page.getByRole('button', { name: 'Save settings' }).click()
    await tab.page.getByText('Settings saved').waitFor()
    expect((await stored(stage)).pricing.unknown_price_usd).toEqual({ input: 5, output: 25 })
    await tab.page.reload()
    expect(await price.getByLabel('Output').inputValue()).toBe('25')
    await closeCleanly(tab)
  })

  test('what the server objects to opens its group and stands beside its field', async () => {
    const tab = await stage.openAs('/settings?open=server')
    await tab.page.getByRole('textbox', { name: 'Largest request' }).fill('4096')
    await tab.page.locator('summary', { hasText: 'Server' }).click()
    await tab.page.getByRole('button', { name: 'Save settings' }).click()
    await tab.page.getByText('One field needs a change').waitFor()
    await tab.page.getByRole('link', { name: 'Largest request' }).click()
    const field = tab.page.getByRole('textbox', { name: 'Largest request' })
    await focused(tab, field)
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await field.inputValue()).toBe('4096')
    expect(await axeFindings(tab)).toEqual([])
    await closeCleanly(tab)
  })

  test('somebody else’s change is shown against mine before it can be overwritten', async () => {
    const tab = await stage.openAs('/settings?open=streaming')
    await tab.page.getByRole('textbox', { name: 'Keep-alive' }).fill('20')
    await change(stage, { streaming: { keepalive_s: 25 } })
    await tab.page.getByRole('button', { name: 'Save settings' }).click()
    await tab.page.getByText('Somebody has changed this').waitFor()
    await tab.page.getByText('Keep-alive: 25 s → 20 s').waitFor()
    expect((await stored(stage)).streaming.keepalive_s).toBe(25)
    await tab.page.getByRole('button', { name: 'Save mine over it' }).click()
    await tab.page.getByText('Settings saved').waitFor()
    expect((await stored(stage)).streaming.keepalive_s).toBe(20)
    await closeCleanly(tab)
  })

  test('all spending stops after a confirmation, without losing what is typed, and goes on at once', async () => {
    await stage.server.call('POST', '/v1/keys', { name: 'laptop' })
    const tab = await stage.openAs('/settings?open=server')
    await tab.page.getByRole('textbox', { name: 'Grace at a stop' }).fill('60')
    const control = tab.page.getByRole('switch', { name: 'Stop all spending' })
    await control.click()
    await tab.page.getByText('The only key is refused.').waitFor()
    await tab.page.keyboard.press('Escape')
    await focused(tab, control)
    expect((await stored(stage)).routing.paused).toBe(false)
    await control.click()
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Stop all spending' }).click()
    await tab.page.getByRole('heading', { name: 'All spending is stopped' }).waitFor()
    expect((await stored(stage)).routing.paused).toBe(true)
    expect(await axeFindings(tab)).toEqual([])
    await tab.page.getByRole('button', { name: 'Save settings' }).click()
    await tab.page.getByText('Settings saved').waitFor()
    await control.click()
    await tab.page.getByText('Requests are answered again').waitFor()
    const { routing, server } = await stored(stage)
    expect([routing.paused, server.shutdown_grace_s]).toEqual([false, 60])
    await closeCleanly(tab)
  })
})
