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

/** Those that are not shown. Only as far down as they can be: a hundred thousand rows may be loaded. */
export function newRows(pages: LogPages, news: readonly LoggedRequest[]): readonly LoggedRequest[] {
  const known = new Set<string>()
  const oldest = oldestOf(news)
  for (const { data } of pages.pages) {
    if ((data[0]?.at ?? '') < oldest) break
    for (const { id } of data) known.add(id)
  }
  return news.filter(({ id }) => !known.has(id))
}

/** Times are written alike, so their texts sort as they do. */
function oldestOf(rows: readonly LoggedRequest[]): string {
  return rows.reduce((oldest, { at }) => (at < oldest ? at : oldest), '9')
}

/** Did more come than one answer holds? */
export function isGap(pages: LogPages, { data, metadata }: RequestList): boolean {
  const newest = pages.pages[0]?.data[0]
  return metadata.next_cursor !== null && newest !== undefined && data.every(({ id }) => id !== newest.id)
}

/** Rows that run, as far as is known, and that are not in the answer about what is new: too many came, or they no longer pass. */
export function runningBeyond(pages: LogPages, { data }: RequestList): readonly LoggedRequest[] {
  const asked = new Set(data.map(({ id }) => id))
  return (pages.pages[0]?.data ?? []).filter(({ id, status }) => status === 'open' && !asked.has(id))
}

/** Rows that are shown already, as they are now: nothing moves. The same object when nothing has changed. */
export function withChanges(pages: LogPages, news: readonly LoggedRequest[]): LogPages {
  const byId = new Map(news.map((row) => [row.id, row]))
  const oldest = oldestOf(news)
  let hasChanged = false
  const changed = pages.pages.map((page) => {
    if ((page.data[0]?.at ?? '') < oldest) return page
    const data = page.data.map((row) => {
      const now = byId.get(row.id)
      if (now === undefined || isAlike(now, row)) return row
      hasChanged = true
      return now
    })
    return { ...page, data }
  })
  return hasChanged ? { ...pages, pages: changed } : pages
}

/** A row changes only while its request runs: when another candidate is tried, and when it ends. */
function isAlike(a: LoggedRequest, b: LoggedRequest): boolean {
  return a.status === b.status && a.attempts.length === b.attempts.length
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
