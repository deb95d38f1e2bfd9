import { expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { axeFindings, closeCleanly, describeInBrowser, focused, OWNER, type Theme } from '../support/browser.ts'

const THEMES: readonly Theme[] = ['light', 'dark']

const SCRIPT_BYTES_MAX = 180 * 1024

describeInBrowser('the shell', (stage) => {
  for (const theme of THEMES) {
    for (const width of [390, 900, 1440]) {
      test(`has nothing that axe objects to at ${width} px, ${theme}`, async () => {
        const tab = await stage.openAs('/profile', { theme, width })
        await tab.page.getByText('Last sign-in').waitFor()
        expect(await axeFindings(tab)).toEqual([])
        expect(await tab.page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
        await closeCleanly(tab)
      })
    }
  }

  test('the palette opens, finds and goes by keyboard alone, and gives the focus to the page', async () => {
    const tab = await stage.openAs('/')
    await tab.page.getByRole('button', { name: `You: ${OWNER.email}` }).waitFor()
    await tab.page.keyboard.press('Control+k')
    const field = tab.page.getByRole('combobox', { name: 'Search or run' })
    await field.waitFor()
    await tab.page.keyboard.type('prof')
    expect(await axeFindings(tab)).toEqual([])
    await tab.page.keyboard.press('Enter')
    await tab.page.getByRole('heading', { name: 'Profile' }).waitFor()
    await focused(tab, tab.page.getByRole('heading', { name: 'Profile' }))
    expect(await tab.page.title()).toBe('Profile · Signalbox')
    await closeCleanly(tab)
  })

  test('Escape closes the palette and brings the focus back', async () => {
    const tab = await stage.openAs('/profile')
    const button = tab.page.getByRole('button', { name: /^Search or run/ }).first()
    await button.focus()
    await tab.page.keyboard.press('Enter')
    await tab.page.getByRole('combobox', { name: 'Search or run' }).waitFor()
    await tab.page.keyboard.press('Escape')
    await tab.page.getByRole('combobox', { name: 'Search or run' }).waitFor({ state: 'detached' })
    await focused(tab, button)
    await closeCleanly(tab)
  })

  test('single keys go places, explain themselves and stay out of what is typed', async () => {
    const tab = await stage.openAs('/profile')
    const email = tab.page.getByRole('textbox', { name: 'E-mail' })
    await email.waitFor()
    await email.press('?')
    expect(await email.inputValue()).toContain('?')
    await tab.page.getByRole('button', { name: 'Discard' }).click()
    await tab.page.getByRole('heading', { name: 'Profile' }).click()
    await tab.page.keyboard.press('?')
    await tab.page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await tab.page.keyboard.press('Escape')
    await tab.page.keyboard.press('g')
    await tab.page.keyboard.press('h')
    await tab.page.waitForURL(/\/(connect)?$/)
    await closeCleanly(tab)
  })

  test('the first tab stop leads past the navigation', async () => {
    const tab = await stage.openAs('/profile')
    await tab.page.getByText('Last sign-in').waitFor()
    await tab.page.keyboard.press('Tab')
    await focused(tab, tab.page.locator('a[href="#content"]'))
    await tab.page.keyboard.press('Enter')
    await focused(tab, tab.page.locator('main'))
    await closeCleanly(tab)
  })

  test('the theme is the chosen one before any script runs, and the system’s until one is chosen', async () => {
    const tab = await stage.openAs('/profile', { theme: 'light' })
    await tab.page.getByRole('button', { name: 'Switch between light and dark' }).click()
    expect(await tab.page.locator('html').getAttribute('data-theme')).toBe('dark')
    const html = await (await tab.context.request.get('/profile')).text()
    expect(html).toContain('data-theme="dark"')
    await tab.page.getByRole('button', { name: `You: ${OWNER.email}` }).click()
    await tab.page.getByRole('dialog', { name: 'You' }).getByText('System').click()
    expect(await tab.page.locator('html').getAttribute('data-theme')).toBeNull()
    expect(await (await tab.context.request.get('/profile')).text()).not.toContain('data-theme')
    await closeCleanly(tab)
  })

  test('an address that leads nowhere says so, with 404', async () => {
    const tab = await stage.openAs('/profile')
    const answer = await tab.page.goto('/nowhere')
    expect(answer?.status()).toBe(404)
    await tab.page.getByRole('heading', { name: 'Page not found' }).waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await closeCleanly(tab)
  })

  test('on a phone everything is within reach of the bar at the foot', async () => {
    const tab = await stage.openAs('/profile', { width: 390, height: 844 })
    await tab.page.getByRole('button', { name: 'More' }).click()
    const sheet = tab.page.getByRole('dialog', { name: 'Everything' })
    await sheet.getByRole('link', { name: 'Connect' }).click()
    await tab.page.waitForURL(/\/(connect)?$/)
    await sheet.waitFor({ state: 'hidden' })
    await closeCleanly(tab)
  })
})

describeInBrowser('the first page', (stage) => {
  test('loads at most 180 KB of compressed script, whatever it is made of', async () => {
    const tab = await stage.openAs('/')
    await tab.page.getByRole('button', { name: `You: ${OWNER.email}` }).waitFor()
    await tab.page.waitForLoadState('networkidle')
    const loaded = `performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => name.endsWith('.js'))`
    const scripts = await tab.page.evaluate<string[]>(loaded)
    const sizes = await Promise.all(scripts.map(async (url) => gzipSync(await (await fetch(url)).arrayBuffer()).length))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(SCRIPT_BYTES_MAX)
    await closeCleanly(tab)
  })
})

describeInBrowser('a session', (stage) => {
  test('an access token that is refused is renewed without the reader noticing', async () => {
    const tab = await stage.openAs('/')
    await tab.page.getByRole('button', { name: `You: ${OWNER.email}` }).waitFor()
    let refused = 0
    await tab.page.route('**/v1/auth/me', (route) => {
      refused += 1
      return refused === 1
        ? route.fulfill({ status: 401, json: { message: 'the access token has run out' } })
        : route.continue()
    })
    const renewed = tab.page.waitForResponse('**/v1/auth/refresh')
    await tab.page.goto('/profile')
    expect((await renewed).status()).toBe(200)
    await tab.page.getByText('Last sign-in').waitFor()
    expect(refused).toBeGreaterThan(1)
    await closeCleanly(tab)
  })

  test('one that ends asks over the page, keeps what was typed and goes on with it', async () => {
    const tab = await stage.openAs('/profile')
    await tab.page.getByRole('textbox', { name: 'E-mail' }).fill('alice.b@example.com')
    await tab.page.getByLabel('Current password').fill(OWNER.password)
    await endSessions(stage.server.url)
    await tab.page.getByRole('button', { name: 'Change' }).click()
    const dialog = tab.page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await tab.page.keyboard.press('Escape')
    expect(await dialog.isVisible()).toBe(true)
    await dialog.getByLabel('E-mail').fill(OWNER.email)
    await dialog.getByLabel('Password', { exact: true }).fill(OWNER.password)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await tab.page.getByText('Profile changed').waitFor()
    expect(await tab.page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('alice.b@example.com')
    await tab.page.getByRole('textbox', { name: 'E-mail' }).fill(OWNER.email)
    await tab.page.getByLabel('Current password').fill(OWNER.password)
    await tab.page.getByRole('button', { name: 'Change' }).click()
    await tab.page.getByText(OWNER.email).first().waitFor()
    await closeCleanly(tab)
  })

  test('signing out leads to the door, and the way back asks to sign in', async () => {
    const tab = await stage.openAs('/profile')
    await tab.page.getByRole('button', { name: `You: ${OWNER.email}` }).click()
    await tab.page.getByRole('button', { name: 'Sign out everywhere' }).last().click()
    await tab.page.waitForURL('**/sign-in**')
    await tab.page.goto('/')
    await tab.page.waitForURL('**/sign-in')
    await closeCleanly(tab)
  })
})

describeInBrowser('a form', (stage) => {
  test('puts what the server objects to beside its field, and links to it from a summary that has the focus', async () => {
    const tab = await stage.openAs('/profile')
    await tab.page.getByLabel('New password').fill('short')
    await tab.page.getByLabel('Current password').fill(OWNER.password)
    await tab.page.getByRole('button', { name: 'Change' }).click()
    await tab.page.getByText('One field needs a change').waitFor()
    await focused(tab, tab.page.locator('#form-errors'))
    expect(await axeFindings(tab)).toEqual([])
    await tab.page.getByRole('link', { name: 'New password' }).click()
    const field = tab.page.getByLabel('New password')
    await focused(tab, field)
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    await tab.page.getByRole('button', { name: 'Discard' }).click()
    await closeCleanly(tab)
  })

  test('asks before what was typed is left behind', async () => {
    const tab = await stage.openAs('/profile')
    await tab.page.getByRole('textbox', { name: 'E-mail' }).fill('somebody@example.com')
    await tab.page.getByRole('link', { name: 'Connect' }).first().click()
    const dialog = tab.page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.getByRole('button', { name: 'Stay' }).click()
    expect(await tab.page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('somebody@example.com')
    await tab.page.getByRole('link', { name: 'Connect' }).first().click()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await tab.page.waitForURL(/\/(connect)?$/)
    await closeCleanly(tab)
  })
})

describeInBrowser('a server that stops answering', (stage) => {
  test('is named with the time of what is on screen, and the page recovers by itself', async () => {
    const tab = await stage.openAs('/profile')
    await tab.page.getByText('Last sign-in').waitFor()
    await tab.context.setOffline(true)
    await tab.page.getByRole('textbox', { name: 'E-mail' }).fill('alice.c@example.com')
    await tab.page.getByLabel('Current password').fill(OWNER.password)
    await tab.page.getByRole('button', { name: 'Change' }).click()
    await tab.page.getByText(/^Offline\. As of /).waitFor()
    expect(await tab.page.getByText('alice@example.com').first().isVisible()).toBe(true)
    expect(await axeFindings(tab)).toEqual([])
    await tab.context.setOffline(false)
    await tab.page.getByRole('button', { name: 'Now' }).click()
    await tab.page.getByText(/^Offline\. As of /).waitFor({ state: 'detached' })
    expect(await tab.page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('alice.c@example.com')
    await closeCleanly(tab)
  })
})

/** Signs the owner out everywhere, as from another browser. */
async function endSessions(url: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const session = await fetch(`${url}/v1/auth/sign-in`, { method: 'POST', headers, body: JSON.stringify(OWNER) })
  const { data } = (await session.json()) as { data: { access_token: string } }
  const authorization = `Bearer ${data.access_token}`
  await fetch(`${url}/v1/auth/sign-out`, { method: 'POST', headers: { ...headers, authorization }, body: '{}' })
}
