import { useMemo, useState } from 'react'
import { useSearch } from '../../address.ts'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { Card } from '../../components/card.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterChips, type FilterSpec } from '../../components/filter-chips.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { useListAddress } from '../../components/use-list-address.ts'
import { useNames } from '../../names.tsx'
import { Page } from '../../shell/page.tsx'
import { POLL_MS, quotas, useOverview } from './data.ts'
import { OverviewFigures } from './overview-figures.tsx'
import type { Asked } from './quota-acts.tsx'
import { columnsFor } from './quota-columns.tsx'
import { QuotaDialog } from './quota-dialog.tsx'

const FILTERS = ['provider', 'account_id'] as const

/** By what routing goes by: what is used up, then what nearly is; what was said long ago comes last. */
const NEAREST_FIRST = { sort: 'left', order: 'asc' } as const

export default function QuotasPage() {
  const list = useListAddress(FILTERS)
  const query = quotas.useList({ ...list.query, ...(list.sort === undefined && NEAREST_FIRST) }, { everyMs: POLL_MS })
  const overview = useOverview()
  const filters = useFilters()
  const [asked, setAsked] = useState<Asked>()
  const columns = useMemo(() => columnsFor(setAsked), [])
  return (
    <Page title="Quotas" docs="quotas">
      <div className="grid gap-4">
        {overview.data !== undefined && overview.data.accounts > 0 && <OverviewFigures overview={overview.data} />}
        <div className="flex flex-wrap items-center gap-2">
          <SearchField label="Provider, model or window" />
          <FilterChips filters={filters} />
        </div>
        <Card flush>
          <Loaded query={query} what="The quotas could not be read">
            {({ data, metadata }) => (
              <DataTable
                label="Quotas"
                rows={data}
                columns={columns}
                hrefOf={({ provider, account_id }) => `/providers/${provider}/accounts/${account_id}`}
                order={list}
                page={metadata}
                onOffset={list.onOffset}
                empty={<Nothing isFiltered={list.isFiltered} />}
              />
            )}
          </Loaded>
        </Card>
      </div>
      {asked && <QuotaDialog asked={asked} />}
    </Page>
  )
}

function useFilters(): readonly FilterSpec[] {
  const { data } = useOverview()
  const accounts = useNames('/v1/accounts')
  return useMemo(
    () => [
      {
        name: 'provider',
        label: 'Provider',
        options: (data?.by_provider ?? []).map(({ provider }) => ({ value: provider, label: provider })),
      },
      { name: 'account_id', label: 'Account', options: accounts.map(({ id, name }) => ({ value: id, label: name })) },
    ],
    [data, accounts],
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const [, setSearch] = useSearch()
  if (isFiltered) {
    const clear = (): void => setSearch({ q: null, provider: null, account_id: null, offset: null })
    return <EmptyState title="No quota matches" action={<Button onClick={clear}>Clear search and filters</Button>} />
  }
  return (
    <EmptyState title="No quotas known yet" action={<ButtonLink to="/providers">Show the providers</ButtonLink>}>
      A quota is what an account has left. Providers tell it in the headers of their answers, so that it comes with the
      first request; limits that you give an account are counted from the start.
    </EmptyState>
  )
}
