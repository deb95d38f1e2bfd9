/**
 * `bun run shots [path …]`: pictures of the dashboard's pages in dist/shots/, at 390, 1440 and 2560 px in both themes, over a
 * server with something in it. Without paths: every page. `bun run shots --docs`: those of the documentation, in docs/pictures/.
 */
import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { HOUR_MS } from '../src/core/duration.ts'
import {
  type DashboardServer,
  launch,
  openSignedIn,
  openTab,
  startDashboard,
  type Tab,
  type Theme,
} from '../test/support/browser.ts'
import { fill } from '../test/support/dashboard-data.ts'
import { writeTraffic } from './bench/ledger-rows.ts'

const OUT = join(import.meta.dir, '..', 'dist', 'shots')
const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
] as const
const THEMES: readonly Theme[] = ['light', 'dark']
/** By the page of the documentation that shows it. Small enough to be kept and to be carried in the executable. */
const DOCS_PICTURES: Readonly<Record<string, RegExp>> = {
  'connect-a-tool': /^\/connect$/,
  'add-a-provider': /^\/providers\/openai$/,
  'own-provider': /^\/custom-providers\/cpr_/,
  keys: /^\/keys\/key_\w+$/,
  skills: /^\/skills\/skl_/,
  requests: /^\/requests\/req_/,
}
const DOCS_OUT = join(import.meta.dir, '..', 'docs', 'pictures')
const DOCS_SIZE = { width: 850, height: 490 }
/** Longer than any fade; pictures are of pages at rest. */
const SETTLE_MS = 400
const IDLE_MS_MAX = 3_000
const HISTORY = { rows: 6_000, days: 45 }

const [, , ...asked] = process.argv
mkdirSync(OUT, { recursive: true })
const browser = await launch()
const server = await startDashboard()
try {
  const paths = await fill(server)
  await addHistory(server)
  if (asked[0] === '--docs') await shootDocs(paths)
  else {
    for (const path of asked.length > 0 ? asked : ['/sign-in', ...paths]) await shootAll(server, path)
    if (asked.length === 0) await shootSetUp()
  }
} finally {
  await browser.close()
  await server.stop()
}

/** A month of requests, so that what is drawn over time has a shape. The newest ones stay those that were really asked. */
async function addHistory(server: DashboardServer): Promise<void> {
  const keys = await server.call<{ id: string }[]>('GET', '/v1/keys')
  const traffic = { ...HISTORY, nowMs: Date.now() - HOUR_MS, keyIds: keys.map(({ id }) => id) }
  await server.restart(async () => writeTraffic(join(server.dataDir, 'telemetry.sqlite'), traffic))
}

async function shootAll(server: DashboardServer, path: string): Promise<void> {
  for (const theme of THEMES) {
    for (const size of SIZES) {
      const open = /^\/(sign-in|setup)/.test(path) ? openTab : openSignedIn
      const tab = await open(browser, server, path, { theme, ...size })
      await shoot(tab, join(OUT, `${nameOf(path)}-${size.width}-${theme}.png`))
    }
  }
}

async function shootDocs(paths: readonly string[]): Promise<void> {
  mkdirSync(DOCS_OUT, { recursive: true })
  for (const [name, pattern] of Object.entries(DOCS_PICTURES)) {
    const path = paths.find((candidate) => pattern.test(candidate))
    if (path === undefined) throw new Error(`there is no page for the picture of ${name}`)
    await shoot(
      await openSignedIn(browser, server, path, { theme: 'light', ...DOCS_SIZE }),
      join(DOCS_OUT, `${name}.png`),
    )
  }
}

/** Before there is an owner there is nothing else. */
async function shootSetUp(): Promise<void> {
  const empty = await startDashboard({ owner: false })
  const { pathname, hash } = new URL(empty.setUpUrl)
  await shootAll(empty, pathname + hash).finally(() => empty.stop())
}

async function shoot({ page, context, problems }: Tab, file: string): Promise<void> {
  // A page that follows a stream is never idle; it is at rest all the same.
  await page.waitForLoadState('networkidle', { timeout: IDLE_MS_MAX }).catch(() => undefined)
  await page.waitForTimeout(SETTLE_MS)
  await page.screenshot({ path: file })
  await context.close()
  console.log([basename(file), ...problems].join('\n  '))
}

function nameOf(path: string): string {
  const [bare = '/'] = path.split('#')
  return bare === '/' ? 'home' : bare.slice(1).replaceAll(/[^\w-]+/g, '-')
}
