/** The address as state: filters, tabs and pages live in the query string, so that every view can be linked and gone back to. */
import { useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

export type SearchParams = Readonly<Record<string, string>>
/** Undefined, null or an empty text takes the name out of the address. */
export type SearchChange = Readonly<Record<string, string | null | undefined>>

/** The `$name` segment of this page's path. */
export function usePathParam(name: string): string {
  const params: Readonly<Record<string, string>> = useParams({ strict: false })
  return params[name] ?? ''
}

/**
 * The query string and a way to change some of it. A change replaces the history's entry unless `push` is set: typing in a filter
 * is not twenty steps back.
 */
export function useSearch(): [SearchParams, (change: SearchChange, push?: boolean) => void] {
  const search: SearchParams = useLocation({ select: ({ search }) => search as SearchParams }) // parseSearch makes texts alone
  const navigate = useNavigate()
  const change = useCallback(
    (change: SearchChange, push = false) => {
      const next = (previous: SearchParams) =>
        Object.fromEntries(Object.entries({ ...previous, ...change }).filter(([, value]) => value))
      void navigate({ to: '.', search: next as never, replace: !push, resetScroll: false })
    },
    [navigate],
  )
  return useMemo(() => [search, change], [search, change])
}

/** Goes to an address of the dashboard, query string included. */
export function useGo(): (href: string, options?: { readonly replace?: boolean }) => void {
  const navigate = useNavigate()
  return useCallback((href, { replace = false } = {}) => void navigate({ href, replace }), [navigate])
}

export function parseSearch(text: string): SearchParams {
  return Object.fromEntries(new URLSearchParams(text))
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}
