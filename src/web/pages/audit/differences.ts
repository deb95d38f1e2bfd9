/** What an entry of the audit log says has changed, field by field. Pure. */
export interface Difference {
  /** Dotted, as the API names it. */
  readonly path: string
  /** Undefined where the field was not there. */
  readonly before: string | undefined
  readonly after: string | undefined
}

export interface Comparison {
  readonly differences: readonly Difference[]
  /** Fields that are on both sides and alike. */
  readonly unchanged: number
}

/** They differ at each change and say nothing about it. */
const BOOKKEEPING: ReadonlySet<string> = new Set(['updated_at', 'version'])

export function compare(before: unknown, after: unknown): Comparison {
  const [left, right] = [leavesOf(before), leavesOf(after)]
  const paths = [...new Set([...left.keys(), ...right.keys()])].filter((path) => !BOOKKEEPING.has(path))
  const all = paths.map((path) => ({ path, before: left.get(path), after: right.get(path) }))
  const differences = all.filter((one) => one.before !== one.after)
  return { differences, unchanged: all.length - differences.length }
}

/** Every value that holds no other, by its path. */
function leavesOf(value: unknown): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>()
  collect(value, '', leaves)
  return leaves
}

function collect(value: unknown, path: string, leaves: Map<string, string>): void {
  if (value === null || value === undefined) {
    if (path !== '') leaves.set(path, 'null')
    return
  }
  if (typeof value !== 'object') return void leaves.set(path === '' ? 'value' : path, String(value))
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) {
    return void leaves.set(path, value.length === 0 ? 'none' : value.join(', '))
  }
  for (const [name, inner] of Object.entries(value)) collect(inner, path === '' ? name : `${path}.${name}`, leaves)
}
