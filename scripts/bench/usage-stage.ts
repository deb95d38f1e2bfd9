/** A gateway with a long history: an owner, keys with and without limits, an account at the upstream, and the requests of a month. */
import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS } from '../../src/core/duration.ts'
import { type GatewayProcess, startGateway } from '../../test/support/gateway-process.ts'
import { Operator } from '../../test/support/operator.ts'
import { Keeping } from '../../src/ledger/keeping/keep.ts'
import { CREDENTIALS, PROVIDER } from './gateway.ts'
import { writeTraffic } from './ledger-rows.ts'
import { FILLER, type RequestsMeasured, type Target } from './load.ts'
import { runLoad } from './processes.ts'

export interface LedgerScale {
  readonly rows: number
  readonly days: number
  /** How often each view is asked. */
  readonly calls: number
  /** Of each round with limits and without. */
  readonly requestsMs: number
  readonly rounds: number
  /** Sent through a gateway whose ledger is empty. */
  readonly requests: number
}

export const FULL_LEDGER: LedgerScale = {
  rows: 1_000_000,
  days: 30,
  calls: 40,
  requestsMs: 4_000,
  rounds: 3,
  requests: 1_000_000,
}
export const QUICK_LEDGER: LedgerScale = {
  rows: 100_000,
  days: 30,
  calls: 20,
  requestsMs: 1_500,
  rounds: 2,
  requests: 100_000,
}

export interface UsageStage {
  readonly server: GatewayProcess
  readonly operator: Operator
  /** Of a key without limits, and of one whose plan has all of them, none of which is reached. */
  readonly keys: { readonly plain: string; readonly limited: string }
  readonly keyIds: readonly string[]
  /** What writing the history took, for each request. */
  readonly writeMicros: number
  readonly fileBytes: () => number
  stop(): Promise<void>
}

export const CONNECTIONS = 64

const MAIN = join(import.meta.dir, '..', '..', 'src', 'main.ts')
const KEYS = 40
const FAR = 1_000_000_000
/** So high that nothing is refused: what is measured is the counting. */
const LIMITS = {
  rpm: FAR,
  rpd: FAR,
  tpm: FAR,
  tpd: FAR,
  max_concurrency: 10_000,
  budget_usd: 1_000_000,
  models_allow: [`${PROVIDER}/*`],
  endpoints_allow: ['chat'],
}

export async function startUsageStage(
  upstreamUrl: string,
  { rows, days }: Pick<LedgerScale, 'rows' | 'days'>,
): Promise<UsageStage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-bench-usage-'))
  const { operator, keys, keyIds } = await prepare(dataDir, upstreamUrl)
  const path = join(dataDir, 'telemetry.sqlite')
  const startedMs = performance.now()
  writeTraffic(path, { rows, days, nowMs: Date.now(), keyIds })
  const writeMicros = ((performance.now() - startedMs) * 1_000) / rows
  keep(path)
  const server = await start(dataDir)
  return {
    server,
    operator: operator.movedTo(server.url),
    keys,
    keyIds,
    writeMicros,
    fileBytes: () => statSync(path).size,
    async stop() {
      await end(server)
      rmSync(dataDir, { recursive: true })
    },
  }
}

/** Chat Completions of a gateway. */
export function targetOf(url: string, secret: string): Target {
  const { hostname, port } = new URL(url)
  const headers = { authorization: `Bearer ${secret}` }
  return { host: hostname, port: Number(port), path: '/v1/chat/completions', headers }
}

/** Short ones, over `CONNECTIONS` connections. Throws when one fails. */
export async function loadRequests(
  { server }: UsageStage,
  secret: string,
  durationMs: number,
): Promise<RequestsMeasured> {
  const messages = [{ role: 'user', content: FILLER }]
  const body = JSON.stringify({ model: `${PROVIDER}/plain`, max_tokens: 100, messages })
  const of = { target: targetOf(server.url, secret), body, bodyBytes: 200, connections: CONNECTIONS }
  const measured = await runLoad<RequestsMeasured>({ kind: 'requests', ...of, durationMs })
  if (measured.errors > 0) throw new Error(`${measured.errors} requests failed`)
  return measured
}

async function prepare(dataDir: string, upstreamUrl: string) {
  const server = await start(dataDir)
  const operator = await Operator.setUp(server.url, server.setupToken ?? '')
  const account = { name: 'bench', base_url_override: `${upstreamUrl}/v1`, allow_private_network: true }
  await operator.create('/v1/accounts', { provider: PROVIDER, credentials: CREDENTIALS, ...account })
  // Nobody knows what the upstream's models cost, and what has no price passes no budget.
  await operator.change('/v1/settings', { pricing: { unknown_price_usd: { input: 1, output: 2 } } })
  const plan = await operator.create('/v1/plans', { name: 'all limits', ...LIMITS })
  const plain = await operator.create('/v1/keys', { name: 'plain' })
  const limited = await operator.create('/v1/keys', { name: 'limited', plan_id: plan.id })
  const others = await Promise.all(
    Array.from({ length: KEYS }, (_, n) => operator.create('/v1/keys', { name: `key ${n}` })),
  )
  await end(server)
  return { operator, keys: { plain: plain.secret, limited: limited.secret }, keyIds: others.map(({ id }) => id) }
}

/** What a gateway that has been there for the month has done long ago: quarters are in their days. */
function keep(path: string): void {
  const database = new Database(path)
  const keeping = new Keeping(database)
  const forever = { rowsMs: 3_650 * DAY_MS, daysMs: 3_650 * DAY_MS, bytesMax: Infinity }
  while (keeping.next(forever, Date.now()) !== undefined);
  database.close()
}

function start(dataDir: string): Promise<GatewayProcess> {
  return startGateway({ executable: [process.execPath, MAIN], dataDir, args: ['--log-level', 'warn'] })
}

async function end(server: GatewayProcess): Promise<void> {
  server.signal('SIGTERM')
  await server.exited
}
