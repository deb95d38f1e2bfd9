import { ArrowUp, Pause, Play } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '../../address.ts'
import { useAnnounce, useApp } from '../../app-context.ts'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { classNames } from '../../components/class-names.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { ExportMenu } from '../../components/export-menu.tsx'
import { ErrorState, reasonOf } from '../../components/error-state.tsx'
import { FilterChips } from '../../components/filter-chips.tsx'
import { Kbd } from '../../components/kbd.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useMedia } from '../../components/use-media.ts'
import { VirtualList } from '../../components/virtual-list.tsx'
import { countText } from '../../format/count.ts'
import { useCommands } from '../../shell/commands.ts'
import { Page } from '../../shell/page.tsx'
import { useStore } from '../../store.ts'
import { columnsFor, CompactRow } from './log-columns.tsx'
import { askedFilters, requestHref } from './log-filters.ts'
import { LogHistogram } from './log-histogram.tsx'
import { LogSums } from './log-sums.tsx'
import { useFilterSpecs } from './use-filter-specs.ts'
import { type RequestLog, useRequestLog } from './use-request-log.ts'

/** Within this of the top the reader sees the newest row. */
const TOP_PX = 4
const CLEARED = { q: null, from: null, to: null } as const

export default function RequestsPage() {
  const [search, setSearch] = useSearch()
  const filterKey = JSON.stringify(askedFilters(search))
  const filters = useMemo(() => askedFilters(search), [filterKey]) // the address changes for other reasons, too
  const isLive = search['live'] !== 'off'
  const scroller = useRef<HTMLDivElement>(null)
  const place = usePlace(scroller, filterKey)
  const log = useRequestLog(filters, !isLive || !place.isAtTop)
  const specs = useFilterSpecs()
  const clear = (): void =>
    setSearch({ ...CLEARED, ...Object.fromEntries(specs.map(({ name }) => [name, null])) }, true)
  const toggleLive = (): void => setSearch({ live: isLive ? 'off' : null })
  useCommands(
    useMemo(
      () => [
        {
          id: 'live log',
          group: 'Do',
          label: isLive ? 'Stop the live log' : 'Follow the log live',
          shortcut: 'L',
          run: toggleLive,
        },
      ],
      [isLive, setSearch],
    ),
  )
  return (
    <Page title="Requests" docs="requests" width="full">
      <div className="flex h-[calc(100dvh-3.25rem)] min-h-112 flex-col max-md:h-[calc(100dvh-7.25rem)]">
        <div className="flex flex-wrap items-center gap-2 px-4 pt-3.5 md:px-6">
          <div className="min-w-0 flex-1 sm:flex-none">
            <SearchField label="Id, model, client or session" />
          </div>
          <div className="max-sm:order-last max-sm:w-full">
            <FilterChips filters={specs} />
          </div>
          <span className="flex gap-2 sm:ml-auto">
            <ExportMenu filters={filters} />
            <Button
              tone={isLive ? 'soft' : 'plain'}
              icon={isLive ? Pause : Play}
              aria-pressed={isLive}
              onClick={toggleLive}
              {...(filters['to'] !== undefined && { disabledBecause: 'The log ends in the past', hideReason: true })}
            >
              Live
            </Button>
          </span>
        </div>
        <LogHistogram search={search} onBrush={(from, to) => setSearch({ from, to, range: null }, true)} />
        <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-1.5 text-dense text-muted md:px-6">
          <LogSums filters={filters} total={log.total} />
          {log.newsError !== null && <span className="text-caution">Not followed. {reasonOf(log.newsError)}</span>}
          <span aria-hidden="true" className="ml-auto hidden items-center gap-1.5 text-caption lg:flex">
            <Kbd keys="J K" /> move <Kbd keys="Enter" /> open
          </span>
        </div>
        <LogBody
          log={log}
          scroller={scroller}
          isFiltered={Object.keys(filters).length > 0}
          onClear={clear}
          hrefOf={(id) => requestHref(id, search)}
        />
      </div>
    </Page>
  )
}

interface LogBodyProps {
  readonly log: RequestLog
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly isFiltered: boolean
  readonly onClear: () => void
  readonly hrefOf: (id: string) => string
}

function LogBody({ log, scroller, isFiltered, onClear, hrefOf }: LogBodyProps) {
  const { connection } = useApp()
  const isOut = useStore(connection.outage) !== undefined
  const isLarge = useMedia('(width >= 64rem)')
  const isWide = useMedia('(width >= 75rem)')
  const columns = useMemo(() => columnsFor({ isLarge, isWide }), [isLarge, isWide])
  const { rows, total, error, fresh, loadMore } = log
  if (total === undefined) {
    if (error === null) return <Inset children={<Skeleton rows={12} />} />
    return (
      <ErrorState
        what="The log could not be read"
        error={error}
        stillWorks="Requests are still being served."
        onRetry={log.retry}
      />
    )
  }
  if (rows.length === 0) return <NoRequests isFiltered={isFiltered} onClear={onClear} waiting={<Waiting log={log} />} />
  return (
    <div className={classNames('relative flex min-h-0 flex-1 flex-col', isOut && 'opacity-60')}>
      <Waiting log={log} onShow={() => scroller.current?.scrollTo({ top: 0 })} />
      <VirtualList
        label="Requests, newest first"
        rows={rows}
        columns={columns}
        total={total}
        fresh={fresh}
        scroller={scroller}
        onNearEnd={loadMore}
        hrefOf={({ id }) => hrefOf(id)}
        compact={(request) => <CompactRow request={request} />}
      />
      <p role="status" className={log.isLoadingMore ? 'px-4 py-1.5 text-caption text-muted md:px-6' : 'sr-only'}>
        {log.isLoadingMore ? `${countText(rows.length)} of ${countText(total)} loaded, more on their way` : ''}
      </p>
    </div>
  )
}

function Inset({ children }: { children: React.ReactNode }) {
  return <div className="px-4 py-2 md:px-6">{children}</div>
}

/** The way to what came meanwhile. Said once: how many more there are each second is for the eye alone. */
function Waiting({ log, onShow }: { log: RequestLog; onShow?: () => void }) {
  const announce = useAnnounce()
  const { waiting, catchUp } = log
  const isWaiting = waiting > 0
  useEffect(() => {
    if (isWaiting) announce('New requests have come in')
  }, [isWaiting, announce])
  if (!isWaiting) return null
  return (
    <div className="pointer-events-none absolute inset-x-0 top-10 z-3 flex justify-center">
      <button
        type="button"
        onClick={() => {
          onShow?.()
          catchUp()
        }}
        className="touch pointer-events-auto inline-flex h-8 items-center gap-1.5 rounded-full border border-line bg-raised px-3.5 text-dense font-medium text-accent shadow-overlay hover:bg-hover"
      >
        <ArrowUp aria-hidden="true" size={14} strokeWidth={2} />
        {countText(waiting)} new
      </button>
    </div>
  )
}

interface NoRequestsProps {
  readonly isFiltered: boolean
  readonly onClear: () => void
  readonly waiting: React.ReactNode
}

function NoRequests({ isFiltered, onClear, waiting }: NoRequestsProps) {
  return (
    <div className="relative">
      {waiting}
      {isFiltered ? (
        <EmptyState
          title="No requests with these filters"
          action={<Button onClick={onClear}>Clear the filters</Button>}
        >
          Nothing in the log matches all of them.
        </EmptyState>
      ) : (
        <EmptyState
          title="No requests yet"
          action={
            <ButtonLink to="/" tone="primary">
              Connect a tool
            </ButtonLink>
          }
        >
          Every call through the gateway is listed here: who asked, what answered and what it cost.
        </EmptyState>
      )}
    </div>
  )
}

/** Where the reader is in the log, kept for when they come back from a request. */
function usePlace(scroller: RefObject<HTMLDivElement | null>, filterKey: string) {
  const queries = useQueryClient()
  const [isAtTop, setAtTop] = useState(true)
  const [hasFocus, setFocus] = useState(false)
  useLayoutEffect(() => {
    const top = queries.getQueryData<number>(['log place', filterKey])
    if (top !== undefined && scroller.current !== null) scroller.current.scrollTop = top
  }, [queries, scroller, filterKey])
  useEffect(() => {
    const onScroll = ({ target }: Event): void => {
      if (target !== scroller.current || scroller.current === null) return
      const { scrollTop } = scroller.current
      setAtTop(scrollTop <= TOP_PX)
      queries.setQueryData(['log place', filterKey], scrollTop)
    }
    // A row that somebody has reached by keyboard must not slip away under them.
    const onFocus = (): void => {
      const focused = document.activeElement
      setFocus(scroller.current?.contains(focused) === true && focused?.matches(':focus-visible') === true)
    }
    document.addEventListener('scroll', onScroll, true)
    document.addEventListener('focusin', onFocus)
    document.addEventListener('focusout', onFocus)
    return () => {
      document.removeEventListener('scroll', onScroll, true)
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('focusout', onFocus)
    }
  }, [queries, scroller, filterKey])
  return { isAtTop: isAtTop && !hasFocus }
}
