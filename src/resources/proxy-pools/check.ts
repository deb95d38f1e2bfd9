/** One check of one exit: fetch what the pool's check says, or connect to a provider that uses the pool. Never throws. */
import type { Clock } from '../../core/clock.ts'
import type { Failure } from '../../core/failure.ts'
import { asString, isObject } from '../../core/json.ts'
import { ok, type Result } from '../../core/result.ts'
import { classify } from '../../outbound/address.ts'
import { readAll, readerOf } from '../../outbound/body-reader.ts'
import type { Connecting, Connector } from '../../outbound/connector.ts'
import { onlyExit } from '../../outbound/exits/exit-pool.ts'
import type { Exit } from '../../outbound/exits/exit.ts'
import type { OutboundReply } from '../../outbound/transport.ts'
import { calledBy, type ProxyPool } from './proxy-pool.ts'

/** Where a check without an address of its own connects to. */
export type Destination = Pick<Connecting, 'url' | 'policy'>

export interface CheckDeps {
  readonly connector: Pick<Connector, 'sendBy' | 'reachBy'>
  readonly clock: Clock
  /** A provider that uses the pool; undefined when none does. */
  readonly destinationOf: (pool: ProxyPool) => Destination | undefined
}

export type CheckOutcome =
  | { readonly kind: 'passed'; readonly ms: number; readonly exitIp: string | null; readonly country: string | null }
  /** In our words, without anything of the pool's or the answer's. */
  | { readonly kind: 'failed'; readonly words: string }
  /** There was nothing to ask. */
  | { readonly kind: 'skipped'; readonly words: string }

const ANSWER_BYTES_MAX = 16 * 1024
const NOTHING_TO_ASK = 'no provider uses this pool yet; give its check an address'

export async function checkExit(pool: ProxyPool, exit: Exit, deps: CheckDeps): Promise<CheckOutcome> {
  const { url, timeoutMs } = pool.check
  const to = url === null ? deps.destinationOf(pool) : { url, policy: PUBLIC_OWNER }
  if (to === undefined) return { kind: 'skipped', words: NOTHING_TO_ASK }
  const abort = new AbortController()
  const stopTimer = deps.clock.after(timeoutMs, () => abort.abort())
  const startedMs = deps.clock.monotonicMs()
  let atExit: string | undefined
  const exits = onlyExit(calledBy(pool), exit, (report) => {
    if (report.kind === 'failed') atExit = `the exit ${report.words}`
  })
  const connecting = { ...to, signal: abort.signal, connectMs: timeoutMs }
  const found =
    url === null ? await reached(deps.connector.reachBy(exits, connecting)) : await asked(exits, connecting, deps)
  stopTimer()
  if (abort.signal.aborted && !found.ok) return { kind: 'failed', words: atExit ?? 'the exit did not answer in time' }
  if (!found.ok) return { kind: 'failed', words: atExit ?? found.error }
  return { kind: 'passed', ms: deps.clock.monotonicMs() - startedMs, ...found.value }
}

/** An owner's address, and one of the internet, since an exit is what asks for it. */
const PUBLIC_OWNER = { kind: 'owner', allowPrivateNetwork: false } as const

interface Whereabouts {
  readonly exitIp: string | null
  readonly country: string | null
}

const NOWHERE: Whereabouts = { exitIp: null, country: null }

async function reached(outcome: Promise<Result<undefined, Failure>>): Promise<Result<Whereabouts, string>> {
  const result = await outcome
  return result.ok ? ok(NOWHERE) : { ok: false, error: result.error.message }
}

async function asked(
  exits: ReturnType<typeof onlyExit>,
  connecting: Connecting,
  { connector }: CheckDeps,
): Promise<Result<Whereabouts, string>> {
  const headers = { accept: 'application/json, text/plain', 'user-agent': 'signalbox' }
  const reply = await connector.sendBy(exits, { method: 'GET', headers, ...connecting })
  return reply.ok ? await judged(reply.value) : { ok: false, error: reply.error.message }
}

async function judged(reply: OutboundReply): Promise<Result<Whereabouts, string>> {
  if (reply.status < 200 || reply.status > 299) {
    await reply.discard()
    return { ok: false, error: `the address of the check answered with status ${reply.status}` }
  }
  const body = await readAll(readerOf(reply), ANSWER_BYTES_MAX)
  return body.ok ? ok(whereabouts(new TextDecoder().decode(body.value))) : ok(NOWHERE)
}

const ADDRESS_FIELDS = ['ip', 'origin', 'query', 'ip_address'] as const
const COUNTRY_FIELDS = ['country_code', 'countryCode', 'country', 'loc'] as const

/** What services that tell a caller's address write: JSON, lines of `name=value`, or the address alone. */
export function whereabouts(text: string): Whereabouts {
  const fields = fieldsOf(text.trim())
  const exitIp = ADDRESS_FIELDS.map((name) => fields[name]).find((value) => classify(value ?? '') !== undefined)
  const country = COUNTRY_FIELDS.map((name) => fields[name]).find((value) =>
    /^\p{L}[\p{L} .'-]{1,55}$/u.test(value ?? ''),
  )
  return { exitIp: exitIp ?? null, country: country ?? null }
}

function fieldsOf(text: string): Readonly<Record<string, string | undefined>> {
  if (classify(text) !== undefined) return { ip: text }
  if (!text.startsWith('{')) {
    return Object.fromEntries(
      [...text.matchAll(/^(\w{1,20})=(.{1,80})$/gm)].map(([, name = '', value]) => [name, value]),
    )
  }
  const parsed = parsedJson(text)
  if (!isObject(parsed)) return {}
  return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, asString(value)]))
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // it says nothing then
  }
}
