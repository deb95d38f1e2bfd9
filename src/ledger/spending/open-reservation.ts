import type { ActiveRule } from './active-rule.ts'
import type { Counter } from './counter.ts'
import type { CounterRef } from '../record.ts'
import type { Amounts, Quote, Reservation, SpendRequest, Spender, Warning } from './spending.ts'
import type { Period } from './windows.ts'

/** Where a reservation counts. */
export interface Count {
  readonly active: ActiveRule
  readonly counter: Counter
  readonly period: Period
}

/** A reservation as the purse keeps it: rules that begin while the attempt is under way are added to it. */
export class OpenReservation implements Reservation {
  readonly spender: Spender
  readonly atMs: number
  readonly counts: Count[] = []
  readonly counters: CounterRef[] = []
  costNano: number
  inputTokens: number
  outputTokens: number
  isUnpriced: boolean
  isBlocking = false
  isStrict = false
  warnings: readonly Warning[] = []
  readonly settle: (spent: Amounts) => void
  readonly #request: SpendRequest

  constructor(request: SpendRequest, quote: Quote, atMs: number, settle: (spent: Amounts) => void) {
    this.#request = request
    this.spender = request.spender
    this.atMs = atMs
    this.settle = settle
    this.costNano = quote.costNano ?? 0
    this.inputTokens = quote.inputTokens
    this.outputTokens = quote.outputTokens
    this.isUnpriced = quote.isUnpriced
  }

  get amounts(): Amounts {
    return { costNano: this.costNano, tokens: this.inputTokens + this.outputTokens, requests: 1 }
  }

  /** A rule begins to count what nothing has been set aside for so far. */
  price(): void {
    if (this.counts.length > 0) return
    const quote = this.#request.quote('expected')
    this.costNano = quote.costNano ?? 0
    this.inputTokens = quote.inputTokens
    this.outputTokens = quote.outputTokens
    this.isUnpriced = quote.isUnpriced
  }
}
