/**
 * A map that forgets: what was used longest ago goes first, once there is too much of it or it is too old. Entries belong to
 * owners, so that none of them can crowd out the others by number and no owner sees what is another's.
 */
export interface Bounds {
  readonly entriesPerOwnerMax: number
  /** Of all owners together, by what callers say that their entries take. */
  readonly bytesMax: number
  /** Since an entry was last set or got. */
  readonly ttlMs: number
}

interface Entry<Value> {
  readonly owner: string
  readonly value: Value
  readonly bytes: number
  readonly expiresAtMs: number
}

/** What an entry takes besides its value, so that many empty ones count, too. */
const ENTRY_BYTES = 256

export class BoundedMap<Value> {
  readonly #bounds: Bounds
  /** Used longest ago first, hence also in the order in which they expire. */
  readonly #entries = new Map<string, Entry<Value>>()
  /** The names of each owner's entries, in the same order. */
  readonly #owners = new Map<string, Set<string>>()
  #bytes = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  get size(): number {
    return this.#entries.size
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Whether the owner has any entry, expired ones included. */
  knows(owner: string): boolean {
    return this.#owners.has(owner)
  }

  /** `nowMs` is monotonic time. */
  get(owner: string, id: string, nowMs: number): Value | undefined {
    this.#expire(nowMs)
    const name = nameOf(owner, id)
    const entry = this.#entries.get(name)
    if (entry === undefined) return undefined
    this.#remove(name, entry)
    this.#add(name, { ...entry, expiresAtMs: nowMs + this.#bounds.ttlMs })
    return entry.value
  }

  /** The same, without counting as a use. */
  peek(owner: string, id: string, nowMs: number): Value | undefined {
    const entry = this.#entries.get(nameOf(owner, id))
    return entry !== undefined && entry.expiresAtMs > nowMs ? entry.value : undefined
  }

  /** What is larger than the whole map may be is not kept. `owner` must not hold a line feed. */
  set(owner: string, id: string, value: Value, valueBytes: number, nowMs: number): void {
    this.#expire(nowMs)
    this.delete(owner, id)
    const name = nameOf(owner, id)
    const bytes = valueBytes + name.length + ENTRY_BYTES
    if (bytes > this.#bounds.bytesMax) return
    this.#add(name, { owner, value, bytes, expiresAtMs: nowMs + this.#bounds.ttlMs })
    const names = this.#owners.get(owner)
    if (names !== undefined && names.size > this.#bounds.entriesPerOwnerMax) this.#removeFirst(names)
    while (this.#bytes > this.#bounds.bytesMax) this.#removeFirst(this.#entries.keys())
  }

  delete(owner: string, id: string): boolean {
    const name = nameOf(owner, id)
    const entry = this.#entries.get(name)
    if (entry === undefined) return false
    this.#remove(name, entry)
    return true
  }

  clear(): void {
    this.#entries.clear()
    this.#owners.clear()
    this.#bytes = 0
  }

  #expire(nowMs: number): void {
    for (const [name, entry] of this.#entries) {
      if (entry.expiresAtMs > nowMs) return
      this.#remove(name, entry)
    }
  }

  #removeFirst(names: Iterable<string>): void {
    for (const name of names) {
      const entry = this.#entries.get(name)
      if (entry !== undefined) this.#remove(name, entry)
      return
    }
  }

  #add(name: string, entry: Entry<Value>): void {
    this.#entries.set(name, entry)
    this.#bytes += entry.bytes
    const names = this.#owners.get(entry.owner)
    if (names === undefined) this.#owners.set(entry.owner, new Set([name]))
    else names.add(name)
  }

  #remove(name: string, entry: Entry<Value>): void {
    this.#entries.delete(name)
    this.#bytes -= entry.bytes
    const names = this.#owners.get(entry.owner)
    names?.delete(name)
    if (names?.size === 0) this.#owners.delete(entry.owner)
  }
}

function nameOf(owner: string, id: string): string {
  return `${owner}\n${id}`
}
