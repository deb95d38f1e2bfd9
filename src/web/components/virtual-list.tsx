import { Link } from '@tanstack/react-router'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { classNames } from './class-names.ts'
import { PHONE, useMedia } from './use-media.ts'
import { useRowKeys } from './use-row-keys.ts'

export const ROW_PX = 38
/** Two lines. */
const COMPACT_ROW_PX = 58
const OVERSCAN = 8

export interface VirtualColumn<T> {
  readonly id: string
  readonly header: string
  /** A track of the grid: `7rem`, `minmax(8rem, 2fr)`. */
  readonly width: string
  readonly cell: (row: T) => ReactNode
  readonly align?: 'start' | 'end'
}

export interface VirtualListProps<T extends { readonly id: string }> {
  readonly label: string
  readonly rows: readonly T[]
  readonly columns: readonly VirtualColumn<T>[]
  /** How many there are, loaded or not. */
  readonly total: number
  /** A row is a link. */
  readonly hrefOf?: (row: T) => string
  /** The reader is near the last loaded row: load more. */
  readonly onNearEnd?: () => void
  /** Rows that have just come in, and are tinted for a moment. */
  readonly fresh?: ReadonlySet<string>
  readonly selectedId?: string | undefined
  /** On phones: one cell of two lines that says it all, instead of the columns. */
  readonly compact?: ((row: T) => ReactNode) | undefined
  readonly scroller?: RefObject<HTMLDivElement | null>
}

/** A table of any length: only what is in sight is drawn. Rows are all of one height; the focused one stays while it scrolls out. */
export function VirtualList<T extends { readonly id: string }>(props: VirtualListProps<T>) {
  const { label, rows, columns, total, hrefOf, onNearEnd, fresh, selectedId } = props
  const isPhone = useMedia(PHONE)
  const compact = isPhone ? props.compact : undefined
  const rowPx = compact === undefined ? ROW_PX : COMPACT_ROW_PX
  const own = useRef<HTMLDivElement>(null)
  const scroller = props.scroller ?? own
  useRowKeys(scroller)
  const focusedId = useRef<string | undefined>(undefined)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    getItemKey: (at) => rows[at]?.id ?? at,
    rangeExtractor: (range) => withFocused(range, indexOf(rows, focusedId.current)),
  })
  useEffect(() => virtualizer.measure(), [virtualizer, rowPx])
  const items = virtualizer.getVirtualItems()
  useNearEnd(items.at(-1)?.index ?? 0, rows.length, onNearEnd)
  const template = columns.map(({ width }) => width).join(' ')
  return (
    <div
      ref={scroller}
      role="table"
      aria-label={label}
      aria-rowcount={total + 1}
      className="relative min-h-0 flex-1 overflow-auto bg-surface"
      onFocus={({ target }) => {
        focusedId.current = target.closest<HTMLElement>('[data-id]')?.dataset['id']
      }}
      onBlur={() => {
        focusedId.current = undefined
      }}
    >
      <div role="rowgroup" className={compact ? 'sr-only' : 'sticky top-0 z-2 min-w-fit bg-canvas'}>
        <div
          role="row"
          aria-rowindex={1}
          style={{ gridTemplateColumns: template }}
          className="grid h-8 items-center gap-x-3 border-b border-line px-4 md:px-6"
        >
          {columns.map(({ id, header, align }) => (
            <span
              key={id}
              role="columnheader"
              className={classNames('truncate text-caption font-medium text-muted', align === 'end' && 'text-right')}
            >
              {header}
            </span>
          ))}
        </div>
      </div>
      <div
        role="rowgroup"
        className={classNames('relative', compact === undefined && 'min-w-fit')}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {items.map(({ index, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <DrawnRow
              key={row.id}
              row={row}
              index={index}
              start={start}
              rowPx={rowPx}
              template={template}
              columns={columns}
              compact={compact}
              href={hrefOf?.(row)}
              isFresh={fresh?.has(row.id) === true}
              isSelected={row.id === selectedId}
            />
          )
        })}
      </div>
    </div>
  )
}

interface DrawnRowProps<T> extends Pick<VirtualListProps<T & { readonly id: string }>, 'columns' | 'compact'> {
  readonly row: T
  readonly index: number
  readonly start: number
  readonly rowPx: number
  readonly template: string
  readonly href: string | undefined
  readonly isFresh: boolean
  readonly isSelected: boolean
}

/** Drawn again only when it has changed: while the list scrolls most rows have not. */
const DrawnRow = memo(function DrawnRow<T extends { readonly id: string }>(props: DrawnRowProps<T>) {
  const { row, index, start, rowPx, template, columns, compact, href, isFresh, isSelected } = props
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-current={isSelected || undefined}
      data-id={row.id}
      style={{
        height: rowPx,
        transform: `translateY(${start}px)`,
        gridTemplateColumns: compact === undefined ? template : 'minmax(0, 1fr)',
      }}
      className={classNames(
        'absolute inset-x-0 top-0 grid items-center gap-x-3 border-b border-line px-4 text-dense hover:bg-hover md:px-6',
        'has-focus-visible:bg-hover aria-[current]:bg-accent-soft aria-[current]:shadow-[inset_3px_0_var(--color-accent)]',
        isFresh && 'tint-in',
      )}
    >
      {compact ? (
        <div role="cell" aria-colspan={columns.length} className="col-span-full min-w-0">
          <RowLink href={href}>{compact(row)}</RowLink>
        </div>
      ) : (
        columns.map(({ id, cell, align }, at) => (
          <span key={id} role="cell" className={classNames('min-w-0 truncate', align === 'end' && 'text-right')}>
            {at === 0 ? <RowLink href={href}>{cell(row)}</RowLink> : cell(row)}
          </span>
        ))
      )}
    </div>
  )
}) as <T extends { readonly id: string }>(props: DrawnRowProps<T>) => ReactNode // memo forgets the type parameter

/** Covers its whole row. */
function RowLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (href === undefined) return children
  return (
    <Link to={href} data-row="" className="block after:absolute after:inset-0 focus-visible:-outline-offset-2">
      {children}
    </Link>
  )
}

function indexOf(rows: readonly { readonly id: string }[], id: string | undefined): number | undefined {
  return id === undefined ? undefined : rows.findIndex((row) => row.id === id)
}

function withFocused(range: Range, focused: number | undefined): number[] {
  const visible = defaultRangeExtractor(range)
  if (focused === undefined || focused < 0 || visible.includes(focused)) return visible
  return [...visible, focused].sort((a, b) => a - b)
}

function useNearEnd(lastDrawn: number, loaded: number, onNearEnd: (() => void) | undefined): void {
  const isNear = loaded > 0 && lastDrawn >= loaded - OVERSCAN
  useEffect(() => {
    if (isNear) onNearEnd?.()
  }, [isNear, loaded, onNearEnd])
}
