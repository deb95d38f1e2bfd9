/** The pages of the log that are loaded, newest first, and what becomes of them as requests come in. Pure. */
import type { InfiniteData } from '@tanstack/react-query'
import type { LoggedRequest, RequestList } from '../../wire.ts'

export type LogPages = InfiniteData<RequestList, string | null>

/** Rows come in by their start; one that starts later may be written first. */
const OVERLAP_MS = 2_000
/** Rows that run are asked for again, unless they are older than this: they may never end. */
const RUNNING_MS_MAX = 900_000
/** The first page grows while the log is live; then it is read anew. */
export const FIRST_PAGE_MAX = 400

export function rowsOf(pages: LogPages | undefined): readonly LoggedRequest[] {
  return pages?.pages.flatMap(({ data }) => data) ?? []
}

/** The moment from which rows can be new or have changed; undefined asks for the newest of all. */
export function askFrom(pages: LogPages): string | undefined {
  const rows = pages.pages[0]?.data ?? []
  const newest = rows[0]
  if (newest === undefined) return undefined
  const newestMs = Date.parse(newest.at)
  const running = rows.filter(({ status, at }) => status === 'open' && newestMs - Date.parse(at) < RUNNING_MS_MAX)
  const fromMs = Math.min(newestMs - OVERLAP_MS, ...running.map(({ at }) => Date.parse(at)))
  return new Date(fromMs).toISOString()
}

export function newRows(pages: LogPages, news: readonly LoggedRequest[]): readonly LoggedRequest[] {
  const known = new Set(rowsOf(pages).map(({ id }) => id))
  return news.filter(({ id }) => !known.has(id))
}

/** Did more come than one answer holds? */
export function isGap(pages: LogPages, { data, metadata }: RequestList): boolean {
  const newest = pages.pages[0]?.data[0]
  return metadata.next_cursor !== null && newest !== undefined && data.every(({ id }) => id !== newest.id)
}

/** Rows that run, as far as is known, and that the answer about what is new does not reach back to. */
export function runningBeyond(pages: LogPages, { data, metadata }: RequestList): readonly LoggedRequest[] {
  if (metadata.next_cursor === null) return []
  const asked = new Set(data.map(({ id }) => id))
  return (pages.pages[0]?.data ?? []).filter(({ id, status }) => status === 'open' && !asked.has(id))
}

/** Rows that are shown already, as they are now: nothing moves. The same object when nothing has changed. */
export function withChanges(pages: LogPages, news: readonly LoggedRequest[]): LogPages {
  const byId = new Map(news.map((row) => [row.id, row]))
  let hasChanged = false
  const changed = pages.pages.map((page) => ({
    ...page,
    data: page.data.map((row) => {
      const now = byId.get(row.id)
      if (now === undefined || now.status === row.status) return row
      hasChanged = true
      return now
    }),
  }))
  return hasChanged ? { ...pages, pages: changed } : pages
}

/** With the new rows on top, in the order of the log. */
export function withNewRows(pages: LogPages, added: readonly LoggedRequest[]): LogPages {
  const [first, ...others] = pages.pages
  if (first === undefined || added.length === 0) return pages
  const { metadata } = first
  const grown = {
    data: [...added, ...first.data].sort(newestFirst),
    metadata: { ...metadata, total: metadata.total + added.length },
  }
  return { ...pages, pages: [grown, ...others] }
}

/** The first page alone, to be read anew. */
export function firstPageOf({ pages, pageParams }: LogPages): LogPages {
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) }
}

function newestFirst(a: LoggedRequest, b: LoggedRequest): number {
  if (a.at !== b.at) return a.at < b.at ? 1 : -1
  return a.id < b.id ? 1 : -1
}
