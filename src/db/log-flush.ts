import type { FromFlusher, ToFlusher } from './flush-worker.ts'
import { post } from './post.ts'
import { workerUrl } from './worker-url.ts'

/**
 * Carries what is committed to a write-ahead log on to the disk, as SQLite's `synchronous = FULL` does after each commit, but in another
 * thread: the disk takes longer than a hundred requests, and nothing waits for it that need not. With `NORMAL`, a commit is in the
 * log file when it returns; once that file is flushed it survives a loss of power. https://sqlite.org/wal.html#performance_considerations
 * (read 2026-11-21)
 *
 * The thread is its own. The runtime's pool has as many as there are processors, and looks up names in them: two that nobody answers for
 * would hold up every request that waits for the disk.
 */
export class LogFlush {
  /** Undefined for a database in memory. */
  readonly #path: string | undefined
  /** From the first flush on. */
  #worker: Worker | undefined
  #tell: ((isOnDisk: boolean) => void) | undefined
  #running: Promise<boolean> | undefined
  #next: Promise<boolean> | undefined

  /** `path`: of the database. */
  constructor(path: string) {
    this.#path = path === '' || path === ':memory:' ? undefined : `${path}-wal`
  }

  /** True once everything is on disk that was committed before the call; false when the disk refuses. One flush serves all that wait. */
  flushed(): Promise<boolean> {
    const path = this.#path
    if (path === undefined) return Promise.resolve(true)
    if (this.#running === undefined) return this.#begin(path)
    this.#next ??= this.#running.then(() => this.#begin(path))
    return this.#next
  }

  /** What still runs is not told of any more. */
  close(): void {
    this.#worker?.terminate()
    this.#ended()
  }

  #begin(path: string): Promise<boolean> {
    this.#next = undefined
    this.#running = this.#flush(path).finally(() => (this.#running = undefined))
    return this.#running
  }

  #flush(path: string): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#tell = resolve
    this.#worker ??= this.#start(path)
    this.#worker.ref() // whoever waits keeps the process alive, an idle thread does not
    post<ToFlusher>(this.#worker, { type: 'flush' })
    return promise
  }

  #start(path: string): Worker {
    const worker = new Worker(workerUrl('db/flush-worker.ts'))
    worker.unref()
    worker.addEventListener('message', ({ data }: MessageEvent<FromFlusher>) => {
      worker.unref()
      this.#tell?.(data)
    })
    worker.addEventListener('close', () => {
      if (this.#worker === worker) this.#ended()
    })
    post<ToFlusher>(worker, { type: 'open', path })
    return worker
  }

  /** Whoever waits is told that nothing is certain. */
  #ended(): void {
    this.#worker = undefined
    this.#tell?.(false)
  }
}
