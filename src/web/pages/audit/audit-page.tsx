import { ShieldCheck } from 'lucide-react'
import { useRef } from 'react'
import { useQuery, keepPreviousData } from '@tanstack/react-query'
import { useSearch } from '../../address.ts'
import type { ApiError } from '../../api-error.ts'
import { useApi } from '../../app-context.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterChips, type FilterSpec, useClearFilters } from '../../components/filter-chips.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Paging } from '../../components/paging.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { useListAddress } from '../../components/use-list-address.ts'
import { useRowKeys } from '../../components/use-row-keys.ts'
import { Page } from '../../shell/page.tsx'
import type { AuditEntry, List } from '../../wire.ts'
import { AuditRow } from './audit-row.tsx'
import { ACTIONS, OBJECT_TYPES } from './audit-words.ts'

const AUDIT = '/v1/audit'
const FILTERS: readonly FilterSpec[] = [
  { name: 'actor', label: 'Who', type: 'text' },
  { name: 'action', label: 'Act', options: ACTIONS },
  { name: 'object_type', label: 'Object', options: OBJECT_TYPES },
  { name: 'from', label: 'From', type: 'time' },
  { name: 'to', label: 'Until', type: 'time' },
]
const FILTER_NAMES = FILTERS.map(({ name }) => name)
const HEADER = 'h-9 px-3 text-left text-caption font-medium text-muted first:pl-4 last:pr-4 md:first:pl-6 md:last:pr-6'

export default function AuditPage() {
  const list = useListAddress(FILTER_NAMES, 50)
  const api = useApi()
  const query = useQuery<List<AuditEntry>, ApiError>({
    queryKey: [AUDIT, 'list', list.query],
    queryFn: ({ signal }) => api.list(AUDIT, { query: list.query, signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page title="Audit">
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchField label="Name, id, address or act" />
        <FilterChips filters={FILTERS} />
      </div>
      <Card flush>
        <Loaded query={query} what="The audit log could not be read">
          {({ data, metadata }) => (
            <>
              {data.length === 0 ? <NoEntries isFiltered={list.isFiltered} /> : <AuditTable entries={data} />}
              <Paging page={metadata} onOffset={list.onOffset} />
            </>
          )}
        </Loaded>
      </Card>
      <p className="mt-3 flex items-start gap-2 text-caption text-muted">
        <ShieldCheck aria-hidden="true" size={14} strokeWidth={1.75} className="mt-px shrink-0" />
        <span>
          Entries are only ever added, and each is sealed to the one before it. Check the seals with{' '}
          <code>signalbox audit verify</code> on the gateway’s machine.
        </span>
      </p>
    </Page>
  )
}

function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  const [search, setSearch] = useSearch()
  const body = useRef<HTMLTableSectionElement>(null)
  useRowKeys(body)
  const open = search['entry']
  return (
    <div className="overflow-x-auto">
      <table aria-label="Audit log, newest first" className="w-full border-collapse text-dense">
        <thead>
          <tr className="border-b border-line">
            <th scope="col" className={HEADER}>
              Time
            </th>
            <th scope="col" className={HEADER}>
              Act
            </th>
            <th scope="col" className={`${HEADER} max-md:hidden`}>
              Who
            </th>
            <th scope="col" className={`${HEADER} max-lg:hidden`}>
              From
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {entries.map((entry) => (
            <AuditRow
              key={entry.id}
              entry={entry}
              isOpen={entry.id === open}
              onToggle={() => setSearch({ entry: entry.id === open ? null : entry.id })}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function NoEntries({ isFiltered }: { isFiltered: boolean }) {
  const clear = useClearFilters(FILTERS)
  if (!isFiltered)
    return <EmptyState title="Nothing yet">What operators change, reveal or delete is listed here.</EmptyState>
  return (
    <EmptyState title="No entries with these filters" action={<Button onClick={clear}>Clear the filters</Button>}>
      Nothing in the audit log matches all of them.
    </EmptyState>
  )
}
