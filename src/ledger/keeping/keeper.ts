import type { Database } from 'bun:sqlite'
import type { Clock } from '../../core/clock.ts'
import { HOUR_MS } from '../../core/duration.ts'
import type { Log } from '../../core/log.ts'
import { reasonOf } from '../../db/db-failure.ts'
import { post } from '../../db/post.ts'
import { workerUrl } from '../../db/worker-url.ts'
import { ACTS, type ActName, type Kept, Keeping, type Retention } from './keep.ts'
import type { FromKeeper, ToKeeper } from './keeper-worker.ts'

/** After the start, which has better things to do. */
export const FIRST_MS = 5_000
export const EVERY_MS = HOUR_MS
/** Between two acts, so that whoever waits for the lock gets it. */
const PAUSE_MS = 5
/** How long closing waits for the thread to finish its act. */
const CLOSE_MS_MAX = 1_000

/** Does one act after another. Rejects when one fails. */
interface Hand {
  next(retention: Retention, nowMs: number): Promise<Kept | undefined>
  /** Afterwards the connection is gone. */
  end(): Promise<void>
}

interface Deps {
  readonly clock: Clock
  readonly log: Log
  readonly retention: () => Retention
  /** The file, for a thread of its own, or the only connection there is. */
  readonly ledger: { readonly path: string } | { readonly database: Database }
}

/**
 * Keeps the ledger soon after the start and every hour, until there is nothing left to do. Its thread lives as long as there is.
 * What goes wrong is logged and tried again an hour later: no request depends on it.
 */
export class Keeper {
  readonly #deps: Deps
  #stop = (): void => undefined
  #running: Promise<void> | undefined
  #closed = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  start(): void {
    const { clock } = this.#deps
    const cancelFirst = clock.after(FIRST_MS, () => void this.run())
    const cancelOthers = clock.every(EVERY_MS, () => void this.run())
    this.#stop = () => {
      cancelFirst()
      cancelOthers()
    }
  }

  /** Resolves when all is kept; joins a run that is under way. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#keep().finally(() => (this.#running = undefined))
    return this.#running
  }

  /** No act begins any more; resolves when the last one is over. */
  async close(): Promise<void> {
    this.#closed = true
    this.#stop()
    await this.#running
  }

  async #keep(): Promise<void> {
    const { clock, log, retention } = this.#deps
    if (this.#closed) return
    const done = new Map<ActName, number>()
    let hand: Hand | undefined
    try {
      hand = this.#hand()
      while (!this.#closed) {
        const kept = await hand.next(retention(), clock.nowMs())
        if (kept === undefined) break
        done.set(kept.act, (done.get(kept.act) ?? 0) + kept.amount)
      }
    } catch (thrown) {
      log.write('error', 'db', 'the ledger could not be kept', { reason: reasonOf(thrown) })
    } finally {
      await hand?.end()
    }
    if (done.size > 0) log.write('debug', 'db', 'the ledger was kept', fieldsOf(done))
  }

  #hand(): Hand {
    const { ledger, clock } = this.#deps
    return 'database' in ledger ? localHand(ledger.database) : new Thread(ledger.path, clock)
  }
}

function fieldsOf(done: ReadonlyMap<ActName, number>): Record<string, number> {
  return Object.fromEntries(ACTS.flatMap((act) => (done.has(act) ? [[act, done.get(act) ?? 0]] : [])))
}

/** For databases in memory, which no other thread can see. */
function localHand(database: Database): Hand {
  const keeping = new Keeping(database)
  return { next: async (retention, nowMs) => keeping.next(retention, nowMs), end: async () => undefined }
}

/** Off the event loop. */
class Thread implements Hand {
  readonly #worker = new Worker(workerUrl('ledger/keeping/keeper-worker.ts'))
  readonly #clock: Clock
  readonly #ended: Promise<void>
  #answered: ((answer: FromKeeper) => void) | undefined

  constructor(path: string, clock: Clock) {
    this.#clock = clock
    this.#worker.unref()
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromKeeper>) => this.#answered?.(data))
    let reason = 'its thread ended'
    this.#worker.addEventListener('error', ({ message }) => void (reason = message))
    this.#ended = new Promise((resolve) => {
      this.#worker.addEventListener('close', () => {
        this.#answered?.({ ok: false, reason })
        resolve()
      })
    })
    post<ToKeeper>(this.#worker, { type: 'open', path })
  }

  async next(retention: Retention, nowMs: number): Promise<Kept | undefined> {
    await new Promise<void>((resolve) => this.#clock.after(PAUSE_MS, resolve))
    const answer = await new Promise<FromKeeper>((resolve) => {
      this.#answered = resolve
      post<ToKeeper>(this.#worker, { type: 'next', retention, nowMs })
    })
    if (!answer.ok) throw new Error(answer.reason)
    return answer.kept
  }

  async end(): Promise<void> {
    const cancel = this.#clock.after(CLOSE_MS_MAX, () => this.#worker.terminate())
    post<ToKeeper>(this.#worker, { type: 'close' })
    await this.#ended
    cancel()
  }
}
