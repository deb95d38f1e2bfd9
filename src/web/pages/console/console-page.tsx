import { ArrowUp, Pause, Play, Trash2 } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useSearch } from '../../address.ts'
import { useAnnounce, useApi, useApp, useToasts } from '../../app-context.ts'
import { Button } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { classNames } from '../../components/class-names.ts'
import { ConfirmDestructive } from '../../components/confirm-destructive.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState, reasonOf } from '../../components/error-state.tsx'
import { FilterChips, type FilterSpec, useClearFilters } from '../../components/filter-chips.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { countText, plural } from '../../format/count.ts'
import { useCommands } from '../../shell/commands.ts'
import { Page } from '../../shell/page.tsx'
import { useStore } from '../../store.ts'
import type { ConsoleEntry } from '../../wire.ts'
import { ConsoleLine, LEVELS } from './console-line.tsx'
import { CONSOLE } from './follow-console.ts'
import { type ConsoleFeed, useConsole } from './use-console.ts'

const SOURCES: readonly ConsoleEntry['source'][] = [
  'gateway',
  'router',
  'provider',
  'auth',
  'budget',
  'guardrail',
  'tunnel',
  'db',
  'http',
]
const FILTERS: readonly FilterSpec[] = [
  {
    name: 'level',
    label: 'Level',
    options: [
      { value: 'error', label: 'Errors alone' },
      { value: 'warn', label: 'Warnings and errors' },
      { value: 'info', label: 'All but debugging' },
    ],
  },
  { name: 'source', label: 'Source', options: SOURCES.map((source) => ({ value: source, label: source })) },
]
const TOP_PX = 4

export default function ConsolePage() {
  const [{ level, source, q }] = useSearch()
  const filters = useMemo(() => ({ level, source, q }), [level, source, q])
  const [isPaused, setPaused] = useState(false)
  const [isAtTop, setAtTop] = useState(true)
  const feed = useConsole(filters, isPaused || !isAtTop)
  const list = useRef<HTMLDivElement>(null)
  useCommands(
    useMemo(
      () => [
        {
          id: 'pause console',
          group: 'Do',
          label: isPaused ? 'Follow the console' : 'Pause the console',
          shortcut: 'L',
          run: () => setPaused(!isPaused),
        },
      ],
      [isPaused],
    ),
  )
  return (
    <Page title="Console" docs="requests" width="full">
      <div className="flex h-[calc(100dvh-3.25rem)] min-h-96 flex-col max-md:h-[calc(100dvh-7.25rem)]">
        <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-3 md:px-6">
          <div className="min-w-0 flex-1 sm:flex-none">
            <SearchField label="Message, id or field" />
          </div>
          <div className="max-sm:order-last max-sm:w-full">
            <FilterChips filters={FILTERS} />
          </div>
          <span className="flex items-center gap-2 sm:ml-auto">
            <ClearConsole count={feed.entries?.length ?? 0} onCleared={feed.forget} />
            <Button
              tone={isPaused ? 'plain' : 'soft'}
              icon={isPaused ? Play : Pause}
              aria-pressed={!isPaused}
              onClick={() => setPaused(!isPaused)}
            >
              Live
            </Button>
          </span>
        </div>
        <div className="relative flex min-h-0 flex-1 flex-col">
          <Waiting feed={feed} onShow={() => list.current?.scrollTo({ top: 0 })} />
          <div
            ref={list}
            tabIndex={0}
            role="region"
            aria-label="Events, newest first"
            className="min-h-0 flex-1 overflow-y-auto bg-surface focus-visible:-outline-offset-2"
            onScroll={({ currentTarget }) => setAtTop(currentTarget.scrollTop <= TOP_PX)}
          >
            <Events feed={feed} isFiltered={level !== undefined || source !== undefined || q !== undefined} />
          </div>
        </div>
      </div>
    </Page>
  )
}

function Events({ feed, isFiltered }: { feed: ConsoleFeed; isFiltered: boolean }) {
  const { connection } = useApp()
  const isOut = useStore(connection.outage) !== undefined
  const clear = useClearFilters(FILTERS)
  const known = useFirst(feed.entries)
  const { entries, error } = feed
  if (entries === undefined) {
    if (error !== undefined)
      return <ErrorState what="The console could not be read" error={error} onRetry={feed.retry} />
    return (
      <div className="px-4 md:px-6">
        <Skeleton rows={10} />
      </div>
    )
  }
  if (entries.length === 0 && isFiltered) {
    return (
      <EmptyState title="No events with these filters" action={<Button onClick={clear}>Clear the filters</Button>}>
        The console holds the last 500 events since the gateway started.
      </EmptyState>
    )
  }
  if (entries.length === 0) {
    return (
      <EmptyState title="No events yet">
        What the gateway has to say appears here by itself: failed tries, accounts that rest, errors. It is kept in
        memory alone.
      </EmptyState>
    )
  }
  return (
    <>
      {error !== undefined && !isOut && (
        <div className="px-4 py-2 md:px-6">
          <Callout tone="caution">
            The console is not followed at the moment. {reasonOf(error)} It is tried again by itself.
          </Callout>
        </div>
      )}
      <ol className={classNames(isOut && 'opacity-60')}>
        {entries.map((entry) => (
          <ConsoleLine key={entry.seq} entry={entry} isFresh={entry.seq > known} />
        ))}
      </ol>
    </>
  )
}

/** The newest entry of the first answer: whatever comes after it is new. */
function useFirst(entries: readonly ConsoleEntry[] | undefined): number {
  const first = useRef<number>(undefined)
  if (entries === undefined) first.current = undefined
  else first.current ??= entries[0]?.seq ?? 0
  return first.current ?? 0
}

function Waiting({ feed: { waiting, catchUp }, onShow }: { feed: ConsoleFeed; onShow: () => void }) {
  const announce = useAnnounce()
  const isWaiting = waiting > 0
  useEffect(() => {
    if (isWaiting) announce('New events have come in')
  }, [isWaiting, announce])
  if (!isWaiting) return null
  return (
    <div className="pointer-events-none absolute inset-x-0 top-2.5 z-3 flex justify-center">
      <button
        type="button"
        onClick={() => {
          onShow()
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

function ClearConsole({ count, onCleared }: { count: number; onCleared: () => void }) {
  const api = useApi()
  const toasts = useToasts()
  const dialog = useRef<HTMLDialogElement>(null)
  async function clear(): Promise<void> {
    const message = await api.remove(CONSOLE)
    onCleared()
    toasts.done(message.charAt(0).toUpperCase() + message.slice(1))
  }
  return (
    <>
      <Button
        icon={Trash2}
        onClick={() => dialog.current?.showModal()}
        {...(count === 0 && { disabledBecause: 'There is nothing to clear', hideReason: true })}
      >
        Clear
      </Button>
      <ConfirmDestructive
        dialog={dialog}
        title="Clear the console?"
        act="Clear"
        consequences={[
          {
            icon: Trash2,
            tone: 'danger',
            text: `Every event that the gateway holds is forgotten, for everybody, not only the ${plural(count, 'event')} shown here.`,
          },
          { icon: LEVELS.info.icon, tone: 'plain', text: 'That it was cleared, and by whom, stays in the audit log.' },
        ]}
        onConfirm={clear}
      />
    </>
  )
}
