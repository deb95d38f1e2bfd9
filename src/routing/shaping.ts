/**
 * A limit per minute held with two counters: what the aligned minute before had, faded out evenly as the present one goes by, and
 * what the present one has. It costs two numbers per limit whatever the traffic, and what it counts is never above the limit at
 * any moment. Times are monotonic, in milliseconds.
 */
export const WINDOW_MS = 60_000

export interface Window {
  /** Which span since the clock's start `current` is about. */
  readonly index: number
  readonly before: number
  readonly current: number
}

export const EMPTY_WINDOW: Window = { index: 0, before: 0, current: 0 }

/** What counts at this moment. */
export function usedOf(window: Window, nowMs: number, spanMs = WINDOW_MS): number {
  const { index, before, current } = at(window, nowMs, spanMs)
  return before * (1 - (nowMs - index * spanMs) / spanMs) + current
}

export function plus(window: Window, amount: number, nowMs: number, spanMs = WINDOW_MS): Window {
  const moved = at(window, nowMs, spanMs)
  return { ...moved, current: moved.current + amount }
}

/**
 * After an estimate turned out wrong by `amount`. What was too much is given back where it was counted, as long as that still
 * counts; what was too little counts from now on.
 */
export function corrected(window: Window, amount: number, countedIn: number, nowMs: number): Window {
  const moved = at(window, nowMs, WINDOW_MS)
  if (amount >= 0 || countedIn === moved.index) return { ...moved, current: Math.max(0, moved.current + amount) }
  if (countedIn === moved.index - 1) return { ...moved, before: Math.max(0, moved.before + amount) }
  return moved
}

/**
 * How long until `amount` more fits under `limit`: 0 when it does now, undefined when it never will. Nothing else is assumed to
 * come in the meantime.
 */
export function fitsAfterMs(window: Window, amount: number, limit: number, nowMs: number): number | undefined {
  if (amount > limit) return undefined
  const { index, before, current } = at(window, nowMs, WINDOW_MS)
  const startMs = index * WINDOW_MS
  if (usedOf(window, nowMs) + amount <= limit) return 0
  if (current + amount <= limit) return startMs + fadedMs(before, limit - amount - current) - nowMs
  return startMs + WINDOW_MS + fadedMs(current, limit - amount) - nowMs
}

/** How long until nothing of it counts any more, if nothing comes in the meantime. */
export function emptyAfterMs(window: Window, nowMs: number): number {
  const { index, before, current } = at(window, nowMs, WINDOW_MS)
  if (current > 0) return (index + 2) * WINDOW_MS - nowMs
  return before > 0 ? (index + 1) * WINDOW_MS - nowMs : 0
}

/** How far into a span `count` of the one before has faded to `room`; whole milliseconds, never too early. */
function fadedMs(count: number, room: number): number {
  return count <= room ? 0 : Math.ceil(WINDOW_MS * (1 - room / count))
}

function at(window: Window, nowMs: number, spanMs: number): Window {
  const index = Math.floor(nowMs / spanMs)
  if (index === window.index) return window
  return { index, before: index === window.index + 1 ? window.current : 0, current: 0 }
}
