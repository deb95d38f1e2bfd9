import { CalendarClock, Download, Plus, SlidersHorizontal } from 'lucide-react'
import { useMemo } from 'react'
import { useGo } from '../../address.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterChips, type FilterSpec, useClearFilters } from '../../components/filter-chips.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { ClockTime } from '../../components/time.tsx'
import { useListAddress } from '../../components/use-list-address.ts'
import { plural } from '../../format/count.ts'
import { rateText } from '../../format/money.ts'
import { SOURCES } from '../../price-words.ts'
import { type NamedRate, useRates } from '../../prices.ts'
import { useCommands } from '../../shell/commands.ts'
import { Page } from '../../shell/page.tsx'

const FILTERS: readonly FilterSpec[] = [
  { name: 'provider', label: 'Provider', type: 'text' },
  {
    name: 'source',
    label: 'Source',
    options: Object.entries(SOURCES).map(([value, label]) => ({ value, label })),
  },
]
const FILTER_NAMES = FILTERS.map(({ name }) => name)

const COLUMNS: readonly Column<NamedRate>[] = [
  { id: 'model', header: 'Model', sort: 'model', cell: ({ id }) => <span className="font-mono text-dense">{id}</span> },
  { id: 'input', header: 'Input', sort: 'input', align: 'end', cell: ({ input }) => rateText(input) },
  { id: 'output', header: 'Output', sort: 'output', align: 'end', cell: ({ output }) => rateText(output) },
  { id: 'read', header: 'Cache read', align: 'end', from: 'md', cell: (rate) => rateText(rate.cache_read) },
  { id: 'write', header: 'Cache write', align: 'end', from: 'lg', cell: (rate) => rateText(rate.cache_write_5m) },
  { id: 'tiers', header: 'Long prompts', from: 'xl', cell: ({ tiers }) => tiersText(tiers.length) },
  { id: 'source', header: 'Source', from: 'sm', cell: (rate) => <Source rate={rate} /> },
  {
    id: 'since',
    header: 'Since',
    from: 'lg',
    cell: ({ effective_from: since }) => (since === null ? '–' : <ClockTime at={since} />),
  },
]

/** What every model costs now, and where that comes from. */
export default function PricesPage() {
  const list = useListAddress(FILTER_NAMES)
  const query = useRates(list.query)
  useGoToNew()
  return (
    <Page
      title="Prices"
      docs="prices"
      trail={[{ label: 'Models', to: '/models' }]}
      actions={
        <>
          <ButtonLink to="/models/prices/set" icon={SlidersHorizontal}>
            Prices set here
          </ButtonLink>
          <ButtonLink to="/models/prices/newer" icon={Download}>
            Newer prices
          </ButtonLink>
          <ButtonLink to="/models/prices/past" icon={CalendarClock}>
            Price the past
          </ButtonLink>
          <ButtonLink to="/models/prices/new" icon={Plus} tone="primary">
            Set a price
          </ButtonLink>
        </>
      }
    >
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchField label="Find a model" />
        <FilterChips filters={FILTERS} />
        <span className="text-caption text-muted sm:ml-auto">US dollars per million tokens</span>
      </div>
      <Card flush>
        <Loaded query={query} what="The prices could not be read">
          {({ data, metadata }) => (
            <DataTable
              label="Prices"
              rows={data}
              columns={COLUMNS}
              hrefOf={({ id }) => `/models/one?id=${encodeURIComponent(id)}`}
              order={list}
              page={metadata}
              onOffset={list.onOffset}
              empty={<NoPrices isFiltered={list.isFiltered} />}
            />
          )}
        </Loaded>
      </Card>
    </Page>
  )
}

function useGoToNew(): void {
  const go = useGo()
  useCommands(
    useMemo(
      () => [
        { id: 'new price', group: 'Do', label: 'Set a price', shortcut: 'N', run: () => go('/models/prices/new') },
      ],
      [go],
    ),
  )
}

function tiersText(count: number): string {
  return count === 0 ? '–' : plural(count, 'step')
}

function Source({ rate: { source } }: { rate: NamedRate }) {
  return <Badge tone={source === 'override' ? 'accent' : 'plain'}>{SOURCES[source]}</Badge>
}

function NoPrices({ isFiltered }: { isFiltered: boolean }) {
  const clear = useClearFilters(FILTERS)
  if (!isFiltered) {
    return <EmptyState title="No prices yet">Connect an account, and what its models cost is listed here.</EmptyState>
  }
  return (
    <EmptyState title="No model with a price matches" action={<Button onClick={clear}>Clear the filters</Button>}>
      A model without a price is not listed here; its requests are counted as unpriced.
    </EmptyState>
  )
}
