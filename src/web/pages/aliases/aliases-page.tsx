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
import { aliases } from '../../target-names.ts'
import { AliasTable } from './alias-table.tsx'

export default function AliasesPage() {
  const list = useListAddress()
  const query = aliases.useList(list.query)
  useNewCommand('alias', '/aliases/new')
  return (
    <Page title="Aliases" docs="chains">
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchField label="Find an alias" />
        <span className="sm:ml-auto">
          <ButtonLink to="/aliases/new" tone="primary" icon={Plus}>
            New alias
          </ButtonLink>
        </span>
      </div>
      <Card flush>
        <Loaded query={query} what="The aliases could not be read">
          {({ data, metadata }) => (
            <AliasTable
              rows={data}
              order={list}
              page={metadata}
              onOffset={list.onOffset}
              empty={list.isFiltered ? <NoMatch /> : <NoAliases />}
            />
          )}
        </Loaded>
      </Card>
    </Page>
  )
}

function NoAliases() {
  return (
    <EmptyState
      title="No aliases yet"
      action={<ButtonLink to="/aliases/new?example=default">A name of your own for a model</ButtonLink>}
    >
      An alias is a name that stands for a model, or for several with weights. Tools keep the name when you change what
      is behind it. Begin with an example, which is not saved before you say so:
    </EmptyState>
  )
}

function NoMatch() {
  const [search, setSearch] = useSearch()
  return (
    <EmptyState
      title={`No alias matches “${search['q'] ?? ''}”`}
      action={<Button onClick={() => setSearch({ q: null, offset: null })}>Clear the search</Button>}
    >
      Aliases and the models of their targets are searched.
    </EmptyState>
  )
}
