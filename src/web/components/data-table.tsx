/** Tables of objects: real ones, whose rows are links and whose order, page and filters live in the address. */
import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import {
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  type RowSelectionState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import type { ListMetadata } from '../wire.ts'
import { Checkbox } from './checkbox.tsx'
import { classNames } from './class-names.ts'
import { Paging } from './paging.tsx'
import { useRowKeys } from './use-row-keys.ts'

export interface Column<T> {
  readonly id: string
  readonly header: string
  readonly cell: (row: T) => ReactNode
  readonly align?: 'start' | 'end'
  /** The API's word in `sort`; without it the column cannot be sorted by. */
  readonly sort?: string
  /** Left out on screens narrower than this: what matters least goes first. */
  readonly from?: 'sm' | 'md' | 'lg' | 'xl'
}

export interface TableOrder {
  readonly sort: string | undefined
  readonly order: 'asc' | 'desc'
  readonly onSort: (sort: string, order: 'asc' | 'desc') => void
}

export interface DataTableProps<T extends { readonly id: string }> {
  /** What the table lists, for screen readers: `Keys`. */
  readonly label: string
  readonly rows: readonly T[]
  /** Make it once, at module level or with `useMemo`. The first column is the row's name and holds its link. */
  readonly columns: readonly Column<T>[]
  readonly hrefOf?: (row: T) => string
  readonly order?: TableOrder
  readonly page?: ListMetadata
  readonly onOffset?: (offset: number) => void
  /** Rows can be chosen, and these are the acts on the chosen ones. */
  readonly bulk?: (chosen: readonly T[], clear: () => void) => ReactNode
  /** Instead of rows, when there are none. */
  readonly empty?: ReactNode
  /** Columns that are left out, by id. */
  readonly hidden?: readonly string[]
}

const FEATURES = tableFeatures({ rowSelectionFeature, rowSortingFeature, columnVisibilityFeature })
const FROM = { sm: 'max-sm:hidden', md: 'max-md:hidden', lg: 'max-lg:hidden', xl: 'max-xl:hidden' } as const
const CELL = 'px-3 first:pl-4 last:pr-4'
/** Covers what scrolls beneath it, within the round corners of a card that has no title above. */
const HEAD = 'bg-surface first:rounded-tl-card last:rounded-tr-card'

export function DataTable<T extends { readonly id: string }>(props: DataTableProps<T>) {
  const { label, rows, columns, hrefOf, order, page, onOffset, bulk, empty, hidden } = props
  const [selection, setSelection] = useState<RowSelectionState>({})
  const body = useRef<HTMLTableSectionElement>(null)
  useRowKeys(body)
  const table = useTable({
    features: FEATURES,
    columns: useMemo(() => columns.map(({ id }) => ({ id })), [columns]),
    data: rows,
    getRowId: (row) => row.id,
    manualSorting: true,
    state: {
      rowSelection: selection,
      columnVisibility: useMemo(() => Object.fromEntries((hidden ?? []).map((id) => [id, false])), [hidden]),
    },
    onRowSelectionChange: setSelection,
  })
  const shown = columns.filter(({ id }) => table.getColumn(id)?.getIsVisible())
  const chosen = rows.filter(({ id }) => selection[id])
  const clear = (): void => setSelection({})
  if (rows.length === 0) return empty
  return (
    <div>
      {bulk && chosen.length > 0 && <BulkBar count={chosen.length}>{bulk(chosen, clear)}</BulkBar>}
      <div className="max-lg:overflow-x-auto">
        <table aria-label={label} className="w-full border-collapse text-dense">
          <thead className="z-10 lg:sticky lg:top-13">
            <tr className="border-b border-line">
              {bulk && (
                <th scope="col" className={classNames(HEAD, 'w-8 pl-4 text-left')}>
                  <Checkbox
                    hideLabel
                    label="Choose every row"
                    checked={table.getIsAllRowsSelected()}
                    mixed={table.getIsSomeRowsSelected()}
                    onChange={(on) => table.toggleAllRowsSelected(on)}
                  />
                </th>
              )}
              {shown.map((column) => (
                <HeaderCell key={column.id} column={column} order={order} />
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            {rows.map((row) => (
              <tr
                key={row.id}
                className="relative h-11 border-b border-line last:border-b-0 hover:bg-hover has-[:focus-visible]:bg-hover"
                data-chosen={selection[row.id] || undefined}
              >
                {bulk && (
                  <td className="relative z-1 w-8 pl-4">
                    <Checkbox
                      hideLabel
                      label="Choose this row"
                      checked={selection[row.id] === true}
                      onChange={(on) => table.getRow(row.id).toggleSelected(on)}
                    />
                  </td>
                )}
                {shown.map((column, at) => (
                  <BodyCell key={column.id} column={column} row={row} href={at === 0 ? hrefOf?.(row) : undefined} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {page && onOffset && <Paging page={page} onOffset={onOffset} />}
    </div>
  )
}

function BulkBar({ count, children }: { count: number; children: ReactNode }) {
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-2 border-b border-line bg-accent-soft px-4 py-1.5 text-dense text-accent-ink">
      <span role="status" className="mr-auto font-medium">
        {count} chosen
      </span>
      {children}
    </div>
  )
}

function HeaderCell<T>({ column, order }: { column: Column<T>; order: TableOrder | undefined }) {
  const { header, align, sort, from } = column
  const className = classNames(
    CELL,
    HEAD,
    'h-9 text-left text-caption font-medium whitespace-nowrap text-muted',
    align === 'end' && 'text-right',
    from && FROM[from],
  )
  if (sort === undefined || order === undefined) {
    return (
      <th scope="col" className={className}>
        {header}
      </th>
    )
  }
  const isSorted = order.sort === sort
  const isDescending = isSorted && order.order === 'desc'
  const Icon = isSorted ? (isDescending ? ArrowDown : ArrowUp) : ArrowUpDown
  return (
    <th
      scope="col"
      className={className}
      aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        onClick={() => order.onSort(sort, isDescending ? 'asc' : 'desc')}
        className="touch group inline-flex min-h-6 items-center gap-1 hover:text-ink"
      >
        {header}
        <Icon
          aria-hidden="true"
          size={12}
          className={isSorted ? '' : 'opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100'}
        />
      </button>
    </th>
  )
}

interface BodyCellProps<T> {
  readonly column: Column<T>
  readonly row: T
  /** Set on the row's name: the link covers the whole row. */
  readonly href: string | undefined
}

function BodyCell<T>({ column: { cell, align, from }, row, href }: BodyCellProps<T>) {
  const className = classNames(CELL, 'py-1.5', align === 'end' && 'text-right whitespace-nowrap', from && FROM[from])
  if (href === undefined) return <td className={className}>{cell(row)}</td>
  return (
    <td className={className}>
      <Link to={href} data-row="" className="font-medium after:absolute after:inset-0">
        {cell(row)}
      </Link>
    </td>
  )
}

/** Puts a control inside a row that is a link: its own click stays its own. */
export function RowControl({ children }: { children: ReactNode }) {
  return <span className="relative z-1 inline-flex items-center gap-1">{children}</span>
}
