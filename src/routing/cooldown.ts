/**
 * How long a limited target rests, as pure steps: as long as the provider says, else longer with each limit in a row. A long rest
 * is not slept through: one request may try well before its end. Invariant: nothing rests past the moment that its provider named.
 * Times are wall time in milliseconds; one that lies further ahead than any rest may last was left by a clock that ran ahead and no
 * longer holds.
 */
import { DAY_MS, MINUTE_MS } from '../core/duration.ts'

export interface CooldownRules {
  /** After a first limit without a named time. */
  readonly baseMs: number
  /** By which each further limit in a row lengthens it. */
  readonly factor: number
  /** Rests that last longer are long ones. */
  readonly maxMs: number
  /** The longest rest in which nobody asks again. */
  readonly capMs: number
  /** Whether one request may try a long rest before its end. */
  readonly reprobe: boolean
}

export interface Rest {
  readonly untilMs: number
  /** From when on one request may try; null: not before the end. */
  readonly probeAtMs: number | null
  /** How often in a row it was limited before. */
  readonly level: number
}

/** Longer than a month: no provider means a later moment. */
export const REST_MAX_MS = 32 * DAY_MS
const PROBE_MIN_MS = 1_000
const PROBE_MAX_MS = 10 * MINUTE_MS
/** A rest without probes ends with `capMs`, which settings cannot set above a day. */
const UNPROBED_MAX_MS = DAY_MS
/** How long after a rest the next one still counts as the one after it. */
const LEVEL_REMEMBERED_MS = 10 * MINUTE_MS
const LEVEL_MAX = 16

/** The rest after a limit at `atMs`; `namedMs` is the wait that the provider asks for. */
export function restAfterLimit(
  before: Rest | undefined,
  namedMs: number | undefined,
  atMs: number,
  rules: CooldownRules,
): Rest {
  const level = nextLevel(before, atMs)
  const earlier = before !== undefined && isAhead(before, atMs) ? before.untilMs : undefined
  // Requests that were under way together and fail together are one limit: the longest wait that was named holds.
  if (namedMs === undefined && before !== undefined && earlier !== undefined) return { ...before, level }
  const delayMs = namedMs ?? Math.min(rules.maxMs, rules.baseMs * rules.factor ** level)
  const untilMs = atMs + Math.min(REST_MAX_MS, Math.max(0, delayMs))
  return { ...bounded(Math.max(earlier ?? 0, untilMs), atMs, rules), level }
}

/** Whether it keeps requests away at this moment. */
export function holds(rest: Rest, nowMs: number): boolean {
  if (!isAhead(rest, nowMs)) return false
  const { untilMs, probeAtMs } = rest
  if (probeAtMs === null) return untilMs - nowMs <= UNPROBED_MAX_MS
  return nowMs < probeAtMs && probeAtMs - nowMs <= PROBE_MAX_MS
}

/** Whether its end is still to come, whether or not somebody may try meanwhile. */
export function isAhead({ untilMs }: Pick<Rest, 'untilMs'>, nowMs: number): boolean {
  return nowMs < untilMs && untilMs - nowMs <= REST_MAX_MS
}

/** When it no longer keeps requests away. */
export function endsAtMs({ untilMs, probeAtMs }: Rest): number {
  return probeAtMs === null ? untilMs : Math.min(untilMs, probeAtMs)
}

/** After a request was let through to try: the others go on resting. */
export function afterProbe<R extends Rest>(rest: R, nowMs: number): R {
  return { ...rest, probeAtMs: nowMs + probeDelayMs(rest.untilMs - nowMs) }
}

/** Whether a rest that is over still counts for the next one. */
export function isRemembered({ untilMs }: Pick<Rest, 'untilMs'>, nowMs: number): boolean {
  return nowMs <= untilMs + LEVEL_REMEMBERED_MS
}

function bounded(untilMs: number, atMs: number, { maxMs, capMs, reprobe }: CooldownRules): Omit<Rest, 'level'> {
  const restMs = untilMs - atMs
  if (restMs <= maxMs) return { untilMs, probeAtMs: null }
  if (!reprobe) return { untilMs: atMs + Math.min(restMs, capMs), probeAtMs: null }
  return { untilMs, probeAtMs: atMs + Math.min(probeDelayMs(restMs), capMs) }
}

/** A tenth of what is left, ten minutes at most. */
function probeDelayMs(restMs: number): number {
  return Math.min(PROBE_MAX_MS, Math.max(PROBE_MIN_MS, restMs / 10))
}

function nextLevel(before: Rest | undefined, atMs: number): number {
  if (before === undefined || !isRemembered(before, atMs)) return 0
  return isAhead(before, atMs) ? before.level : Math.min(LEVEL_MAX, before.level + 1)
}
