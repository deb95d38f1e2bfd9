import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** What serves requests gets nine tenths of a processor that both want. */
const NICENESS = 10

/**
 * Lets the calling thread, never its whole process, wait for processors that others want: with more threads than processors, a
 * report would hold up every stream for the scheduler's turn. Only for a thread that never holds what others wait for, such as the
 * lock to write. Linux counts niceness by thread, against POSIX: https://man7.org/linux/man-pages/man2/setpriority.2.html (read
 * 2026-11-21). Elsewhere it does nothing.
 */
export function workInBackground(): void {
  if (process.platform !== 'linux') return
  try {
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(threadId, NICENESS)
  } catch {
    // no /proc, or forbidden: then it competes like any other
  }
}
