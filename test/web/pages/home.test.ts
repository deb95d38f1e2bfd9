/** From an empty installation to a streamed answer by clicks and keys alone, and what the first page says when that fails. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { axeFindings, closeCleanly, describeInBrowser, type Stage, type Tab } from '../../support/browser.ts'
import { ask } from '../../support/gateway-calls.ts'
import { json } from '../../support/plays.ts'
import { playProvider } from '../../support/provider.ts'

setDefaultTimeout(20_000)

const NO_CLIPBOARD = `Object.defineProperty(navigator, 'clipboard', { value: undefined })`

describeInBrowser('home', (stage) => {
  test('an empty installation leads to Connect, on which axe finds nothing', async () => {
    const tab = await stage.openAs('/')
    await tab.page.waitForURL('**/connect')
    await tab.page.getByText('No requests yet').waitFor()
    await tab.page.getByRole('button', { name: 'Anthropic' }).waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await closeCleanly(tab)
  })

  test('a provider is searched, on a phone and in the dark', async () => {
    const tab = await stage.openAs('/connect', { theme: 'dark', width: 390 })
    const { page } = tab
    await page.getByRole('button', { name: 'Anthropic' }).waitFor()
    expect(await axeFindings(tab)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await page.getByRole('searchbox', { name: 'Provider' }).fill('no such provider')
    await page.getByText('No provider is called').waitFor()
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await page.getByRole('searchbox', { name: 'Provider' }).fill('deeps')
    await page.getByRole('button', { name: 'OpenAI', exact: true }).waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.getByLabel('API key').waitFor()
    await closeCleanly(tab)
  })

  test('the demo answers a key created by keys alone, and the tool step waits for a tool', async () => {
    const tab = await stage.openAs('/connect')
    const { page } = tab
    await page.getByRole('button', { name: 'Skip, use the demo' }).press('Enter')
    await page.getByText('skipped, the demo needs none').waitFor()
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Add one')
    await page.getByRole('textbox', { name: 'Name' }).press('Enter')
    const secret = await secretOf(tab)
    expect(await page.evaluate<string>('document.activeElement.ariaLabel')).toBe('New key')
    await page.getByRole('textbox', { name: 'Message' }).press('Enter')
    await page.getByText('first token').waitFor()
    await page.getByText('free').first().waitFor()
    await page.getByRole('link', { name: 'See the route' }).waitFor()
    await page.getByRole('img', { name: /a request has come through/ }).waitFor()
    expect(await page.getByText('Waiting for its first request').count()).toBe(1)
    await ask(stage.server, secret, 'demo/echo')
    await page.getByText('A request arrived').waitFor()
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await closeCleanly(tab)
  })

  test('what is copied holds the whole key, also without a clipboard; leaving before that asks', async () => {
    const tab = await stage.openAs('/connect')
    const { page } = tab
    await page.evaluate(NO_CLIPBOARD)
    await page.getByRole('button', { name: 'Another' }).last().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('phone')
    await page.getByRole('button', { name: 'Create key' }).click()
    const secret = await secretOf(tab)
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('button', { name: 'Stay' }).click()
    await page.getByText('curl', { exact: true }).click()
    expect(await page.getByRole('region', { name: 'Shell' }).textContent()).not.toContain(secret)
    await watchCopies(tab)
    await page.getByRole('button', { name: 'Copy the code' }).click()
    expect(await page.evaluate<string>('globalThis.copied')).toContain(`Bearer ${secret}`)
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    expect(await page.evaluate<string>('globalThis.copied')).toBe(secret)
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.waitForURL('**/overview')
    await closeCleanly(tab)
  })

  test('a key without a name is refused, a wrong one is said to be, one that exists is brought back', async () => {
    const tab = await stage.openAs('/connect')
    const { page } = tab
    await page.getByLabel('Key', { exact: true }).last().fill('sk-sbx-wrong')
    await page.getByRole('button', { name: 'Use it', exact: true }).click()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Use it here' }).click()
    await page.getByText('Used below until you leave this page.').waitFor()
    await page.getByRole('textbox', { name: 'Message' }).fill('hello again')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('first token').waitFor()
    await page.getByRole('button', { name: 'Another' }).last().click()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.locator('input[aria-invalid=true]').waitFor()
    await page.goto('/')
    await page.waitForURL('**/overview') // there is traffic now
    await closeCleanly(tab)
  })
})

describeInBrowser('an account from Connect', (stage) => {
  const provider = playProvider()
  afterAll(() => provider.stop())

  test('is tested step by step; a refused one is not saved unless asked', async () => {
    provider.otherwise(json({ error: { message: 'no', code: 'invalid_api_key' } }, 401))
    const tab = await stage.openAs('/connect')
    await fillLocal(tab, provider.url)
    await tab.page.getByRole('button', { name: 'Test and save' }).click()
    await tab.page.getByText(/Sign in: failed/).waitFor()
    expect(await accountsOf(stage)).toEqual([])
    expect(await axeFindings(tab)).toEqual([])
    await tab.page.getByRole('button', { name: 'Save all the same' }).click()
    await tab.page.getByRole('listitem').filter({ hasText: 'vllm' }).first().waitFor()
    expect(await accountsOf(stage)).toEqual(['vllm'])
    await closeCleanly(tab)
  })

  test('that works is saved at once; an address that is none is refused beside its field', async () => {
    provider.otherwise(json({ object: 'list', data: [{ id: 'qwen3', object: 'model' }] }))
    const tab = await stage.openAs('/connect')
    const { page } = tab
    await page.getByRole('button', { name: 'Another' }).first().click()
    await fillLocal(tab, 'not an address')
    await page.getByRole('button', { name: 'Test and save' }).click()
    await page.locator('input[aria-invalid=true]').waitFor()
    await page.getByRole('textbox', { name: 'Address' }).fill(`${provider.url}/v1`)
    await page.getByRole('textbox', { name: 'Name' }).first().fill('second')
    await page.getByRole('button', { name: 'Test and save' }).click()
    await page.getByText('second', { exact: true }).waitFor()
    expect(await accountsOf(stage)).toEqual(['vllm', 'vllm'])
    await closeCleanly(tab)
  })
})

/** The new key's, while it is shown. */
async function secretOf({ page }: Tab): Promise<string> {
  await page.getByText('Shown once').waitFor()
  const secret = (await page.locator('code[role=textbox]').textContent()) ?? ''
  expect(secret).toStartWith('sk-sbx-')
  return secret
}

async function fillLocal({ page }: Tab, url: string): Promise<void> {
  await page.getByRole('button', { name: 'vLLM' }).click()
  await page.getByRole('textbox', { name: 'Address' }).fill(url)
}

async function accountsOf({ server }: Stage): Promise<string[]> {
  return (await server.call<{ provider: string }[]>('GET', '/v1/accounts')).map(({ provider }) => provider)
}

/** What the older way to copy puts on the clipboard. */
async function watchCopies({ page }: Tab): Promise<void> {
  await page.evaluate(`document.addEventListener('copy', () => {
    globalThis.copied = document.activeElement.value
  }, true)`)
}
