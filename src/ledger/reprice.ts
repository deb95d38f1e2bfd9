/**
 * Prices finished requests anew, in small steps between which everything else goes on: their attempts, the requests themselves,
 * the sums over them and what their keys have used in all. Invariants: only costs change, never tokens or states; what was charged
 * without an answer to price (released, interrupted) stays; doing it twice changes nothing more.
 */
import type { Database, Statement } from 'bun:sqlite'
import type { Payer } from '../catalog/price.ts'
import { matchesPattern } from '../core/model-pattern.ts'
import type { NanoUsd } from '../core/money.ts'
import type { Usage } from '../core/usage.ts'
import type { Row } from '../db/query-book.ts'
import { type Cost, leastCertain } from './cost.ts'
import type { CostSource } from './record.ts'
import { Rollups } from './rollup/rollup.ts'
import { usageFrom } from './row.ts'

/** Requests from a moment on and before another, and of their attempts those at a provider, with a model. */
export interface RepriceQuery {
  readonly fromMs: number
  readonly toMs: number
  readonly provider?: string | undefined
  /** As the provider names it, or a pattern for `<provider>/<model>`. */
  readonly model?: string | undefined
}

export interface Repriced {
  /** Attempts that were looked at; after that, those of them whose cost or source is another. */
  readonly rows: number
  readonly changed: number
  readonly beforeNano: NanoUsd
  readonly afterNano: NanoUsd
}

/** An attempt as it is written down. */
export interface PastAttempt {
  readonly provider: string
  readonly model: string
  readonly payer: Payer
  readonly usage: Usage
  /** When its request came in. */
  readonly atMs: number
}

interface Deps {
  readonly ledger: {
    /** Done within the next transaction, again when that fails. */
    alongside(act: () => void): void
    /** Costs in so many finished rows have been changed. */
    rewritten(rows: number): void
  }
  /** Undefined: it cannot be priced, and stays as it is. */
  readonly costOf: (attempt: PastAttempt) => Cost | undefined
  /** Lets everything else go first. */
  readonly nextTurn: () => Promise<void>
}

/** Of one step: three milliseconds where all of them change. */
const REQUESTS_PER_STEP = 50

interface Place {
  readonly atMs: number
  readonly id: string
}

interface Changed {
  readonly requestSeq: number
  readonly position: number
  readonly cost: Cost
}

const NOTHING: Repriced = { rows: 0, changed: 0, beforeNano: 0, afterNano: 0 }

/** Over the single connection that writes the ledger. */
export class Repricer {
  readonly #deps: Deps
  readonly #rollups: Rollups
  readonly #next: Statement<Row, [number, string, number, number]>
  readonly #attempts: Statement<Row, [string]>
  readonly #setAttempt: Statement<unknown, [number, string, number, number]>
  readonly #setRequest: Statement<unknown, [number, string, number]>
  readonly #addTotal: Statement<unknown, [number, string]>

  constructor(database: Database, deps: Deps) {
    this.#deps = deps
    this.#rollups = new Rollups(database)
    this.#next = database.prepare(NEXT)
    this.#attempts = database.prepare(ATTEMPTS)
    this.#setAttempt = database.prepare(SET_ATTEMPT)
    this.#setRequest = database.prepare(SET_REQUEST)
    this.#addTotal = database.prepare(ADD_TOTAL)
  }

  /** `dryRun`: says what it would come to. Requests that are under way are left out. */
  async reprice(query: RepriceQuery, dryRun: boolean): Promise<Repriced> {
    let [total, after]: [Repriced, Place | undefined] = [NOTHING, { atMs: query.fromMs, id: '' }]
    while (after !== undefined) {
      const from: Place = after
      const step = dryRun ? this.#step(query, from, true) : await this.#written(query, from)
      total = sumOf(total, step.repriced)
      after = step.last
      await this.#deps.nextTurn()
    }
    if (total.changed > 0 && !dryRun) this.#deps.ledger.rewritten(total.changed)
    return total
  }

  #written(query: RepriceQuery, after: Place): Promise<{ repriced: Repriced; last: Place | undefined }> {
    return new Promise((resolve) => {
      this.#deps.ledger.alongside(() => resolve(this.#step(query, after, false)))
    })
  }

  #step(
    query: RepriceQuery,
    after: Place,
    dryRun: boolean,
  ): { readonly repriced: Repriced; readonly last: Place | undefined } {
    const requests = this.#next.all(after.atMs, after.id, query.toMs, REQUESTS_PER_STEP)
    const attempts = this.#attempts.all(JSON.stringify(requests.map(({ seq }) => seq)))
    const { changed, repriced } = this.#judge(query, requests, attempts)
    if (!dryRun && changed.length > 0) this.#write(requests, attempts, changed)
    const end = requests.at(-1)
    const isWhole = requests.length === REQUESTS_PER_STEP && end !== undefined
    return { repriced, last: isWhole ? { atMs: Number(end['at_ms']), id: String(end['id']) } : undefined }
  }

  #judge(query: RepriceQuery, requests: readonly Row[], attempts: readonly Row[]) {
    const bySeq = new Map(requests.map((request) => [Number(request['seq']), request]))
    const changed: Changed[] = []
    let repriced = NOTHING
    for (const attempt of attempts) {
      const request = bySeq.get(Number(attempt['request_seq']))
      if (request === undefined || !isMeant(attempt, query)) continue
      const cost = this.#deps.costOf(pastAttempt(attempt, request))
      if (cost === undefined) continue
      const before = costIn(attempt)
      const isOther = cost.costNano !== before.costNano || cost.costSource !== before.costSource
      if (isOther) changed.push({ ...placeOf(attempt), cost })
      const one = { rows: 1, changed: Number(isOther), beforeNano: before.costNano, afterNano: cost.costNano }
      repriced = sumOf(repriced, one)
    }
    return { changed, repriced }
  }

  /** All rows of a step at once, and the sums with them. */
  #write(requests: readonly Row[], attempts: readonly Row[], changed: readonly Changed[]): void {
    const costs = new Map(changed.map((one) => [`${one.requestSeq} ${one.position}`, one.cost]))
    const seqs = new Set(changed.map(({ requestSeq }) => requestSeq))
    const touched = requests.filter(({ seq }) => seqs.has(Number(seq)))
    const counted = touched.filter((request) => request['counted'] === 1).map(({ seq }) => Number(seq))
    this.#rollups.recount(counted, () => {
      for (const { requestSeq, position, cost } of changed)
        this.#setAttempt.run(cost.costNano, cost.costSource, requestSeq, position)
      for (const request of touched) this.#writeRequest(request, attempts, costs)
    })
  }

  #writeRequest(request: Row, attempts: readonly Row[], costs: ReadonlyMap<string, Cost>): void {
    const mine = attempts.filter((attempt) => attempt['request_seq'] === request['seq'])
    const all = mine.map((attempt) => costs.get(`${attempt['request_seq']} ${attempt['position']}`) ?? costIn(attempt))
    const costNano = all.reduce((sum, cost) => sum + cost.costNano, 0)
    const source = all.map(({ costSource }) => costSource).reduce(leastCertain, 'free')
    this.#setRequest.run(costNano, source, Number(request['seq']))
    const keyId = request['key_id']
    if (typeof keyId === 'string') this.#addTotal.run(costNano - Number(request['cost_nano']), keyId)
  }
}

const NEXT = `SELECT seq, id, at_ms, key_id, plan_id, cost_nano, counted FROM requests
  WHERE (at_ms, id) > (?, ?) AND at_ms < ? AND status <> 'open' ORDER BY at_ms, id LIMIT ?`
const ATTEMPTS = 'SELECT * FROM attempts WHERE request_seq IN (SELECT value FROM json_each(?))'
const SET_ATTEMPT = 'UPDATE attempts SET cost_nano = ?, cost_source = ? WHERE request_seq = ? AND position = ?'
const SET_REQUEST = 'UPDATE requests SET cost_nano = ?, cost_source = ? WHERE seq = ?'
const ADD_TOTAL = 'UPDATE key_totals SET cost_nano = cost_nano + ? WHERE key_id = ?'

/** What was charged by its usage, at the provider and with the model that are asked for. */
function isMeant(attempt: Row, { provider, model }: RepriceQuery): boolean {
  const isPriced = attempt['state'] === 'settled' || attempt['state'] === 'estimated'
  return (
    isPriced &&
    (provider === undefined || attempt['provider'] === provider) &&
    (model === undefined || isModel(attempt, model))
  )
}

function isModel({ provider, model }: Row, meant: string): boolean {
  return model === meant || matchesPattern(meant, `${provider}/${model}`)
}

function placeOf(attempt: Row): Pick<Changed, 'requestSeq' | 'position'> {
  return { requestSeq: Number(attempt['request_seq']), position: Number(attempt['position']) }
}

function costIn(row: Row): Cost {
  return { costNano: Number(row['cost_nano']), costSource: String(row['cost_source'] ?? 'free') as CostSource } // as written
}

function pastAttempt(attempt: Row, request: Row): PastAttempt {
  return {
    provider: String(attempt['provider']),
    model: String(attempt['model']),
    payer: {
      keyId: textOf(request['key_id']),
      planId: textOf(request['plan_id']),
      accountId: textOf(attempt['account_id']),
    },
    usage: usageFrom(attempt),
    atMs: Number(request['at_ms']),
  }
}

function textOf(value: Row[string] | undefined): string | null {
  return typeof value === 'string' ? value : null
}

function sumOf(a: Repriced, b: Repriced): Repriced {
  return {
    rows: a.rows + b.rows,
    changed: a.changed + b.changed,
    beforeNano: a.beforeNano + b.beforeNano,
    afterNano: a.afterNano + b.afterNano,
  }
}
