import { describe, expect, test } from 'bun:test'
import {
  askFrom,
  isGap,
  type LogPages,
  newRows,
  rowsOf,
  runningBeyond,
  withChanges,
  withNewRows,
} from '../../src/web/pages/requests/log-pages.ts'
import type { LoggedRequest, RequestList } from '../../src/web/wire.ts'

/** Seconds after noon stand for the whole row. */
function row(seconds: number, status = 'ok', id = `req_${seconds}`): LoggedRequest {
  const at = new Date(Date.UTC(2026, 10, 21, 12, 0, seconds)).toISOString()
  return { id, at, status, attempts: [] as readonly unknown[] } as LoggedRequest // what the log's order depends on
}

function list(rows: readonly LoggedRequest[], next: string | null = null): RequestList {
  return { data: [...rows], metadata: { total: rows.length, offset: 0, limit: 100, next_cursor: next } }
}

function pagesOf(...pages: readonly RequestList[]): LogPages {
  return { pages: [...pages], pageParams: pages.map(() => null) }
}

const ids = (pages: LogPages): string[] => rowsOf(pages).map(({ id }) => id)

describe('the pages of the log', () => {
  const pages = pagesOf(list([row(30), row(20, 'open'), row(10)], 'next'), list([row(5), row(1)]))

  test('what is new is asked for from a little before the newest row, or from the oldest that runs', () => {
    expect(askFrom(pagesOf(list([row(30)])))).toBe(row(28).at)
    expect(askFrom(pages)).toBe(row(20).at)
    expect(askFrom(pagesOf(list([])))).toBeUndefined()
  })

  test('new rows go on top in the order of the log and count, known ones do not', () => {
    const added = newRows(pages, [row(40), row(35), row(30)])
    const grown = withNewRows(pages, added)
    expect(ids(grown)).toEqual(['req_40', 'req_35', 'req_30', 'req_20', 'req_10', 'req_5', 'req_1'])
    expect(grown.pages[0]?.metadata.total).toBe(5)
  })

  test('a row that was written late takes its place below later ones', () => {
    const late = row(29)
    expect(ids(withNewRows(pages, newRows(pages, [late]))).slice(0, 2)).toEqual(['req_30', 'req_29'])
  })

  test('a row that has ended changes in its place, and nothing else does', () => {
    const changed = withChanges(pages, [row(30), row(20)])
    expect(ids(changed)).toEqual(ids(pages))
    expect(rowsOf(changed)[1]?.status).toBe('ok')
    expect(withChanges(pages, [row(30)])).toBe(pages)
    expect(changed.pages[1]).toBe(pages.pages[1] as RequestList)
  })

  test('more new rows than one answer holds are a gap', () => {
    expect(isGap(pages, list([row(50), row(40)], 'more'))).toBe(true)
    expect(isGap(pages, list([row(50), row(30)], 'more'))).toBe(false)
    expect(isGap(pages, list([row(50)]))).toBe(false)
  })

  test('rows that run and are missing from the answer are asked for by name', () => {
    expect(runningBeyond(pages, list([row(30)])).map(({ id }) => id)).toEqual(['req_20'])
    expect(runningBeyond(pages, list([row(20)]))).toEqual([])
  })
})
