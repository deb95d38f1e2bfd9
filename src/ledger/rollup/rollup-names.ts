import type { Database, Statement } from 'bun:sqlite'

/** Kinds whose names clients choose: their program, their tags, a model that nobody has. */
const CHOSEN: ReadonlySet<string> = new Set(['client', 'tag', 'model'])
/** So many names of each of these kinds are kept apart in a quarter of an hour; the rest is one. */
export const NAMES_MAX = 200
/** What stands for all names beyond the bound. */
export const OTHER = '(other)'
/** Requests that ran for long are of a quarter that is over, so those of the last few hours are remembered. */
const REMEMBERED_MAX = 64

/** Keeps what clients choose from filling the file. */
export class RollupNames {
  /** By kind and quarter, the one that was met longest ago first. */
  readonly #known = new Map<string, Set<string>>()
  readonly #read: Statement<{ readonly name: string }, [string, number]>

  constructor(database: Database) {
    this.#read = database.prepare('SELECT name FROM rollup_parts WHERE kind = ? AND span_ms = 900000 AND at_ms = ?')
  }

  /** The name to count under. */
  admit(quarterMs: number, kind: string, name: string): string {
    if (!CHOSEN.has(kind)) return name
    const known = this.#namesOf(quarterMs, kind)
    if (known.has(name)) return name
    if (known.size >= NAMES_MAX) return OTHER
    known.add(name)
    return name
  }

  #namesOf(quarterMs: number, kind: string): Set<string> {
    const of = `${kind} ${quarterMs}`
    const known = this.#known.get(of)
    if (known !== undefined) return known
    const names = new Set(this.#read.all(kind, quarterMs).map(({ name }) => name))
    const [oldest] = this.#known.keys()
    if (this.#known.size >= REMEMBERED_MAX && oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(of, names)
    return names
  }
}
