/** Microseconds of wall time: unlike `performance.now()` and `process.hrtime()`, all processes of a machine share its start. */
export function sharedMicros(): number {
  return (performance.timeOrigin + performance.now()) * 1_000
}

/** A delta carries when it was sent, so that whoever gets it, translated or not, knows how long it took. */
export function stamp(): string {
  return `@${Math.round(sharedMicros())}@`
}

export const STAMP = /@(\d{6,})@/g
/** No stamp is longer: this much is kept when a piece may end inside one. */
export const STAMP_LENGTH_MAX = 24
