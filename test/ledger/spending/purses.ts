/** A purse over the real ledger in memory, as the program puts them together, and the words to speak to it. */
import type { Database } from 'bun:sqlite'
import { LocalReader } from '../../../src/db/reader.ts'
import { NO_USAGE } from '../../../src/core/usage.ts'
import { Purse } from '../../../src/ledger/spending/purse.ts'
import { SpendLog, spendQueries } from '../../../src/ledger/spending/spend-log.ts'
import { spentBy } from '../../../src/ledger/spending/spend-statements.ts'
import type {
  Amounts,
  Quote,
  Reservation,
  SpendRequest,
  SpendRule,
  Spender,
} from '../../../src/ledger/spending/spending.ts'
import { WallClock } from '../../../src/ledger/spending/wall-clock.ts'
import { LedgerWriter } from '../../../src/ledger/writer.ts'
import type { HandClock } from '../../support/clock.ts'
import { seededRandom } from '../../support/random.ts'
import { attemptClosed, attemptOpened, requestClosed, requestOpened } from '../records.ts'

export const DAY: SpendRule['window'] = { kind: 'calendar', unit: 'day', timezone: 'UTC', anchorDay: 1 }

export function ruleOf(more: Partial<SpendRule> = {}): SpendRule {
  return {
    id: 'bud_1',
    name: 'budget "Team"',
    scope: { kind: 'global' },
    each: false,
    limit: { costNano: 1_000, tokens: null, requests: null },
    window: DAY,
    thresholds: [0.5, 0.8, 1],
    action: 'block',
    downgradeTo: null,
    includeEstimates: true,
    reserve: 'expected',
    extra: null,
    ...more,
  }
}

export function spenderOf(more: Partial<Spender> = {}): Spender {
  return {
    keyId: 'key_1',
    planId: null,
    tags: {},
    provider: 'openai',
    model: 'gpt-x',
    names: [],
    accountId: 'acc_1',
    chainIds: [],
    ...more,
  }
}

export function wishOf(costNano: number | null, more: Partial<Spender> = {}, quote: Partial<Quote> = {}): SpendRequest {
  return {
    spender: spenderOf(more),
    waives: null,
    isMeasured: false,
    quote: () => ({ costNano, isUnpriced: costNano === null, inputTokens: 10, outputTokens: 20, ...quote }),
  }
}

/** One run of the program on a database. */
export class Till {
  readonly log: string[] = []
  readonly freed: string[] = []
  readonly writer: LedgerWriter
  readonly spendLog: SpendLog
  readonly wall: WallClock
  readonly purse: Purse
  readonly clock: HandClock
  readonly #prefix: string
  #attempts = 0

  constructor(database: Database, clock: HandClock, prefix = 'a') {
    this.clock = clock
    const log = { write: (...line: readonly unknown[]) => void this.log.push(JSON.stringify(line)) }
    this.#prefix = prefix
    this.writer = new LedgerWriter(database, { clock, log, checkpoint: () => undefined })
    const reader = new LocalReader(database, spendQueries)
    this.spendLog = new SpendLog({ database, writer: this.writer, reader })
    this.wall = new WallClock({ clock, log }, this.spendLog.highestMs)
    const freed = (ruleId: string): void => void this.freed.push(ruleId)
    this.purse = new Purse({
      clock,
      random: seededRandom(seedOf(prefix)),
      log,
      wall: this.wall,
      records: this.spendLog,
      freed,
    })
  }

  /** Reserves and writes the attempt down; undefined when a rule refuses. */
  async begin(wish: SpendRequest): Promise<Begun | undefined> {
    const reserved = await this.purse.reserve(wish)
    if (!reserved.ok) return undefined
    const id = `${this.#prefix}${++this.#attempts}`
    const { keyId, planId, tags, provider, model, accountId } = wish.spender
    const { atMs } = reserved.value
    this.writer.openRequest(requestOpened({ id: `req_${id}`, atMs, keyId, planId, tags }))
    const target = { provider, model, accountId, atMs }
    const state = reserved.value.isBlocking ? 'reserved' : 'sent'
    this.writer.openAttempt(
      attemptOpened({ id, requestId: `req_${id}`, state, ...target, reservation: reserved.value }),
    )
    return { id, reservation: reserved.value }
  }

  settle({ id, reservation }: Begun, costNano: number, more: Parameters<typeof attemptClosed>[0] = {}): Amounts {
    const usage = { ...NO_USAGE, inputUncached: 8, output: 12 }
    const closed = attemptClosed({ id, requestId: `req_${id}`, usage, costNano, ...more })
    const spent = spentBy(closed)
    reservation.settle(spent)
    this.writer.closeAttempt(closed)
    this.writer.closeRequest(requestClosed({ id: `req_${id}`, costNano }))
    return spent
  }

  release(begun: Begun): void {
    this.settle(begun, 0, { usage: NO_USAGE, state: 'released' })
  }

  statusOf(ruleId = 'bud_1', keyId: string | null = null) {
    return this.purse.statusOf(ruleId).find((status) => status.keyId === keyId)
  }
}

/** Each run draws others. */
function seedOf(prefix: string): number {
  return [...prefix].reduce((sum, character) => sum * 31 + character.charCodeAt(0), 7)
}

export interface Begun {
  readonly id: string
  readonly reservation: Reservation
}
