/** A week of traffic for the ledger: what a team's keys ask of some models, busier by day, mostly answered. The same in every run. */
import { Database } from 'bun:sqlite'
import type { ClientDialectId, DialectId } from '../../src/catalog/dialect-id.ts'
import type { FailureKind } from '../../src/core/failure.ts'
import { newId } from '../../src/core/id.ts'
import { NO_USAGE } from '../../src/core/usage.ts'
import type { RequestStatus } from '../../src/ledger/record.ts'
import { type Changes, LedgerStatements } from '../../src/ledger/statements.ts'
import { attemptClosed, attemptOpened, requestClosed, requestOpened } from '../../test/ledger/records.ts'
import { seededRandom } from '../../test/support/random.ts'

interface Traffic {
  readonly provider: string
  readonly model: string
  readonly dialect: ClientDialectId & DialectId
  readonly endpoint: string
  readonly client: string
}

interface Outcome {
  readonly status: Exclude<RequestStatus, 'open'>
  readonly failure: FailureKind | null
  readonly http: number
}

export interface Week {
  readonly rows: number
  readonly nowMs: number
  readonly keyIds: readonly string[]
}

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
const BATCH = 1_000
const SEED = 8

const CLAUDE = { dialect: 'anthropic-messages', endpoint: 'messages', client: 'claude-code' } as const
const CHAT = { dialect: 'openai-chat', endpoint: 'chat', client: 'openai-sdk' } as const
const CODEX = { dialect: 'openai-responses', endpoint: 'responses', client: 'codex' } as const
const TRAFFIC: readonly Traffic[] = [
  { provider: 'anthropic', model: 'claude-sonnet-4-5', ...CLAUDE },
  { provider: 'anthropic', model: 'claude-haiku-4-5', ...CLAUDE },
  { provider: 'openai', model: 'gpt-5', ...CODEX },
  { provider: 'openai', model: 'gpt-5-mini', ...CHAT },
  { provider: 'deepseek', model: 'deepseek-chat', ...CHAT },
  { provider: 'openrouter', model: 'qwen/qwen3-coder', ...CHAT },
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

/** Writes the week that ends now, oldest first, in the ledger's own way. Nothing else may have the file open. */
export function writeWeek(path: string, week: Week): void {
  const database = new Database(path)
  const statements = new LedgerStatements(database)
  const dice = diceOf(SEED)
  for (let done = 0; done < week.rows; done += BATCH) statements.write(batchOf(week, done, dice))
  database.close()
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

function batchOf(week: Week, done: number, dice: Dice): Changes {
  const count = Math.min(BATCH, week.rows - done)
  const exchanges = Array.from({ length: count }, (_, at) => exchangeOf(timeOf(week, done + at), week.keyIds, dice))
  return {
    requests: new Map(exchanges.map(({ request }) => [request.opened.id, request])),
    attempts: new Map(exchanges.map(({ attempt }) => [attempt.opened.id, attempt])),
    acts: [],
  }
}

/** Evenly through the week, drawn towards the middle of each day. */
function timeOf({ nowMs, rows }: Week, at: number): number {
  const evenMs = (WEEK_MS * (at + 1)) / rows
  const ofDay = (evenMs % DAY_MS) / DAY_MS
  const drawnMs = (Math.sin(2 * Math.PI * ofDay) / 8) * DAY_MS
  return Math.round(nowMs - WEEK_MS + evenMs + drawnMs)
}

function exchangeOf(atMs: number, keyIds: readonly string[], dice: Dice) {
  const { provider, model, dialect, endpoint, client } = dice.pick(TRAFFIC)
  const outcome = dice.roll() < FAILED_SHARE ? dice.pick(FAILED) : ANSWERED
  const id = dice.id('req')
  const asked = `${provider}/${model}`
  const of = { provider, accountId: null, dialectOut: dialect }
  const closed = closedOf(outcome, dice)
  const opened = { id, atMs, keyId: dice.pick(keyIds), client, endpoint, dialectIn: dialect, modelAsked: asked }
  const step = { provider, model, accountId: null, outcome: outcome.failure === null ? 'ok' : 'failed' } as const
  const attempt = { id: dice.id('att'), requestId: id }
  const { status: _status, msGateway: _msGateway, ...spent } = closed
  return {
    request: {
      opened: requestOpened({ ...opened, stream: dice.roll() < 0.8 }),
      closed: requestClosed({ ...closed, ...of, id, modelUsed: model, route: [{ ...step, reason: outcome.failure }] }),
    },
    attempt: {
      opened: attemptOpened({ ...attempt, ...of, atMs, model }),
      closed: attemptClosed({ ...attempt, ...spent }),
    },
  }
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
    msFirstToken,
    msTotal: msFirstToken + output * 12,
    msGateway: 0.2 + dice.roll(),
  }
}
