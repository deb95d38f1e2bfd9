import { Plus } from 'lucide-react'
import { useSearch } from '../../address.ts'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { useListAddress } from '../../components/use-list-address.ts'
import { useNewCommand } from '../../shell/new-command.ts'
import { Page } from '../../shell/page.tsx'
import { chains } from '../../target-names.ts'
import { ChainTable } from './chain-table.tsx'
import { EXAMPLES } from './examples.ts'

export default function ChainsPage() {
  const list = useListAddress()
  const query = chains.useList(list.query)
  useNewCommand('chain', '/chains/new')
  return (
    <Page title="Chains" docs="chains">
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchField label="Find a chain" />
        <span className="sm:ml-auto">
          <ButtonLink to="/chains/new" tone="primary" icon={Plus}>
            New chain
          </ButtonLink>
        </span>
      </div>
      <Card flush>
        <Loaded query={query} what="The chains could not be read">
          {({ data, metadata }) => (
            <ChainTable
              rows={data}
              order={list}
              page={metadata}
              onOffset={list.onOffset}
              empty={list.isFiltered ? <NoMatch /> : <NoChains />}
            />
          )}
        </Loaded>
      </Card>
    </Page>
  )
}

function NoChains() {
  return (
    <EmptyState
      title="No chains yet"
      action={EXAMPLES.map(({ id, label }) => (
        <ButtonLink key={id} to={`/chains/new?example=${id}`}>
          {label}
        </ButtonLink>
      ))}
    >
      A chain tries several models in order. Clients ask for it like for a model, and get the first answer. Begin with
      an example, which is not saved before you say so:
    </EmptyState>
  )
}

function NoMatch() {
  const [search, setSearch] = useSearch()
  return (
    <EmptyState
      title={`No chain matches “${search['q'] ?? ''}”`}
      action={<Button onClick={() => setSearch({ q: null, offset: null })}>Clear the search</Button>}
    >
      Names, slugs, descriptions and the models of steps are searched.
    </EmptyState>
  )
}
