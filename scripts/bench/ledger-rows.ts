/**
 * Traffic for the ledger: what a team's keys ask of some models, busier by day and quiet at night, mostly answered. The same in
 * every run. `bun scripts/bench/ledger-rows.ts <file> [rows] [days]` writes it into the telemetry of a stopped gateway.
 */
import { Database } from 'bun:sqlite'
import type { ClientDialectId, DialectId } from '../../src/catalog/dialect-id.ts'
import { DAY_MS } from '../../src/core/duration.ts'
import type { FailureKind } from '../../src/core/failure.ts'
import { newId } from '../../src/core/id.ts'
import { NO_USAGE } from '../../src/core/usage.ts'
import type { RequestStatus } from '../../src/ledger/record.ts'
import { LedgerWriter } from '../../src/ledger/writer.ts'
import { attemptClosed, attemptOpened, requestClosed, requestOpened } from '../../test/ledger/records.ts'
import { HandClock } from '../../test/support/clock.ts'
import { seededRandom } from '../../test/support/random.ts'

export interface Traffic {
  readonly rows: number
  /** The rows end at `nowMs` and began so many days before. */
  readonly days: number
  readonly nowMs: number
  readonly keyIds: readonly string[]
}

/** What some keys use, and with what. */
interface Habit {
  readonly provider: string
  readonly models: readonly string[]
  readonly dialect: ClientDialectId & DialectId
  readonly endpoint: string
  readonly client: string
  readonly team: string
  readonly accounts: readonly string[]
}

interface Outcome {
  readonly status: Exclude<RequestStatus, 'open'>
  readonly failure: FailureKind | null
  readonly http: number
}

const SEED = 8

const CLAUDE = { dialect: 'anthropic-messages', endpoint: 'messages', client: 'claude-code', team: 'core' } as const
const CHAT = { dialect: 'openai-chat', endpoint: 'chat', client: 'openai-sdk', team: 'web' } as const
const CODEX = { dialect: 'openai-responses', endpoint: 'responses', client: 'codex', team: 'data' } as const
const ANTHROPIC = { provider: 'anthropic', accounts: ['acc_claude_1', 'acc_claude_2', 'acc_claude_3'] } as const
const OPENAI = { provider: 'openai', accounts: ['acc_openai_1', 'acc_openai_2'] } as const
const HABITS: readonly Habit[] = [
  { ...ANTHROPIC, ...CLAUDE, models: ['claude-sonnet-4-5', 'claude-sonnet-4-5', 'claude-haiku-4-5'] },
  { ...ANTHROPIC, ...CLAUDE, models: ['claude-opus-4-5', 'claude-haiku-4-5'] },
  { ...OPENAI, ...CODEX, models: ['gpt-5', 'gpt-5', 'gpt-5-mini'] },
  { ...OPENAI, ...CHAT, models: ['gpt-5-mini', 'gpt-5-nano'] },
  { provider: 'deepseek', accounts: ['acc_deepseek'], ...CHAT, team: 'lab', models: ['deepseek-chat'] },
  {
    provider: 'openrouter',
    accounts: ['acc_router'],
    ...CHAT,
    team: 'lab',
    models: ['qwen/qwen3-coder', 'z-ai/glm-4.6'],
  },
]

const ANSWERED: Outcome = { status: 'ok', failure: null, http: 200 }
const FAILED: readonly Outcome[] = [
  { status: 'error', failure: 'rate_limit', http: 429 },
  { status: 'error', failure: 'overloaded', http: 529 },
  { status: 'error', failure: 'server', http: 502 },
  { status: 'cut', failure: 'cut', http: 200 },
  { status: 'cancelled', failure: 'cancelled', http: 499 },
]
const FAILED_SHARE = 0.06
/** Of requests that go through the chain, as those of some keys do. */
const CHAINED_EVERY = 4

/** Writes the rows, oldest first, in the ledger's own way. Nothing else may have the file open. */
export function writeTraffic(path: string, traffic: Traffic): void {
  const database = new Database(path)
  const ledger = openLedger(database)
  const dice = diceOf(SEED)
  for (let at = 0; at < traffic.rows; at++) writeExchange(ledger, timeOf(traffic, at), traffic.keyIds, dice)
  ledger.close()
  database.close()
}

/** It commits by the number of rows alone: nobody turns its clock. */
function openLedger(database: Database): LedgerWriter {
  const log = { write: () => undefined }
  const checkpoint = (): void => void database.run('PRAGMA wal_checkpoint(PASSIVE)')
  database.run('PRAGMA synchronous = OFF')
  return new LedgerWriter(database, { clock: new HandClock(), log, checkpoint })
}

interface Dice {
  /** From 0 up to 1. */
  roll(): number
  pick<T>(from: readonly T[]): T
  readonly id: (prefix: 'req' | 'att') => string
}

function diceOf(seed: number): Dice {
  const random = seededRandom(seed)
  const roll = (): number => {
    const [high = 0, low = 0] = random.bytes(2)
    return (high * 256 + low) / 65_536
  }
  const pick = <T>(from: readonly T[]): T => {
    const picked = from[Math.floor(roll() * from.length)]
    if (picked === undefined) throw new Error('there is nothing to pick from')
    return picked
  }
  return { roll, pick, id: (prefix) => newId(prefix, random) }
}

/** Evenly through the time, drawn towards the middle of each day. */
function timeOf({ nowMs, rows, days }: Traffic, at: number): number {
  const evenMs = (days * DAY_MS * (at + 1)) / rows
  const ofDay = (evenMs % DAY_MS) / DAY_MS
  const drawnMs = (Math.sin(2 * Math.PI * ofDay) / 8) * DAY_MS
  return Math.round(nowMs - days * DAY_MS + evenMs + drawnMs)
}

function writeExchange(ledger: LedgerWriter, atMs: number, keyIds: readonly string[], dice: Dice): void {
  const place = Math.floor(dice.roll() ** 2 * keyIds.length) // some keys are much busier than others
  const habit = HABITS[place % HABITS.length] ?? dice.pick(HABITS)
  const outcome = dice.roll() < FAILED_SHARE ? dice.pick(FAILED) : ANSWERED
  const { provider, dialect } = habit
  const [id, attemptId, model] = [dice.id('req'), dice.id('att'), dice.pick(habit.models)]
  const accountId = dice.pick(habit.accounts)
  const of = { provider, accountId, dialectOut: dialect }
  const closed = closedOf(outcome, dice)
  const step = { provider, model, accountId, outcome: outcome.failure === null ? 'ok' : 'failed' } as const
  ledger.openRequest(openedOf({ id, atMs, keyId: keyIds[place] ?? null, habit, model }, dice))
  ledger.openAttempt(attemptOpened({ id: attemptId, requestId: id, ...of, atMs, model }))
  const { status: _status, msGateway: _msGateway, saved: _saved, ...spent } = closed
  ledger.closeAttempt(attemptClosed({ id: attemptId, requestId: id, ...spent }))
  const rules = place % CHAINED_EVERY === 0 ? { rules: { chainId: 'chn_bench', stepId: null, alias: null } } : {}
  const route = [{ ...step, reason: outcome.failure }]
  ledger.closeRequest(requestClosed({ ...closed, ...of, ...rules, id, modelUsed: model, route }))
}

interface Asked {
  readonly id: string
  readonly atMs: number
  readonly keyId: string | null
  readonly habit: Habit
  readonly model: string
}

function openedOf({ id, atMs, keyId, habit, model }: Asked, dice: Dice) {
  const { provider, client, endpoint, dialect, team } = habit
  const asked = { id, atMs, keyId, client, endpoint, dialectIn: dialect, modelAsked: `${provider}/${model}` }
  return requestOpened({ ...asked, tags: { team }, planId: 'pln_bench', stream: dice.roll() < 0.8 })
}

function closedOf({ status, failure, http }: Outcome, dice: Dice) {
  const output = Math.round(40 + 2_000 * dice.roll() ** 3)
  const cacheRead = Math.round(40_000 * dice.roll() ** 2)
  const msFirstToken = Math.round(200 + 2_500 * dice.roll() ** 3)
  return {
    status,
    failure,
    http,
    usage: failure === null ? { ...NO_USAGE, inputUncached: 500, cacheRead, output } : NO_USAGE,
    costNano: failure === null ? output * 15_000 + cacheRead * 300 : 0,
    costSource: 'priced' as const,
    saved: { cacheNano: failure === null ? cacheRead * 2_700 : 0, affinityNano: 0, routingNano: 0 },
    msFirstToken,
    msTotal: msFirstToken + output * 12,
    msGateway: 0.2 + dice.roll(),
  }
}

if (import.meta.main) {
  const [path, rows = '1000000', days = '30'] = process.argv.slice(2)
  if (path === undefined) throw new Error('say which file: the telemetry.sqlite of a stopped gateway')
  const keyIds = Array.from({ length: 40 }, (_, n) => `key_bench_${n}`)
  writeTraffic(path, { rows: Number(rows), days: Number(days), nowMs: Date.now(), keyIds })
}
