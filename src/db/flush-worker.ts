/** The thread that waits for the disk. Entry point of its own, in the executable as well. */
import { fdatasyncSync, openSync } from 'node:fs'
import { post } from './post.ts'

/** First the log file, then any number of questions. */
export type ToFlusher = { readonly type: 'open'; readonly path: string } | { readonly type: 'flush' }

/** The answer to each `flush`, in the order asked: whether the disk took it. */
export type FromFlusher = boolean

declare const self: Worker

self.addEventListener('message', begin, { once: true })

function begin({ data }: MessageEvent<ToFlusher>): void {
  if (data.type === 'open') serve(data.path)
}

function serve(path: string): void {
  /** The log is the same file for as long as a connection to its database is open. */
  let file: number | undefined
  const isFlushed = (): FromFlusher => {
    try {
      file ??= openSync(path, 'r+') // some systems flush only what may be written
      fdatasyncSync(file)
      return true
    } catch {
      return false // the caller treats it as a disk that refuses
    }
  }
  self.addEventListener('message', () => post<FromFlusher>(self, isFlushed()))
}
