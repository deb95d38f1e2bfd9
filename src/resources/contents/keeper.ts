/**
 * Keeps what requests said and were answered, for those whose key asks for it: sealed, for as many days as the settings say, and
 * no more than a number of bytes. Nobody waits for it: what the disk cannot take in time is left out and counted. Nothing here
 * decides whether a request is kept; that is the gateway's.
 */
import type { Clock } from '../../core/clock.ts'
import { DAY_MS, HOUR_MS } from '../../core/duration.ts'
import type { Log } from '../../core/log.ts'
import type { Vault } from '../../db/seal.ts'
import type { Content, KeptContent } from './content.ts'
import type { ContentStore, SealedContent } from './store.ts'

const MIB = 1024 * 1024

/** How long a content waits at most until it is written. */
const WRITE_MS = 100
/** How long to leave a disk alone that refused, or a file that another thread writes; and how often before what waits is left out. */
const AGAIN_MS = 500
const TRIES_MAX = 20
/** Written in one go: sealing and writing so many takes a few milliseconds. */
const WRITTEN_AT_ONCE_MAX = 8
/** What waits; more is left out. */
export const WAITING_BYTES_MAX = 32 * MIB
/** What is kept; beyond it the oldest go. */
export const KEPT_BYTES_MAX = 1024 * MIB
const PRUNE_MS = HOUR_MS
/** Between two steps of a clean-up, so that others get to write. */
const PRUNE_STEP_MS = 50

interface Deps {
  readonly store: ContentStore
  readonly vault: Vault
  readonly clock: Clock
  readonly log: Log
  readonly retainDays: () => number
  readonly keptBytesMax?: number
}

interface Waiting {
  readonly requestId: string
  readonly atMs: number
  readonly content: Content
  readonly bytes: number
}

export class ContentKeeper {
  readonly #deps: Deps
  readonly #waiting: Waiting[] = []
  #waitingBytes = 0
  #keptBytes = 0
  #left = 0
  /** Writes that failed since one did not. */
  #failed = 0
  #cancelTimer: (() => void) | undefined
  #cancelPrune: (() => void) | undefined

  private constructor(deps: Deps, keptBytes: number) {
    this.#deps = deps
    this.#keptBytes = keptBytes
  }

  static async open(deps: Deps): Promise<ContentKeeper> {
    return new ContentKeeper(deps, await deps.store.bytes())
  }

  /** Removes what has expired, now and every hour. The returned function ends that and writes what waits. */
  start(): () => Promise<void> {
    const cancel = this.#deps.clock.every(PRUNE_MS, () => void this.prune())
    void this.prune()
    return async () => {
      cancel()
      this.#cancelPrune?.()
      this.#cancelTimer?.()
      while (this.#waiting.length > 0) await this.#write()
      this.#cancelTimer?.()
    }
  }

  /** What the ones that are kept take. */
  get keptBytes(): number {
    return this.#keptBytes
  }

  /** How many were left out since the start. */
  get left(): number {
    return this.#left
  }

  keep(requestId: string, atMs: number, content: Content): void {
    const bytes = content.request.length + content.answer.length
    if (this.#waitingBytes + bytes > WAITING_BYTES_MAX) return this.#leaveOut('too much waits to be written')
    this.#waiting.push({ requestId, atMs, content, bytes })
    this.#waitingBytes += bytes
    this.#wake()
  }

  /** Undefined when nothing of the request is kept, any more or at all. */
  async of(requestId: string): Promise<KeptContent | undefined> {
    const { store, vault, clock } = this.#deps
    const row = await store.get(requestId)
    if (row === undefined) return undefined
    const expiresAtMs = row.atMs + this.#retainMs
    if (expiresAtMs <= clock.nowMs()) return undefined
    const opened = vault.open(row.sealed, placeOf(requestId))
    return opened.ok ? { ...unpacked(opened.value), expiresAtMs } : undefined
  }

  /** One step after another until nothing is too old and not too much is kept. Never rejects. */
  async prune(): Promise<void> {
    const { store, clock, keptBytesMax = KEPT_BYTES_MAX } = this.#deps
    const isTooMuch = this.#keptBytes > keptBytesMax
    try {
      const removed = await store.removeBefore(isTooMuch ? Number.MAX_SAFE_INTEGER : clock.nowMs() - this.#retainMs)
      this.#keptBytes -= removed.bytes
      if (removed.rows > 0) this.#pruneIn(PRUNE_STEP_MS)
    } catch {
      this.#pruneIn(AGAIN_MS) // whoever writes the ledger says so when the disk refuses
    }
  }

  #pruneIn(delayMs: number): void {
    this.#cancelPrune ??= this.#deps.clock.after(delayMs, () => {
      this.#cancelPrune = undefined
      void this.prune()
    })
  }

  get #retainMs(): number {
    return this.#deps.retainDays() * DAY_MS
  }

  #wake(delayMs = WRITE_MS): void {
    this.#cancelTimer ??= this.#deps.clock.after(delayMs, () => void this.#write())
  }

  /** Never rejects: a disk that refuses costs the contents, not the program. */
  async #write(): Promise<void> {
    this.#cancelTimer = undefined
    const batch = this.#waiting.splice(0, WRITTEN_AT_ONCE_MAX)
    const rows = batch.map((waiting) => this.#sealed(waiting))
    try {
      await this.#deps.store.insert(rows)
      this.#keptBytes += rows.reduce((sum, { bytes }) => sum + bytes, 0)
      this.#failed = 0
    } catch (error) {
      this.#failed++
      if (this.#failed < TRIES_MAX) {
        this.#waiting.unshift(...batch)
        return this.#wake(AGAIN_MS)
      }
      this.#leaveOut(String(error), batch.length)
    }
    for (const { bytes } of batch) this.#waitingBytes -= bytes
    if (this.#keptBytes > (this.#deps.keptBytesMax ?? KEPT_BYTES_MAX)) void this.prune()
    if (this.#waiting.length > 0) this.#wake()
  }

  #sealed({ requestId, atMs, content }: Waiting): SealedContent {
    const sealed = this.#deps.vault.seal(packed(content), placeOf(requestId))
    return { requestId, atMs, bytes: sealed.length, sealed }
  }

  /** Logs the 1st, 2nd, 4th, 8th … so that a long outage is a few lines. */
  #leaveOut(why: string, count = 1): void {
    this.#left += count
    if ((this.#left & (this.#left - 1)) === 0)
      this.#deps.log.write('warn', 'db', 'a request and its answer are not kept', { why, left_out: this.#left })
  }
}

/** Conversations repeat themselves: a tenth of their size is usual. */
function packed(content: Content): string {
  return Buffer.from(Bun.zstdCompressSync(JSON.stringify(content))).toString('base64')
}

function unpacked(text: string): Content {
  return JSON.parse(Buffer.from(Bun.zstdDecompressSync(Buffer.from(text, 'base64'))).toString('utf8')) as Content // we wrote it
}

function placeOf(requestId: string) {
  return { table: 'contents', row: requestId, column: 'sealed' }
}
