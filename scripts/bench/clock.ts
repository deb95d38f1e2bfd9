/** Microseconds on a clock that all processes of a machine share, unlike `performance.now()`. */
export function sharedMicros(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1e6 + nanoseconds / 1e3
}

/** A delta carries when it was sent, so that whoever gets it, translated or not, knows how long it took. */
export function stamp(): string {
  return `@${Math.round(sharedMicros())}@`
}

export const STAMP = /@(\d{6,})@/g
/** No stamp is longer: this much is kept when a piece may end inside one. */
export const STAMP_LENGTH_MAX = 24
