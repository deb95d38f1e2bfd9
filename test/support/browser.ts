/**
 * The dashboard in a real browser: the whole server in this process, Debian's Chromium beside it, and whatever the browser
 * complains about. Invariant: a page that logs an error, breaks its content security policy or talks to another origin fails
 * its test, whatever the test looked at.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import { freshWeb } from '../../scripts/build-web.ts'
import { type App, type AppParts, createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import type { Result } from '../../src/core/result.ts'
import { listen, type Server } from '../../src/server.ts'
import { HASH_COST } from './dashboard.ts'

export const CHROMIUM = '/usr/bin/chromium'
export const OWNER = { email: 'alice@example.com', password: 'correct horse battery staple' } as const
export type Theme = 'light' | 'dark'

/**
 * Pages that Chromium prepares for the address bar of every window, which nobody sees here: a quarter of what a test costs.
 * The rest is what Playwright switches off (packages/playwright-core/src/server/chromium/chromiumSwitches.ts of 1.65.1, read
 * 2026-11-21), repeated because Chromium heeds the last list alone.
 */
const FEATURES_OFF = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${FEATURES_OFF.join(',')}`,
]
const STEP_MS_MAX = 10_000
const ROOT = join(import.meta.dir, '../..')

export interface DashboardServer {
  readonly url: string
  readonly app: App
  /** Where its databases are. */
  readonly dataDir: string
  /** Calls the REST API as the owner. Throws when the answer is not 2xx. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  /** Stops it in order and starts it again, on the same folder and port; `meanwhile` runs while nobody answers. */
  restart(meanwhile: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

/** A page and what it has done wrong so far. */
export interface Tab {
  readonly page: Page
  readonly context: BrowserContext
  readonly problems: string[]
}

export interface TabOptions {
  readonly theme?: Theme
  readonly width?: number
  readonly height?: number
}

export interface Stage {
  readonly server: DashboardServer
  /** A page of the signed-in owner. */
  openAs(path: string, options?: TabOptions): Promise<Tab>
  /** A page of nobody. */
  open(path: string, options?: TabOptions): Promise<Tab>
}

/**
 * Tests in a browser, with a server of their own that already has its owner. Without Chromium they are skipped; with
 * REQUIRE_CHROMIUM=1 its absence fails. Each test's tabs are checked for problems and closed after it.
 */
export function describeInBrowser(
  name: string,
  body: (stage: Stage) => void,
  options: Pick<StartOptions, 'internet'> = {},
): void {
  if (!existsSync(CHROMIUM) && process.env['REQUIRE_CHROMIUM'] === '1') {
    return void test(`${name}: Chromium is there`, () => expect(existsSync(CHROMIUM)).toBe(true))
  }
  describe.skipIf(!existsSync(CHROMIUM))(name, () => {
    const parts: { browser?: Browser; server?: DashboardServer } = {}
    beforeAll(async () => {
      parts.browser = await launch()
      parts.server = await startDashboard(options)
    }, 60_000)
    afterAll(async () => {
      await parts.browser?.close()
      await parts.server?.stop()
    })
    body({
      get server() {
        return started(parts.server)
      },
      open: (path, options) => openTab(started(parts.browser), started(parts.server), path, options),
      openAs: (path, options) => openSignedIn(started(parts.browser), started(parts.server), path, options),
    })
  })
}

function started<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('the stage is set before the first test, not while they are listed')
  return part
}

/** Each launch has a profile folder of its own, removed when the browser closes. */
export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
}

export interface StartOptions {
  /** With `OWNER`, unless it is false. */
  readonly owner?: boolean
  /** What providers are reached through; this machine's own without it. */
  readonly internet?: AppParts['internet']
}

/** The real server on a free port over a temporary data folder. */
export async function startDashboard({ owner = true, internet }: StartOptions = {}): Promise<
  DashboardServer & { readonly setUpUrl: string }
> {
  await freshWeb()
  const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-web-'))
  const parts = { hashCost: HASH_COST, ...(internet !== undefined && { internet }) }
  const running = await run(dataDir, 0, parts)
  const { url } = running.server
  const token = await running.app.setupToken()
  const session = owner ? await setUp(url, token) : undefined
  return {
    url,
    get app() {
      return running.app
    },
    dataDir,
    setUpUrl: `${url}/setup#token=${token}`,
    call: (method, path, body) => call(url, session?.access_token, method, path, body),
    async restart(meanwhile) {
      await end(running)
      await meanwhile()
      Object.assign(running, await run(dataDir, Number(new URL(url).port), parts))
    },
    async stop() {
      await end(running)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

interface Running {
  app: App
  server: Server
}

async function run(dataDir: string, port: number, parts: Partial<AppParts>): Promise<Running> {
  const app = value(await createApp(value(readConfig({ 'data-dir': dataDir, port: '0' }, {})), parts))
  return { app, server: value(listen(app, { host: '127.0.0.1', port, tls: null })) }
}

async function end({ app, server }: Running): Promise<void> {
  await server.stop(1_000)
  await app.close()
}

interface Session {
  readonly access_token: string
  readonly refresh_token: string
}

function setUp(url: string, token: string | undefined): Promise<Session> {
  return call(url, undefined, 'POST', '/v1/auth/setup', { token, ...OWNER })
}

async function call<T>(
  url: string,
  token: string | undefined,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const headers = new Headers({ 'content-type': 'application/json' })
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return JSON.parse(text).data
}

/** Signed in as a browser is: its own session's refresh token in local storage. */
export async function openSignedIn(
  browser: Browser,
  server: Pick<DashboardServer, 'url'>,
  path: string,
  options?: TabOptions,
): Promise<Tab> {
  const session = await call<Session>(server.url, undefined, 'POST', '/v1/auth/sign-in', OWNER)
  return openTab(browser, server, path, options, session.refresh_token)
}

export async function openTab(
  browser: Browser,
  server: Pick<DashboardServer, 'url'>,
  path: string,
  { theme = 'light', width = 1440, height = 900 }: TabOptions = {},
  refreshToken?: string,
): Promise<Tab> {
  const context = await browser.newContext({
    viewport: { width, height },
    baseURL: server.url,
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(STEP_MS_MAX)
  await context.addCookies([{ name: 'theme', value: theme, url: server.url }])
  if (refreshToken !== undefined) await context.addInitScript(STORE_TOKEN(refreshToken))
  await context.addInitScript(REPORT_VIOLATIONS)
  const page = await context.newPage()
  const problems: string[] = []
  watch(page, server.url, problems)
  await page.goto(path)
  return { page, context, problems }
}

/** Only the first time: from then on the page replaces the token itself. Browser code is text here, since servers have no DOM types. */
const STORE_TOKEN = (token: string): string => `
  if (sessionStorage.getItem('test.signed-in') === null) {
    sessionStorage.setItem('test.signed-in', 'yes')
    localStorage.setItem('signalbox.refresh-token', ${JSON.stringify(token)})
  }`

const REPORT_VIOLATIONS = `
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error('violates ' + violatedDirective + ': ' + blockedURI))`

function watch(page: Page, origin: string, problems: string[]): void {
  page.on('pageerror', (error) => problems.push(`throws ${error.message}`))
  page.on('console', (message) => {
    // A refused call is the page's business, and often what the test is about.
    const isStatus = message.text().startsWith('Failed to load resource')
    if (!isStatus && (message.type() === 'error' || message.type() === 'warning')) problems.push(message.text())
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !url.startsWith('data:') && !url.startsWith('blob:')) problems.push(`asks ${url}`)
  })
}

/** Resolves once the element has the focus. */
export function focused({ page }: Tab, element: Locator): Promise<void> {
  return element.and(page.locator(':focus')).waitFor()
}

/** The end of a browser test: nothing went wrong on the way. */
export async function closeCleanly({ context, problems }: Tab): Promise<void> {
  await context.close()
  expect(problems).toEqual([])
}

const AXE = readFileSync(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8')
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const AXE_OPTIONS = JSON.stringify({ runOnly: AXE_TAGS, resultTypes: ['violations'] })
/** Its whole report would take longer to carry over than to make. */
const FIND = `
  axe.run(${AXE_OPTIONS}).then(({ violations }) => violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html }) => impact + ' ' + id + ': ' + html.slice(0, 160))))`

/** What axe finds on the page as it is now, one line for each element; empty when it finds nothing. */
export async function axeFindings({ page }: Tab): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(AXE)
  return page.evaluate<string[]>(FIND)
}

function value<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}
