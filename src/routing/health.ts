/**
 * How providers are doing, counted in fixed memory: answers and failures of the last minutes in slots of a ring, and the times to the
 * first content of the last answers. Times are monotonic, in milliseconds.
 */
import type { CircuitState } from './breaker.ts'

/** Five minutes in slots of ten seconds. */
const SLOT_MS = 10_000
const SLOTS = 30
/** Times to the first content that are kept. */
const TIMES_MAX = 64

export type HealthStatus = 'ok' | 'degraded' | 'down' | 'unknown'

export interface Health {
  readonly status: HealthStatus
  /** Of the calls of the last five minutes, 0 to 1; null without any. */
  readonly errorRate: number | null
  /** Of the last answers; null without any. */
  readonly p50FirstTokenMs: number | null
  readonly circuit: CircuitState
  /** Wall time; null when it has not answered since the process began. */
  readonly lastOkAtMs: number | null
}

/** From which share of failures on a provider counts as degraded, or as down. */
const DEGRADED_FROM = 0.1
const DOWN_FROM = 0.5

export class HealthRecord {
  readonly #answered = new Uint32Array(SLOTS)
  readonly #failed = new Uint32Array(SLOTS)
  /** Which span since the clock's start a slot is about; counted from 1, so that 0 is none. */
  readonly #spans = new Float64Array(SLOTS)
  readonly #times = new Float64Array(TIMES_MAX)
  #timesSeen = 0
  #lastOkAtMs: number | null = null

  answered(firstTokenMs: number, nowMs: number, wallMs: number): void {
    this.#count(this.#answered, nowMs)
    this.#times[this.#timesSeen++ % TIMES_MAX] = firstTokenMs
    this.#lastOkAtMs = wallMs
  }

  failed(nowMs: number): void {
    this.#count(this.#failed, nowMs)
  }

  at(nowMs: number, circuit: CircuitState): Health {
    const answered = this.#sum(this.#answered, nowMs)
    const failed = this.#sum(this.#failed, nowMs)
    const calls = answered + failed
    const errorRate = calls === 0 ? null : failed / calls
    return {
      status: statusOf(errorRate, circuit, this.#lastOkAtMs),
      errorRate,
      p50FirstTokenMs: this.#median(),
      circuit,
      lastOkAtMs: this.#lastOkAtMs,
    }
  }

  #count(slots: Uint32Array, nowMs: number): void {
    const span = spanOf(nowMs)
    const slot = span % SLOTS
    if (this.#spans[slot] !== span) {
      this.#spans[slot] = span
      this.#answered[slot] = 0
      this.#failed[slot] = 0
    }
    slots[slot] = (slots[slot] ?? 0) + 1
  }

  #sum(slots: Uint32Array, nowMs: number): number {
    const oldest = spanOf(nowMs) - SLOTS
    return slots.reduce((sum, count, slot) => sum + ((this.#spans[slot] ?? 0) > oldest ? count : 0), 0)
  }

  #median(): number | null {
    const kept = Math.min(this.#timesSeen, TIMES_MAX)
    return kept === 0 ? null : (this.#times.slice(0, kept).sort()[Math.floor((kept - 1) / 2)] ?? null)
  }
}

function statusOf(errorRate: number | null, circuit: CircuitState, lastOkAtMs: number | null): HealthStatus {
  if (circuit === 'open') return 'down'
  if (errorRate === null) return lastOkAtMs === null ? 'unknown' : 'ok'
  if (errorRate >= DOWN_FROM) return 'down'
  return errorRate >= DEGRADED_FROM || circuit === 'half_open' ? 'degraded' : 'ok'
}

function spanOf(nowMs: number): number {
  return Math.floor(nowMs / SLOT_MS) + SLOTS + 1
}
