import { Plus } from 'lucide-react'
import { useSearch } from '../../address.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useListAddress } from '../../components/use-list-address.ts'
import { plural } from '../../format/count.ts'
import { networkOf } from '../../network.ts'
import { useNewCommand } from '../../shell/new-command.ts'
import { Page } from '../../shell/page.tsx'
import type { CustomProvider } from '../../wire.ts'
import { customProviders, dialectWord } from './data.ts'

const COLUMNS: readonly Column<CustomProvider>[] = [
  { id: 'name', header: 'Name', sort: 'name', cell: (provider) => <Name provider={provider} /> },
  {
    id: 'dialects',
    header: 'Speaks',
    from: 'md',
    cell: ({ dialects }) => dialects.map(({ dialect }) => dialectWord(dialect)).join(', '),
  },
  { id: 'models', header: 'Models', from: 'sm', cell: (provider) => <Models provider={provider} /> },
  {
    id: 'changed',
    header: 'Changed',
    align: 'end',
    from: 'lg',
    cell: ({ updated_at }) => (
      <span className="text-muted">
        <RelativeTime at={updated_at} />
      </span>
    ),
  },
]

const NEW = '/custom-providers/new'

export default function CustomProvidersPage() {
  const list = useListAddress()
  const query = customProviders.useList(list.query)
  useNewCommand('custom provider', NEW)
  return (
    <Page title="Custom providers" docs="own-provider">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-2">
        <SearchField label="Name, slug or address" />
        <ButtonLink to={NEW} tone="primary" icon={Plus}>
          New custom provider
        </ButtonLink>
      </div>
      <Card flush>
        <Loaded query={query} what="The custom providers could not be read">
          {({ data, metadata }) => (
            <DataTable
              label="Custom providers"
              rows={data}
              columns={COLUMNS}
              hrefOf={({ id }) => `/custom-providers/${id}`}
              order={list}
              page={metadata}
              onOffset={list.onOffset}
              empty={<Nothing isFiltered={list.isFiltered} />}
            />
          )}
        </Loaded>
      </Card>
    </Page>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const [, setSearch] = useSearch()
  if (isFiltered) {
    return (
      <EmptyState
        title="No custom provider matches"
        action={<Button onClick={() => setSearch({ q: null, offset: null })}>Clear the search</Button>}
      />
    )
  }
  return (
    <EmptyState
      title="No custom providers yet"
      action={
        <ButtonLink to={NEW} tone="primary" icon={Plus}>
          New custom provider
        </ButtonLink>
      }
    >
      A custom provider is any host that speaks a chat format that the gateway knows, such as a server of your own.
    </EmptyState>
  )
}

function Name({ provider: { name, slug, dialects } }: { provider: CustomProvider }) {
  const address = dialects[0]?.base_url ?? ''
  const network = networkOf(address)
  return (
    <span className="grid gap-0.5">
      <span className="flex flex-wrap items-center gap-2">
        {name}
        {network === 'local network' && <Badge>LAN</Badge>}
        {network === 'this machine' && <Badge>This machine</Badge>}
      </span>
      <span className="font-mono text-caption font-normal break-all text-muted">
        {slug} · {address}
      </span>
    </span>
  )
}

function Models({ provider: { models_mode, models } }: { provider: CustomProvider }) {
  if (models_mode === 'fetch') return <span className="text-muted">asked for</span>
  return (
    <>
      {plural(models.length, 'model')}
      {models_mode === 'both' && <span className="text-muted"> and those asked for</span>}
    </>
  )
}
