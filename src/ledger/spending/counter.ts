/**
 * What one rule has counted, for all or for one key: a row of periods, each with what is spent and what requests under way have
 * reserved. A request counts in the period in which it reserved, whenever it ends, so that rows, which know that moment, and
 * counters always agree. Invariant: nothing is negative, and a period that no longer counts and holds no reservation is forgotten.
 */
import { minus, NOTHING, plus } from './amounts.ts'
import type { Amounts } from './spending.ts'
import type { Period } from './windows.ts'

/** One period of a counter. */
interface Cell {
  readonly period: Period
  readonly spent: Amounts
  readonly reserved: Amounts
}

/** What counts at a moment. */
export interface Standing {
  readonly spent: Amounts
  readonly reserved: Amounts
  readonly inFlight: number
}

/** A warning that was given. */
export interface Crossing {
  readonly threshold: number
  readonly atMs: number
  /** Where the period begins that it was given in. */
  readonly startMs: number
}

interface OpenCell extends Cell {
  spent: Amounts
  reserved: Amounts
  inFlight: number
}

export class Counter {
  /** As rows name it. */
  readonly name: string
  /** The key, where each has a counter of its own. */
  readonly keyId: string | null
  crossed: Crossing | null = null
  #cells: OpenCell[] = []
  /** For rules that let each key have one at a time. */
  readonly #underWay = new Map<string, number>()

  constructor(name: string, keyId: string | null) {
    this.name = name
    this.keyId = keyId
  }

  standing(nowMs: number): Standing {
    let [spent, reserved, inFlight] = [NOTHING, NOTHING, 0]
    for (const cell of this.#cells) {
      if (cell.period.countsUntilMs <= nowMs) continue
      spent = plus(spent, cell.spent)
      reserved = plus(reserved, cell.reserved)
      inFlight += cell.inFlight
    }
    return { spent, reserved, inFlight }
  }

  /** The oldest first. */
  counting(nowMs: number): readonly Cell[] {
    return this.#cells.filter(({ period }) => period.countsUntilMs > nowMs)
  }

  underWayOf(keyId: string): number {
    return this.#underWay.get(keyId) ?? 0
  }

  /** `keyId`: whose requests are counted while they run; null: nobody's. */
  reserve(period: Period, amounts: Amounts, keyId: string | null): void {
    this.#forget(period.startMs)
    const cell = this.#cellOf(period)
    cell.reserved = plus(cell.reserved, amounts)
    cell.inFlight++
    if (keyId !== null) this.#underWay.set(keyId, this.underWayOf(keyId) + 1)
  }

  /** The other end of `reserve`, with what it came to. */
  settle(period: Period, reserved: Amounts, spent: Amounts, keyId: string | null): void {
    const cell = this.#cellOf(period)
    cell.reserved = minus(cell.reserved, reserved)
    cell.spent = plus(cell.spent, spent)
    cell.inFlight--
    if (keyId === null) return
    const left = this.underWayOf(keyId) - 1
    if (left > 0) this.#underWay.set(keyId, left)
    else this.#underWay.delete(keyId)
  }

  /** What was spent before, or elsewhere. */
  add(period: Period, spent: Amounts): void {
    const cell = this.#cellOf(period)
    cell.spent = plus(cell.spent, spent)
  }

  #cellOf(period: Period): OpenCell {
    const known = this.#cells.find((cell) => cell.period.startMs === period.startMs)
    if (known !== undefined) return known
    const cell: OpenCell = { period, spent: NOTHING, reserved: NOTHING, inFlight: 0 }
    this.#cells = [...this.#cells, cell].sort((a, b) => a.period.startMs - b.period.startMs)
    return cell
  }

  #forget(nowMs: number): void {
    const isOver = ({ period, inFlight }: OpenCell): boolean => period.countsUntilMs <= nowMs && inFlight === 0
    if (this.#cells.some(isOver)) this.#cells = this.#cells.filter((cell) => !isOver(cell))
  }
}
