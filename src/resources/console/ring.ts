/**
 * The last events of this process, for whoever watches it in the dashboard: in memory, bounded, gone with the process. What
 * enters is scrubbed first, so nothing here can give a secret away. Invariant: numbers rise by one with each event and are never
 * used twice, not even after a clearing.
 */
import type { Clock } from '../../core/clock.ts'
import { isShown, type Log, type LogFields, type LogLevel, type LogSource } from '../../core/log.ts'
import { type Field, scrubbed, scrubbedFields } from '../../core/scrub.ts'

export const CONSOLE_ENTRIES_MAX = 500
/** An event has a handful; more of them would only be a way to fill the memory. */
const FIELDS_MAX = 20
/** The start of a gateway key, made to be recognised by. It looks like a secret; anything longer is one. */
const KEY_PREFIX = /^sk-sbx-\w{6}$/

export interface ConsoleEntry {
  readonly seq: number
  readonly atMs: number
  readonly level: LogLevel
  readonly source: LogSource
  readonly message: string
  /** What the event is about, taken out of its fields. */
  readonly requestId: string | null
  readonly keyPrefix: string | null
  readonly account: string | null
  readonly fields: Readonly<Record<string, Field[1]>>
}

export interface ConsoleFilters {
  /** The least important level that is shown. */
  readonly level?: LogLevel | undefined
  readonly source?: LogSource | undefined
  /** Text somewhere in message or fields, in whatever case. */
  readonly q?: string | undefined
  /** Entries up to this number are known already. */
  readonly afterSeq?: number | undefined
}

export class ConsoleRing implements Log {
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #entries: ConsoleEntry[] = []
  readonly #watchers = new Set<() => void>()
  #lastSeq = 0

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock
  }

  write(level: LogLevel, source: LogSource, message: string, fields: LogFields = {}): void {
    const { key_prefix: keyPrefix, ...others } = fields
    const { request_id: requestId, account, ...rest } = shownFields(others)
    this.#entries.push({
      seq: ++this.#lastSeq,
      atMs: this.#clock.nowMs(),
      level,
      source,
      message: scrubbed(message),
      requestId: textOf(requestId),
      keyPrefix: typeof keyPrefix === 'string' && KEY_PREFIX.test(keyPrefix) ? keyPrefix : null,
      account: textOf(account),
      fields: rest,
    })
    if (this.#entries.length > CONSOLE_ENTRIES_MAX) this.#entries.shift()
    for (const watcher of this.#watchers) watcher()
  }

  /** The number of the newest event; 0 before the first. */
  get lastSeq(): number {
    return this.#lastSeq
  }

  /** What is held and passes, oldest first. */
  matching({ level = 'debug', source, q, afterSeq = 0 }: ConsoleFilters): readonly ConsoleEntry[] {
    const needle = q?.toLowerCase()
    return this.#entries.filter((entry) => {
      if (entry.seq <= afterSeq || !isShown(entry.level, level)) return false
      if (source !== undefined && entry.source !== source) return false
      return needle === undefined || holds(entry, needle)
    })
  }

  /** Forgets everything; returns how many entries that were. */
  clear(): number {
    return this.#entries.splice(0).length
  }

  /** Calls `watcher` after each event, until the returned function is called. It must not write an event itself. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher)
    return () => void this.#watchers.delete(watcher)
  }
}

function shownFields(fields: LogFields): Record<string, Field[1]> {
  return Object.fromEntries(scrubbedFields(fields).slice(0, FIELDS_MAX))
}

function textOf(value: Field[1] | undefined): string | null {
  return typeof value === 'string' ? value : null
}

function holds({ message, requestId, keyPrefix, account, fields }: ConsoleEntry, needle: string): boolean {
  const texts = [message, requestId, keyPrefix, account, ...Object.values(fields)]
  return texts.some((text) => text !== null && String(text).toLowerCase().includes(needle))
}
