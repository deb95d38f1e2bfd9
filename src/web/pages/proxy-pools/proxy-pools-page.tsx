import { FlaskConical, Plus } from 'lucide-react'
import { useSearch } from '../../address.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { useListAddress } from '../../components/use-list-address.ts'
import { plural } from '../../format/count.ts'
import { useNewCommand } from '../../shell/new-command.ts'
import { Page } from '../../shell/page.tsx'
import type { ProxyPool } from '../../wire.ts'
import { POLL_MS, proxyPools } from './data.ts'
import { PoolState } from './exit-state.tsx'
import { useRunTest } from './use-run-test.ts'
import { scopeText, STRATEGIES } from './words.ts'

const COLUMNS: readonly Column<ProxyPool>[] = [
  { id: 'name', header: 'Name', sort: 'name', cell: (pool) => <Name pool={pool} /> },
  { id: 'state', header: 'Exits', from: 'sm', cell: (pool) => <PoolState pool={pool} /> },
  { id: 'scope', header: 'For', from: 'md', cell: ({ scope }) => scopeText(scope) },
  {
    id: 'strategy',
    header: 'Which exit',
    from: 'lg',
    cell: ({ strategy }) => (
      <span className="text-muted">{STRATEGIES.find(({ value }) => value === strategy)?.label ?? strategy}</span>
    ),
  },
  {
    id: 'strict',
    header: 'Without an exit',
    align: 'end',
    from: 'md',
    cell: ({ strict }) => <span className="text-muted">{strict ? 'calls fail' : 'calls go direct'}</span>,
  },
]

const NEW = '/proxy-pools/new'

export default function ProxyPoolsPage() {
  const list = useListAddress()
  const query = proxyPools.useList(list.query, { everyMs: POLL_MS })
  const test = useRunTest()
  useNewCommand('proxy pool', NEW)
  const hasPools = (query.data?.data.length ?? 0) > 0
  return (
    <Page title="Proxy pools" docs="proxies">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-2">
        <SearchField label="Name, scope or host" />
        <span className="flex flex-wrap gap-2">
          {hasPools && (
            <Button icon={FlaskConical} busy={test.isRunning} onClick={test.run}>
              Test all
            </Button>
          )}
          <ButtonLink to={NEW} tone="primary" icon={Plus}>
            New proxy pool
          </ButtonLink>
        </span>
      </div>
      <Card flush>
        <Loaded query={query} what="The proxy pools could not be read">
          {({ data, metadata }) => (
            <DataTable
              label="Proxy pools"
              rows={data}
              columns={COLUMNS}
              hrefOf={({ id }) => `/proxy-pools/${id}`}
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
        title="No proxy pool matches"
        action={<Button onClick={() => setSearch({ q: null, offset: null })}>Clear the search</Button>}
      />
    )
  }
  return (
    <EmptyState
      title="No proxy pools yet"
      action={
        <ButtonLink to={NEW} tone="primary" icon={Plus}>
          New proxy pool
        </ButtonLink>
      }
    >
      A proxy pool is a list of proxies that calls to providers leave through: for an account, for a provider or for
      everything. Without one, calls go direct.
    </EmptyState>
  )
}

function Name({ pool }: { pool: ProxyPool }) {
  return (
    <span className="grid gap-0.5">
      <span className="flex flex-wrap items-center gap-2">
        {pool.name}
        {pool.scope === 'global' && <Badge tone="accent">Everything</Badge>}
      </span>
      <span className="text-caption font-normal text-muted">
        <span className="sm:hidden">
          <PoolState pool={pool} />
        </span>
        <span className="max-sm:hidden">{plural(pool.endpoints.length, 'exit')}</span>
      </span>
    </span>
  )
}
