import type { Waiter } from './deps.ts'

/** Waits by `wait`: woken when `signal` says so, and out of the line whatever becomes of it. */
export async function inLine<T>(waiter: Waiter, signal: AbortSignal, wait: () => Promise<T>): Promise<T> {
  const wake = (): void => waiter.wake()
  signal.addEventListener('abort', wake, { once: true })
  try {
    return await wait()
  } finally {
    signal.removeEventListener('abort', wake)
    waiter.leave()
  }
}
