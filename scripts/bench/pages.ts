/**
 * `bun run bench pages`: the dashboard over a log of 100,000 requests. How long the first data of home and log take, and whether
 * a browser that scrolls through the log keeps drawing. The server is a process of its own; needs Chromium.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launch, openSignedIn, OWNER } from '../../test/support/browser.ts'
import { type GatewayProcess, startGateway } from '../../test/support/gateway-process.ts'
import { Operator } from '../../test/support/operator.ts'
import { freshWeb } from '../build-web.ts'
import { distributionOf } from './distribution.ts'
import { writeTraffic } from './ledger-rows.ts'
import { watchWork } from './page-work.ts'
import { heading, number, row, type Verdict } from './report.ts'

const MAIN = join(import.meta.dir, '..', '..', 'src', 'main.ts')
const ROWS = 100_000
const KEYS = ['laptop', 'ci-bot', 'production', 'evaluation']

const CALLS = 20
const DATA_MS_MAX = 50
/** Rows reach the disk in groups. */
const LEDGER_MS = 50
const HOME_DATA = '/v1/usage/telemetry?range=24h'
const LOG_DATA = '/v1/usage/requests?limit=100'

const SCROLL_MS = 8_000
/** About seven rows for each turn of the wheel, as a brisk hand does. */
const WHEEL_PX = 266
const WHEEL_EVERY_MS = 30
const FRAME_MS_MAX = 50

export async function measurePages(): Promise<readonly Verdict[]> {
  await freshWeb()
  const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-bench-pages-'))
  const prepared = await prepare(dataDir)
  const server = await start(dataDir)
  try {
    return [...(await measureData(server, prepared)), ...(await measureScrolling(server))]
  } finally {
    await end(server)
    rmSync(dataDir, { recursive: true })
  }
}

interface Prepared {
  readonly operator: Operator
  /** Of one of the keys. */
  readonly secret: string
}

/** A folder with an owner, keys and their week. */
async function prepare(dataDir: string): Promise<Prepared> {
  const server = await start(dataDir)
  const operator = await Operator.setUp(server.url, server.setupToken ?? '', OWNER)
  const keys = await Promise.all(KEYS.map((name) => operator.create('/v1/keys', { name })))
  await end(server)
  const keyIds = keys.map(({ id }) => id)
  writeTraffic(join(dataDir, 'telemetry.sqlite'), { rows: ROWS, days: 7, nowMs: Date.now(), keyIds })
  return { operator, secret: keys[0]?.secret ?? '' }
}

function start(dataDir: string): Promise<GatewayProcess> {
  return startGateway({ executable: [process.execPath, MAIN], dataDir, args: ['--log-level', 'warn'] })
}

async function end(server: GatewayProcess): Promise<void> {
  server.signal('SIGTERM')
  await server.exited
}

async function measureData({ url }: GatewayProcess, { operator, secret }: Prepared): Promise<readonly Verdict[]> {
  heading(`Data of the pages, ${ROWS.toLocaleString('en')} requests in the log`)
  row('', 'first', 'p50', 'p95')
  const reader = operator.movedTo(url)
  const news = (): Promise<void> => addRequest(url, secret)
  return [
    await measureCalls("home's data, p95", () => reader.read(HOME_DATA), news),
    await measureCalls("log's first page, p95", () => reader.read(LOG_DATA), news),
  ]
}

/** Before each call something has happened, so that none is answered from memory. The first finds a server that has just started. */
async function measureCalls(name: string, read: () => Promise<unknown>, news: () => Promise<void>): Promise<Verdict> {
  const times: number[] = []
  for (let call = 0; call < CALLS; call++) {
    await news()
    const sentMs = performance.now()
    await read()
    times.push(performance.now() - sentMs)
  }
  const { p50, p95 } = distributionOf(times)
  row(name, ...[times[0] ?? Number.NaN, p50, p95].map((ms) => number(ms, ' ms')))
  return { name, measured: p95, bound: DATA_MS_MAX, unit: ' ms' }
}

/** One more request in the log. */
async function addRequest(url: string, secret: string): Promise<void> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify({ model: 'demo/echo', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  if (!response.ok) throw new Error(`the gateway answered ${response.status}: ${await response.text()}`)
  await response.text()
  await Bun.sleep(LEDGER_MS)
}

async function measureScrolling(server: GatewayProcess): Promise<readonly Verdict[]> {
  const browser = await launch()
  try {
    const { page } = await openSignedIn(browser, server, '/requests')
    await page.getByRole('table').getByRole('row').nth(10).waitFor()
    await page.getByRole('table').hover()
    await page.evaluate(WATCH_FRAMES)
    const endOfWork = await watchWork(page)
    await scroll(page)
    const frames = await page.evaluate<number[]>('globalThis.frames')
    return frameVerdicts(frames, await endOfWork(), await lastRow(page))
  } finally {
    await browser.close()
  }
}

/** Browser code is text here, since scripts have no DOM types. The first frame has nothing before it to be measured from. */
const WATCH_FRAMES = `
  globalThis.frames = []
  let before
  requestAnimationFrame(function watch(now) {
    if (before !== undefined) globalThis.frames.push(now - before)
    before = now
    requestAnimationFrame(watch)
  })`

async function scroll(page: Page): Promise<void> {
  const endMs = performance.now() + SCROLL_MS
  while (performance.now() < endMs) {
    await page.mouse.wheel(0, WHEEL_PX)
    await page.waitForTimeout(WHEEL_EVERY_MS)
  }
}

/** How far the reader has come: what is not drawn was never scrolled to. */
async function lastRow(page: Page): Promise<number> {
  return Number(await page.getByRole('table').getByRole('row').last().getAttribute('aria-rowindex'))
}

/** The work is shown beside: a late frame over little work is the machine's, not the page's. */
function frameVerdicts(frames: readonly number[], work: readonly number[], rowsPassed: number): readonly Verdict[] {
  heading(`Scrolling through the log for ${SCROLL_MS / 1_000} s, down to row ${rowsPassed}`)
  row('', 'count', 'p50', 'p99', 'longest')
  spread('frames', frames)
  spread('tasks, processor time', work)
  const longest = Math.max(...frames.map(wholeMs))
  const late = frames.filter((ms) => wholeMs(ms) > FRAME_MS_MAX).length
  return [
    { name: 'longest frame while scrolling', measured: longest, bound: FRAME_MS_MAX, unit: ' ms' },
    { name: `frames over ${FRAME_MS_MAX} ms`, measured: late, bound: 0, unit: '' },
  ]
}

function spread(label: string, times: readonly number[]): void {
  const { p50, p99 } = distributionOf(times)
  row(label, String(times.length), ...[p50, p99, Math.max(...times)].map((ms) => number(ms, ' ms')))
}

/** The browser shows three refreshes of 60 Hz, which are 50 ms, as 50.1: its clock ticks in tenths. */
function wholeMs(ms: number): number {
  return Math.round(ms)
}
