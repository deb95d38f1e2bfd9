import { SECOND_MS } from '../../../core/duration.ts'
import type { Api } from '../../api.ts'
import { ApiError } from '../../api-error.ts'
import { eventData } from '../../event-stream.ts'
import type { ConsoleEntry } from '../../wire.ts'

export const CONSOLE = '/v1/console'
const PAGE = 100
/** Before it is read anew, unless the server names a time. */
const PAUSE_MS = 2_000

export interface ConsoleFilters {
  readonly level?: string | undefined
  readonly source?: string | undefined
  readonly q?: string | undefined
}

export interface FollowOptions {
  readonly api: Api
  readonly filters: ConsoleFilters
  readonly signal: AbortSignal
  /** All that the ring holds, newest first: at the start and after each interruption. */
  readonly onSnapshot: (entries: readonly ConsoleEntry[]) => void
  readonly onEntry: (entry: ConsoleEntry) => void
  /** Undefined once it is well again. */
  readonly onError: (error: ApiError | undefined) => void
}

/**
 * Reads what is there and then follows. A stream ends with its access token, and with the server; then all is read anew, since a
 * server that has started again counts from one.
 */
export async function followConsole(options: FollowOptions): Promise<void> {
  const { signal, onError } = options
  while (!signal.aborted) {
    try {
      await readOnce(options)
      await pause(PAUSE_MS, signal)
    } catch (cause) {
      if (signal.aborted) return
      const error = cause instanceof ApiError ? cause : undefined
      // That too many follow is no failure: what they miss is read every few seconds instead.
      if (error?.status !== 429) onError(error)
      await pause(error?.retryAfterS === undefined ? PAUSE_MS : error.retryAfterS * SECOND_MS, signal)
    }
  }
}

async function readOnce({ api, filters, signal, onSnapshot, onEntry, onError }: FollowOptions): Promise<void> {
  const held = await snapshot(api, filters, signal)
  onSnapshot(held)
  onError(undefined)
  const query = new URLSearchParams({ ...given(filters), follow: 'true', after_seq: String(held[0]?.seq ?? 0) })
  const response = await api.fetch(`${CONSOLE}?${query}`, { signal, headers: { accept: 'text/event-stream' } })
  for await (const data of eventData(response)) onEntry(JSON.parse(data) as ConsoleEntry) // written by its schema
}

async function snapshot(api: Api, filters: ConsoleFilters, signal: AbortSignal): Promise<readonly ConsoleEntry[]> {
  const page = (offset: number) =>
    api.list<ConsoleEntry>(CONSOLE, { query: { ...filters, limit: PAGE, offset }, signal })
  const first = await page(0)
  const offsets = Array.from({ length: Math.ceil(first.metadata.total / PAGE) - 1 }, (_, at) => (at + 1) * PAGE)
  const others = await Promise.all(offsets.map(page))
  // What came in between has moved some to the next page.
  const bySeq = new Map([first, ...others].flatMap(({ data }) => data).map((entry) => [entry.seq, entry]))
  return [...bySeq.values()].sort((a, b) => b.seq - a.seq)
}

function given(filters: ConsoleFilters): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
