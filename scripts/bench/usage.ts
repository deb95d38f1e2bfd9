/**
 * `bun run bench usage [--quick]`: a ledger of a million requests. How long its views take, what streams notice while it is read,
 * exported and pruned, what limits cost on a request's way, and what as many requests leave behind. The gateway runs from its
 * sources, as a process of its own.
 */
import { distributionOf, median } from './distribution.ts'
import { measureEndurance } from './endurance.ts'
import type { StreamsMeasured } from './load.ts'
import { residentBytes, runLoad, startHelper } from './processes.ts'
import { heading, number, row, type Verdict } from './report.ts'
import {
  CONNECTIONS,
  type LedgerScale,
  loadRequests,
  startUsageStage,
  targetOf,
  type UsageStage,
} from './usage-stage.ts'
import { PROVIDER } from './gateway.ts'

const MB = 1_000_000
const VIEW_MS_MAX = 50
const STALL_MS_MAX = 20
const LIMITS_SHARE_MIN = 0.9
/** Rows reach the disk in groups. */
const LEDGER_MS = 50
/** A brisk stream: what is late shows at once. */
const DELTA_EVERY_MS = 10
const STREAMS = 5
const STREAM_DELTAS = 2_000
const PRUNED_DAYS = 20

export async function measureUsage(scale: LedgerScale): Promise<readonly Verdict[]> {
  const upstream = await startHelper('upstream.ts')
  try {
    return [...(await measureLedger(upstream.url, scale)), ...(await measureMany(upstream.url, scale))]
  } finally {
    upstream.stop()
  }
}

async function measureLedger(upstreamUrl: string, scale: LedgerScale): Promise<readonly Verdict[]> {
  const stage = await startUsageStage(upstreamUrl, scale)
  try {
    heading(`A ledger of ${scale.rows.toLocaleString('en')} requests in ${scale.days} days`)
    row('written', number(stage.writeMicros, ' us'), 'a request,', `${number(1e6 / stage.writeMicros)} a second`)
    row('file', `${number(stage.fileBytes() / MB)} MB`)
    const views = await measureViews(stage, scale)
    const limits = await measureLimits(stage, scale)
    const stalls = await measureStalls(stage)
    row('memory after all that', `${number(residentBytes(stage.server.pid) / MB)} MB`)
    return [...views, ...limits, ...stalls]
  } finally {
    await stage.stop()
  }
}

async function measureMany(upstreamUrl: string, { days, requests }: LedgerScale): Promise<readonly Verdict[]> {
  const stage = await startUsageStage(upstreamUrl, { rows: 0, days })
  try {
    return await measureEndurance(stage, requests)
  } finally {
    await stage.stop()
  }
}

async function measureViews(stage: UsageStage, { calls }: LedgerScale): Promise<readonly Verdict[]> {
  heading('Views')
  row('', 'first', 'p50', 'p95')
  const verdicts: Verdict[] = []
  for (const [name, path] of await viewsOf(stage)) verdicts.push(await measureView(stage, name, path, calls))
  return verdicts
}

async function viewsOf({ operator, keyIds }: UsageStage): Promise<readonly (readonly [string, string])[]> {
  const key = `key_id=${keyIds[3] ?? ''}`
  const logged = async (query: string): Promise<string> => {
    const [request] = await operator.read<readonly { id: string }[]>(`/v1/usage/requests?limit=1&${query}`)
    return `/v1/usage/requests/${request?.id ?? ''}`
  }
  return [
    ['summary, 24 h', '/v1/usage?range=24h'],
    ['summary, 30 d', '/v1/usage?range=30d'],
    ['summary of a key, 30 d', `/v1/usage?range=30d&${key}`],
    ['models, 30 d', '/v1/usage/models?range=30d'],
    ['models of a key, 30 d', `/v1/usage/models?range=30d&${key}`],
    ['telemetry, today, Kathmandu', '/v1/usage/telemetry?range=today&tz=Asia/Kathmandu'],
    ['telemetry, 24 h', '/v1/usage/telemetry?range=24h'],
    ['telemetry, 7 d', '/v1/usage/telemetry?range=7d'],
    ['telemetry, 30 d', '/v1/usage/telemetry?range=30d'],
    ['telemetry, 30 d, Kathmandu', '/v1/usage/telemetry?range=30d&tz=Asia/Kathmandu'],
    ['insights, 7 d', '/v1/usage/insights?range=7d'],
    ['insights, 30 d', '/v1/usage/insights?range=30d'],
    ['log', '/v1/usage/requests?limit=100&range=24h'],
    ['log of a key', `/v1/usage/requests?limit=100&range=30d&${key}`],
    ['log of errors of a model', '/v1/usage/requests?limit=100&range=7d&status=error&model=openai/gpt-5'],
    ['the newest request', await logged('order=desc')],
    ['the oldest request', await logged('order=asc&range=30d')],
  ]
}

/** Before each call something has happened, so that none is answered from memory. */
async function measureView(stage: UsageStage, name: string, path: string, calls: number): Promise<Verdict> {
  const times: number[] = []
  for (let call = 0; call < calls; call++) {
    await addRequest(stage)
    const sentMs = performance.now()
    await stage.operator.read(path)
    times.push(performance.now() - sentMs)
  }
  const { p50, p95 } = distributionOf(times)
  row(name, ...[times[0] ?? Number.NaN, p50, p95].map((ms) => number(ms, ' ms')))
  return { name: `${name}, p95`, measured: p95, bound: VIEW_MS_MAX, unit: ' ms' }
}

async function addRequest({ server, keys }: UsageStage): Promise<void> {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${keys.plain}` },
    body: JSON.stringify({ model: 'demo/echo', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  if (!response.ok) throw new Error(`the gateway answered ${response.status}: ${await response.text()}`)
  await response.text()
  await Bun.sleep(LEDGER_MS)
}

/** Rounds take turns, since a shared machine has its moods. */
async function measureLimits(stage: UsageStage, { rounds, requestsMs }: LedgerScale): Promise<readonly Verdict[]> {
  const [plain, limited]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    plain.push((await loadRequests(stage, stage.keys.plain, requestsMs)).perSecond)
    limited.push((await loadRequests(stage, stage.keys.limited, requestsMs)).perSecond)
  }
  heading(`Requests a second over ${CONNECTIONS} connections`)
  row('no limits', number(median(plain)))
  row('every limit on', number(median(limited)))
  row('file after these requests', `${number(stage.fileBytes() / MB)} MB`)
  const measured = median(limited) / median(plain)
  return [
    { name: 'with every limit, of without any', measured, bound: LIMITS_SHARE_MIN, unit: ' times', atLeast: true },
  ]
}

/** Streams beside all that works with the ledger at once. The keeper begins by itself as the retention is less than what is there. */
async function measureStalls(stage: UsageStage): Promise<readonly Verdict[]> {
  const quiet = await streams(stage)
  const state = { isOver: false, exported: 0, viewed: 0 }
  const readers = [readViews(stage, state), exportAll(stage, state)]
  await stage.operator.change('/v1/settings', { logging: { retain_rows_days: PRUNED_DAYS } })
  const busy = await streams(stage)
  state.isOver = true
  await Promise.all(readers)
  heading(`${STREAMS} streams, a delta every ${DELTA_EVERY_MS} ms: from sending to arrival`)
  row('', 'p50', 'p99', 'longest')
  for (const [name, { delay, delayMax }] of [
    ['alone', quiet],
    ['beside views, exports and upkeep', busy],
  ] as const) {
    row(name, ...[delay.p50, delay.p99, delayMax].map((ms) => number(ms, ' ms')))
  }
  row('read beside them', `${state.viewed} views`, `${number(state.exported / MB)} MB`)
  return [
    { name: 'longest stall of a stream beside it all', measured: busy.delayMax, bound: STALL_MS_MAX, unit: ' ms' },
    { name: 'longest stall of a stream alone', measured: quiet.delayMax, bound: STALL_MS_MAX, unit: ' ms' },
  ]
}

interface Reading {
  isOver: boolean
  exported: number
  viewed: number
}

async function readViews(stage: UsageStage, state: Reading): Promise<void> {
  const views = await viewsOf(stage)
  for (let turn = 0; !state.isOver; turn++) {
    const [, path] = views[turn % views.length] ?? ['', '/v1/usage']
    await stage.operator.read(path)
    state.viewed++
  }
}

async function exportAll({ operator }: UsageStage, state: Reading): Promise<void> {
  while (!state.isOver) state.exported += await operator.download('/v1/usage/export?format=csv&range=24h')
}

function streams({ server, keys }: UsageStage): Promise<StreamsMeasured> {
  const messages = [{ role: 'user', content: 'Tell me a story.' }]
  const model = `${PROVIDER}/stream-${STREAM_DELTAS}-${DELTA_EVERY_MS}`
  const body = JSON.stringify({ model, max_tokens: 1_000, stream: true, messages })
  const target = targetOf(server.url, keys.plain)
  return runLoad<StreamsMeasured>({ kind: 'streams', target, body, streams: STREAMS, rounds: 1, spreadMs: 0 })
}
