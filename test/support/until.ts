/** How long a test waits for something that is about to happen, in real time; far longer than it ever takes. */
const PATIENCE_MS = 15_000

/** Looks again and again until `isSo`, giving sockets and timers their turn; throws after fifteen seconds of real time. */
export async function until(isSo: () => boolean | Promise<boolean>, what = 'what was waited for'): Promise<void> {
  const giveUpAtMs = performance.now() + PATIENCE_MS
  while (!(await isSo())) {
    if (performance.now() > giveUpAtMs) throw new Error(`${what} did not happen within ${PATIENCE_MS} ms`)
    await turn()
  }
}

/** One turn of the event loop: whatever is ready happens. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
