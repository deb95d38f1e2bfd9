import type { Database } from 'bun:sqlite'
import { getTableName } from 'drizzle-orm'
import { err, ok, type Result } from '../../core/result.ts'
import type { NamedQuery, Row } from '../../db/query-book.ts'
import type { Reader } from '../../db/reader.ts'
import type { Crossing } from './counter.ts'
import type { AttemptReservation, CounterRef } from '../record.ts'
import type { KnownRule, PastSpending, SpendRecords, StoredCell } from './spend-records.ts'
import { CLOCK, COUNTERS, RULES, SpendStatements } from './spend-statements.ts'
import type { SpendRule, SpendSource } from './spending.ts'
import { requests } from '../table.ts'
import { ROLLING_BUCKETS } from './windows.ts'

/** An attempt begins so much later than its request at most: the longest that a request may wait and be tried. */
const ATTEMPT_AFTER_MS_MAX = 3_600_000

export const spendQueries = {
  spendBefore: {
    sql: `SELECT r.key_id, r.plan_id, r.tags, r.model_asked, a.provider, a.model, a.account_id, a.via,
        a.cost_source = 'unknown' AS is_unpriced, min(a.at_ms) AS at_ms, sum(a.cost_nano) AS cost_nano,
        sum(a.input_uncached + a.cache_read + a.cache_write_5m + a.cache_write_1h + a.output) AS tokens,
        sum(a.state <> 'released') AS requests
      FROM requests r JOIN attempts a ON a.request_seq = r.seq
      WHERE r.at_ms >= $since_ms - ${ATTEMPT_AFTER_MS_MAX} AND a.at_ms >= $since_ms
        AND a.state NOT IN ('reserved', 'sent') AND coalesce(instr(a.counters, $name), 0) = 0 {filters}
      GROUP BY r.key_id, r.plan_id, r.tags, r.model_asked, a.provider, a.model, a.account_id, a.via, is_unpriced,
        a.at_ms / $bucket_ms`,
    filters: {
      key: 'r.key_id = $key',
      plan: 'r.plan_id = $plan',
      account: 'a.account_id = $account',
      provider: 'a.provider = $provider',
    },
  },
} as const satisfies Readonly<Record<string, NamedQuery>>

/** The writer, as far as spending goes. */
interface Writer {
  /** Done within the next transaction, with what else is in it. */
  alongside(act: () => void): void
  recount(reservations: ReadonlySet<AttemptReservation>): void
  /** False when the disk refuses. */
  flush(): boolean
}

interface Deps {
  readonly database: Database
  readonly writer: Writer
  readonly reader: Pick<Reader<keyof typeof spendQueries>, 'query'>
}

/** Over the connection that writes the ledger, after `recover`. */
export class SpendLog implements SpendRecords {
  readonly #writer: Writer
  readonly #reader: Deps['reader']
  readonly #statements: SpendStatements
  readonly #rules: Map<string, KnownRule>
  /** By the name of the rule that they count for. */
  readonly #cells: ReadonlyMap<string, readonly StoredCell[]>
  /** The highest wall clock of earlier processes; 0: there was none. */
  readonly highestMs: number

  constructor({ database, writer, reader }: Deps) {
    this.#writer = writer
    this.#reader = reader
    this.#statements = new SpendStatements(database)
    this.highestMs = database.query<{ ms: number | null }, []>(HIGHEST).get()?.ms ?? 0
    this.#rules = readRules(database)
    const cells = database.query<CellRow, [number]>(CELLS).all(this.highestMs).map(cellOf)
    this.#cells = Map.groupBy(cells, ({ ref: [name] }) => ruleIn(name))
  }

  knownRules(): ReadonlyMap<string, KnownRule> {
    return this.#rules
  }

  cellsOf(name: string): readonly StoredCell[] {
    return this.#cells.get(name) ?? []
  }

  begin(ruleId: string, rule: KnownRule): void {
    this.#rules.set(ruleId, rule)
    this.#writer.alongside(() => this.#statements.begin(ruleId, rule))
  }

  forget(ruleId: string): void {
    this.#rules.delete(ruleId)
    this.#writer.alongside(() => this.#statements.forget(ruleId))
  }

  recount(reservations: ReadonlySet<AttemptReservation>): void {
    this.#writer.recount(reservations)
  }

  crossed(ref: CounterRef, crossing: Crossing): void {
    this.#writer.alongside(() => this.#statements.crossed(ref, crossing))
  }

  filled(ruleId: string, cells: readonly StoredCell[]): void {
    const known = this.#rules.get(ruleId)
    if (known === undefined) return
    this.#rules.set(ruleId, { ...known, isFilled: true })
    this.#writer.alongside(() => this.#statements.filled(ruleId, known.name, cells))
  }

  /** What the wall clock has reached, and with it the end of what no longer counts. */
  tick(highestMs: number): void {
    this.#writer.alongside(() => {
      this.#statements.tick(highestMs)
      this.#statements.prune(highestMs)
    })
  }

  /** All that was said before is on disk before the past is asked for: what does not name the rule then never will. */
  async before(rule: SpendRule, name: string, sinceMs: number): Promise<Result<readonly PastSpending[], string>> {
    if (!this.#writer.flush()) return err('the ledger cannot be written')
    const { window, scope } = rule
    const bucketMs = window.kind === 'rolling' ? Math.ceil(window.ms / ROLLING_BUCKETS) : Number.MAX_SAFE_INTEGER
    const only = 'id' in scope && scope.kind !== 'chain' ? { [scope.kind]: scope.id } : {}
    const params = { since_ms: sinceMs, name, bucket_ms: bucketMs, ...only }
    const rows = await this.#reader.query('spendBefore', params)
    return rows.ok ? ok(rows.value.map(pastOf)) : err(rows.error.message)
  }
}

/** Rows know it, too, and later than the clock's own row: that is written now and then. */
const HIGHEST = `SELECT max(
  coalesce((SELECT max(highest_ms) FROM ${CLOCK}), 0),
  coalesce((SELECT max(start_ms) FROM ${COUNTERS}), 0),
  coalesce((SELECT max(at_ms) FROM ${getTableName(requests)}), 0)) AS ms`
const CELLS = `SELECT name, start_ms, counts_until_ms, cost_nano, tokens, requests, crossed, crossed_at_ms
  FROM ${COUNTERS} WHERE counts_until_ms > ?`

/** A counter's name is that of its rule, and behind a dot the key whose it is, where each has its own. */
function ruleIn(name: string): string {
  const at = name.indexOf('.')
  return at < 0 ? name : name.slice(0, at)
}

interface CellRow {
  readonly name: string
  readonly start_ms: number
  readonly counts_until_ms: number
  readonly cost_nano: number
  readonly tokens: number
  readonly requests: number
  readonly crossed: number | null
  readonly crossed_at_ms: number | null
}

function cellOf(row: CellRow): StoredCell {
  const { name, start_ms: startMs, counts_until_ms: countsUntilMs, crossed: threshold, crossed_at_ms: atMs } = row
  return {
    ref: [name, startMs, countsUntilMs],
    spent: { costNano: row.cost_nano, tokens: row.tokens, requests: row.requests },
    crossed: threshold === null || atMs === null ? null : { threshold, atMs, startMs },
  }
}

interface RuleRow {
  readonly rule_id: string
  readonly source: SpendSource
  readonly shape: string
  readonly name: string
  readonly filled: number
}

function readRules(database: Database): Map<string, KnownRule> {
  const rows = database.query<RuleRow, []>(`SELECT rule_id, source, shape, name, filled FROM ${RULES}`).all()
  return new Map(
    rows.map(({ rule_id: id, source, shape, name, filled }) => [id, { source, shape, name, isFilled: filled === 1 }]),
  )
}

/** Rules' ids say what they are; of a request's row only the name that was asked for is known besides them. */
const CHAIN = /^chn_/

function pastOf(row: Row): PastSpending {
  const via: readonly { readonly rule: string }[] = JSON.parse(textOf(row['via']) ?? '[]')
  return {
    spender: {
      keyId: textOf(row['key_id']),
      planId: textOf(row['plan_id']),
      tags: JSON.parse(textOf(row['tags']) ?? '{}'),
      provider: textOf(row['provider']) ?? '',
      model: textOf(row['model']) ?? '',
      names: [textOf(row['model_asked']) ?? ''],
      accountId: textOf(row['account_id']),
      chainIds: via.flatMap(({ rule }) => (CHAIN.test(rule) ? rule : [])),
    },
    isUnpriced: row['is_unpriced'] === 1,
    atMs: Number(row['at_ms']),
    spent: { costNano: Number(row['cost_nano']), tokens: Number(row['tokens']), requests: Number(row['requests']) },
  }
}

function textOf(value: Row[string] | undefined): string | null {
  return typeof value === 'string' ? value : null
}
