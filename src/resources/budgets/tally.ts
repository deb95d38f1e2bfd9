/** What a simulation counts. */
import type { LoggedRequest } from '../usage/usage.ts'
import type { Verdict } from './replay.ts'

export interface RuleTally {
  readonly rule: string
  readonly block: number
  readonly downgrade: number
  readonly firstAtMs: number
}

export interface Example extends Verdict {
  readonly requestId: string
  readonly atMs: number
}

const EXAMPLES_MAX = 20

export class Tally {
  readonly examples: Example[] = []
  requests = 0
  costUnknown = 0
  readonly #byRule = new Map<string, RuleTally>()

  add(row: LoggedRequest, verdict: Verdict | null): void {
    this.requests++
    if (row.costSource === 'unknown') this.costUnknown++
    if (verdict === null) return
    const { rule, outcome } = verdict
    const before = this.#byRule.get(rule) ?? { rule, block: 0, downgrade: 0, firstAtMs: row.atMs }
    this.#byRule.set(rule, { ...before, [outcome]: before[outcome] + 1 })
    if (this.examples.length < EXAMPLES_MAX) this.examples.push({ ...verdict, requestId: row.id, atMs: row.atMs })
  }

  /** What refuses most comes first. */
  get byRule(): readonly RuleTally[] {
    return [...this.#byRule.values()].toSorted((a, b) => b.block + b.downgrade - (a.block + a.downgrade))
  }

  countOf(outcome: Verdict['outcome']): number {
    return this.byRule.reduce((sum, tally) => sum + tally[outcome], 0)
  }
}
