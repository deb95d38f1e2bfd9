/** Proxy pools: made with their exits, tested through real proxies, chosen by accounts, changed, and deleted when nobody needs them. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Account, ProxyPool } from '../../../src/web/wire.ts'
import { axeFindings, closeCleanly, describeInBrowser, type Stage, type Tab } from '../../support/browser.ts'
import { addressOf, INTERNET, playInternet } from '../../support/internet.ts'
import { addAccountAt, playOpenAi } from '../../support/openai-play.ts'
import { text } from '../../support/plays.ts'
import { closedPort, type Provider } from '../../support/provider.ts'
import { type PlayedProxy, playProxy } from '../../support/proxy.ts'

setDefaultTimeout(20_000)

const POOLS = '/v1/proxy-pools'
const PASSWORD = 'correct-horse-battery-staple'
const openAi = playOpenAi()
const played: { proxy: PlayedProxy | undefined; host: Provider | undefined } = { proxy: undefined, host: undefined }
beforeAll(async () => {
  played.proxy = await playProxy({ kind: 'http', login: { user: 'ann', password: PASSWORD } })
  played.host = playInternet()
  played.host.otherwise(text('{"ip":"203.0.113.7","country":"SE"}'))
})
afterAll(() => {
  played.proxy?.stop()
  played.host?.stop()
  openAi.stop()
})

const proxyUrl = (): string => played.proxy?.url() ?? ''
/** Where a check sees from which address it is asked. */
const checkUrl = (): string => (played.host === undefined ? '' : addressOf(played.host, '/ip'))
const make = (stage: Stage, name: string, urls: readonly string[], more: object = {}): Promise<ProxyPool> =>
  stage.server.call('POST', POOLS, { name, endpoints: urls.map((url) => ({ url })), ...more })
const stored = (stage: Stage, id: string): Promise<ProxyPool> => stage.server.call('GET', `${POOLS}/${id}`)
const fitsIn = ({ page }: Tab): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')
/** Of the page's own address. */
const idIn = ({ page }: Tab): string => new URL(page.url()).pathname.split('/').at(-1) ?? ''

describeInBrowser(
  'proxy pools',
  (stage) => {
    test('none yet is a sentence and a way on', async () => {
      const tab = await stage.openAs('/proxy-pools')
      await tab.page.getByText('No proxy pools yet').waitFor()
      expect(await axeFindings(tab)).toEqual([])
      await tab.page.keyboard.press('n')
      await tab.page.getByRole('heading', { name: 'New proxy pool', level: 1 }).waitFor()
      await closeCleanly(tab)
    })

    test('several lines make several exits, what is wrong is named beside its exit, and no password is shown again', async () => {
      const tab = await stage.openAs('/proxy-pools/new')
      const { page } = tab
      await page.getByLabel('Name', { exact: true }).fill('EU')
      await page.getByLabel('Exit 1', { exact: true }).focus()
      await pasteInto(tab, `${proxyUrl()}\nftp://exit-2.example:21`)
      await page.getByLabel('Exit 2', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Create pool' }).click()
      await page.getByText('One field needs a change').waitFor()
      await page.getByLabel('Exit 2', { exact: true }).and(page.locator('[aria-invalid]')).waitFor()
      await page.getByRole('button', { name: 'Remove exit 2' }).click()
      await page.getByRole('button', { name: 'Create pool' }).click()
      await page.getByRole('heading', { name: 'EU', level: 1 }).waitFor()
      const shown = await page.getByLabel('Exit 1', { exact: true }).inputValue()
      expect(shown).toContain('ann:corr…aple@')
      expect(await page.content()).not.toContain(PASSWORD)
      expect(await stored(stage, idIn(tab))).toMatchObject({ name: 'EU', strict: true, scope: 'manual' })
      await closeCleanly(tab)
      await stage.server.call('DELETE', `${POOLS}/${(await all(stage))[0]?.id}`)
    })

    test('a test says of each exit whether it works and why not', async () => {
      const pool = await make(stage, 'Two ways', [proxyUrl(), `http://127.0.0.1:${await closedPort()}`], {
        check: { url: checkUrl(), fail_after: 1 },
      })
      await addAccountAt(openAi, stage.server, 'through', { proxy_pool_id: pool.id })
      const tab = await stage.openAs(`/proxy-pools/${pool.id}`)
      const { page } = tab
      await page.getByRole('button', { name: 'Test all' }).click()
      await page.getByText('1 of 2 exits passed').waitFor()
      const exits = page.getByRole('table', { name: 'Exits' })
      await exits.getByText('Works').filter({ visible: true }).waitFor()
      await exits.getByText('Down').filter({ visible: true }).waitFor()
      await page.getByText('1 of 2 exits down').waitFor()
      await exits.getByText('203.0.113.7').waitFor()
      await exits.getByText('the exit refused the connection').filter({ visible: true }).waitFor()
      await page.getByRole('link', { name: 'openai / through' }).waitFor()
      expect(await axeFindings(tab)).toEqual([])
      await closeCleanly(tab)
    })

    test('a change of rules keeps the passwords, and says what strict means', async () => {
      const pool = await make(stage, 'Kept', [proxyUrl()], { check: { url: checkUrl() } })
      const tab = await stage.openAs(`/proxy-pools/${pool.id}`)
      const { page } = tab
      await page.getByText('While no exit works, calls fail').waitFor()
      await page.getByRole('switch', { name: /Strict/ }).click()
      await page.getByText(/calls go direct from this machine/).waitFor()
      await page.getByLabel('Which exit a call takes').selectOption('round_robin')
      await page.getByLabel('Weight of exit 1').fill('3')
      await page.getByText('One provider', { exact: true }).click()
      await page.getByLabel('Provider', { exact: true }).selectOption('mistral')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('All accounts at mistral that').waitFor()
      expect(await stored(stage, pool.id)).toMatchObject({
        strict: false,
        strategy: 'round_robin',
        scope: 'provider:mistral',
        endpoints: [{ weight: 3 }],
      })
      const tested = await stage.server.call<{ ok: boolean }>('POST', `${POOLS}/${pool.id}/test`, {})
      expect(tested.ok).toBe(true) // the proxy wants the password that was never sent again
      await closeCleanly(tab)
    })

    test('a name that is taken is said beside it, and somebody else’s change is not overwritten unasked', async () => {
      await make(stage, 'Taken', ['http://exit.example:3128'])
      const pool = await make(stage, 'Mine', ['http://exit.example:3128'])
      const tab = await stage.openAs(`/proxy-pools/${pool.id}`)
      const { page } = tab
      await page.getByLabel('Name', { exact: true }).fill('Taken')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByLabel('Name', { exact: true }).and(page.locator('[aria-invalid]')).waitFor()
      await stage.server.call('PATCH', `${POOLS}/${pool.id}`, { strategy: 'random' })
      await page.getByLabel('Name', { exact: true }).fill('Ours')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Somebody has changed this').waitFor()
      await page.getByRole('button', { name: 'Save mine over it' }).click()
      await page.getByRole('heading', { name: 'Ours', level: 1 }).waitFor()
      expect(await stored(stage, pool.id)).toMatchObject({ name: 'Ours', strategy: 'random' })
      await closeCleanly(tab)
    })

    test('one that is switched off says what its calls meet, and is back by Undo', async () => {
      const pool = await make(stage, 'Off and on', ['http://exit.example:3128'])
      const tab = await stage.openAs(`/proxy-pools/${pool.id}`)
      await tab.page.getByRole('switch', { name: 'Enabled' }).click()
      await tab.page.getByText('The pool is switched off. Calls that leave through it fail').waitFor()
      await tab.page.getByRole('button', { name: 'Undo' }).click()
      await tab.page.getByText('The pool is switched off.').waitFor({ state: 'detached' })
      expect((await stored(stage, pool.id)).enabled).toBe(true)
      await closeCleanly(tab)
    })

    test('an account chooses a pool in its form; the pool is not deleted while it does', async () => {
      const pool = await make(stage, 'Needed', ['http://exit.example:3128'])
      const { id } = await addAccountAt(openAi, stage.server, 'chooser')
      const tab = await stage.openAs(`/providers/openai/accounts/${id}/edit`)
      const { page } = tab
      await page.getByLabel('Proxy', { exact: true }).selectOption('Needed')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name: 'chooser', level: 1 }).waitFor()
      await page.getByText('Needed', { exact: true }).waitFor()
      expect((await stage.server.call<Account>('GET', `/v1/accounts/${id}`)).proxy_pool_id).toBe(pool.id)
      await page.goto(`/proxy-pools/${pool.id}`)
      await page.getByRole('link', { name: 'openai / chooser' }).waitFor()
      const remove = async (): Promise<void> => {
        await page.getByRole('button', { name: 'More about this proxy pool' }).click()
        await page.getByRole('button', { name: 'Delete…' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
      }
      await remove()
      await page.getByRole('dialog').getByRole('alert').waitFor()
      await page.getByRole('dialog').getByText('openai / chooser must choose another way first').waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await stage.server.call('PATCH', `/v1/accounts/${id}`, { proxy_pool_id: 'direct' })
      await remove()
      await page.getByText('Proxy pool “Needed” deleted').waitFor()
      expect((await all(stage)).some(({ name }) => name === 'Needed')).toBe(false)
      await closeCleanly(tab)
    })

    for (const [theme, width] of [
      ['light', 1440],
      ['dark', 390],
    ] as const) {
      test(`axe finds nothing, and nothing scrolls sideways at ${width} px, ${theme}`, async () => {
        const pool = await make(stage, `Shown ${theme}`, [proxyUrl(), 'socks5h://exit-2.example:1080'])
        const tab = await stage.openAs('/proxy-pools', { theme, width })
        for (const [path, content] of [
          ['/proxy-pools', `Shown ${theme}`],
          [`/proxy-pools/${pool.id}`, 'Which exit a call takes'],
          ['/proxy-pools/new', 'Which exit a call takes'],
        ] as const) {
          await tab.page.goto(path)
          await tab.page.getByText(content).first().waitFor()
          expect(await axeFindings(tab)).toEqual([])
          expect(await fitsIn(tab)).toBe(true)
        }
        await closeCleanly(tab)
      })
    }
  },
  { internet: INTERNET },
)

function all(stage: Stage): Promise<ProxyPool[]> {
  return stage.server.call('GET', `${POOLS}?limit=100`)
}

/** As the keyboard does it: the browser's own clipboard needs a permission that tests have no page for. */
async function pasteInto({ page }: Tab, text: string): Promise<void> {
  await page.evaluate(`{
    const data = new DataTransfer()
    data.setData('text', ${JSON.stringify(text)})
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }`)
}
