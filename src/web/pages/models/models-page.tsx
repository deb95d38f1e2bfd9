import { CircleDollarSign } from 'lucide-react'
import { useSearch } from '../../address.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterChips, type FilterSpec } from '../../components/filter-chips.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Tokens } from '../../components/quantity.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { useListAddress } from '../../components/use-list-address.ts'
import { plural } from '../../format/count.ts'
import { Page } from '../../shell/page.tsx'
import type { Capabilities } from '../../wire.ts'
import { capabilities, hrefOf } from './data.ts'

const COLUMNS: readonly Column<Capabilities>[] = [
  { id: 'id', header: 'Model', sort: 'id', cell: ({ id }) => <span className="font-mono text-dense">{id}</span> },
  {
    id: 'context',
    header: 'Context',
    align: 'end',
    cell: ({ effective }) => <Tokens count={effective.context_window} />,
  },
  {
    id: 'output',
    header: 'Answer',
    align: 'end',
    from: 'md',
    cell: ({ effective }) => <Tokens count={effective.max_output} />,
  },
  { id: 'takes', header: 'Takes', from: 'lg', cell: ({ effective }) => effective.input_modalities?.join(', ') },
  { id: 'thinking', header: 'Thinking', from: 'sm', cell: ({ effective }) => effective.thinking.style },
  { id: 'tools', header: 'Tools', from: 'xl', cell: ({ effective }) => (effective.tools === false ? 'no' : 'yes') },
  { id: 'override', header: 'Changed', cell: (model) => <Changed model={model} /> },
]

const FILTERS: readonly FilterSpec[] = [{ name: 'provider', label: 'Provider', type: 'text' }]

export default function ModelsPage() {
  const list = useListAddress(['provider'])
  const [search, setSearch] = useSearch()
  const scope = search['scope'] === 'changed' ? 'changed' : 'all'
  const query = capabilities.useList({ ...list.query, ...(scope === 'all' ? { models: 'all' } : {}) })
  return (
    <Page
      title="Models"
      actions={
        <ButtonLink to="/models/prices" icon={CircleDollarSign}>
          Prices
        </ButtonLink>
      }
    >
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchField label="Find a model" />
        <FilterChips filters={FILTERS} />
        <span className="sm:ml-auto">
          <Segmented
            label="Which models"
            value={scope}
            options={SCOPES}
            onChange={(next) => setSearch({ scope: next === 'all' ? null : next, offset: null }, true)}
          />
        </span>
      </div>
      <Card flush>
        <Loaded query={query} what="The models could not be read">
          {({ data, metadata }) => (
            <DataTable
              label="Models"
              rows={data}
              columns={COLUMNS}
              hrefOf={hrefOf}
              order={list}
              page={metadata}
              onOffset={list.onOffset}
              empty={<NoModels isFiltered={list.isFiltered} />}
            />
          )}
        </Loaded>
      </Card>
    </Page>
  )
}

const SCOPES = [
  { value: 'all', label: 'All' },
  { value: 'changed', label: 'With overrides' },
] as const

function Changed({ model: { source_per_field: sources } }: { model: Capabilities }) {
  const count = Object.values(sources).filter((source) => source === 'override').length
  return count === 0 ? null : <Badge tone="accent">{plural(count, 'fact')}</Badge>
}

function NoModels({ isFiltered }: { isFiltered: boolean }) {
  const [, setSearch] = useSearch()
  if (!isFiltered) {
    return <EmptyState title="No overrides">Where the catalogue is wrong about a model, say so on its page.</EmptyState>
  }
  const clear = () => setSearch({ q: null, provider: null, offset: null })
  return (
    <EmptyState title="No model matches" action={<Button onClick={clear}>Clear the filters</Button>}>
      A model that no list has can still be called by its provider and name.
    </EmptyState>
  )
}
