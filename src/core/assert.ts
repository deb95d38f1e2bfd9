/** Throws when `condition` does not hold: a bug, answered at the edge with 500 and the request id. */
export function assert(condition: unknown, claim: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${claim}`)
}

/** Marks a branch that the types rule out. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`)
}
