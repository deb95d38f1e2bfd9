/**
 * Carries what is committed to a write-ahead log on to the disk, as SQLite's `synchronous = FULL` does after each commit, but in another
 * thread: the disk takes longer than a hundred requests, and nothing waits for it that need not. With `NORMAL`, a commit is in the
 * log file when it returns; once that file is flushed it survives a loss of power. https://sqlite.org/wal.html#performance_considerations
 * (read 2026-11-21)
 */
import { close, fdatasync, openSync } from 'node:fs'

export class LogFlush {
  /** Undefined for a database in memory, and until it is asked for. */
  #file: number | undefined
  readonly #path: string | undefined
  #running: Promise<boolean> | undefined
  #next: Promise<boolean> | undefined

  /** `path`: of the database. */
  constructor(path: string) {
    this.#path = path === '' || path === ':memory:' ? undefined : `${path}-wal`
  }

  /** True once everything is on disk that was committed before the call; false when the disk refuses. One flush serves all that wait. */
  flushed(): Promise<boolean> {
    if (this.#path === undefined) return Promise.resolve(true)
    if (this.#running === undefined) return this.#begin(this.#path)
    this.#next ??= this.#running.then(() => this.#begin(this.#path ?? ''))
    return this.#next
  }

  close(): void {
    const file = this.#file
    this.#file = undefined
    if (file !== undefined) void (this.#running ?? Promise.resolve()).then(() => close(file))
  }

  #begin(path: string): Promise<boolean> {
    this.#next = undefined
    this.#running = this.#flush(path).finally(() => (this.#running = undefined))
    return this.#running
  }

  #flush(path: string): Promise<boolean> {
    return new Promise((resolve) => {
      try {
        // The log has the same file for as long as a connection is open. Some systems flush only what may be written.
        this.#file ??= openSync(path, 'r+')
        fdatasync(this.#file, (error) => resolve(error === null))
      } catch {
        resolve(false) // the caller treats it as a disk that refuses
      }
    })
  }
}
