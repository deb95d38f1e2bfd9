import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { useGo } from '../../address.ts'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { useClearFilters } from '../../components/filter-chips.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Money } from '../../components/money.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { accountStatus, Status } from '../../components/status.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useListAddress } from '../../components/use-list-address.ts'
import { countText } from '../../format/count.ts'
import { useCommands } from '../../shell/commands.ts'
import { Page } from '../../shell/page.tsx'
import type { Key } from '../../wire.ts'
import { keyHref, keys, useSwitchKeys } from './data.ts'

const COLUMNS: readonly Column<Key>[] = [
  { id: 'name', header: 'Name', sort: 'name', cell: (key) => key.name },
  { id: 'status', header: 'Status', cell: (key) => <Status name={accountStatus(key.status)} /> },
  {
    id: 'secret',
    header: 'Secret',
    from: 'lg',
    cell: (key) => <code className="text-caption text-muted">{key.secret_masked}</code>,
  },
  {
    id: 'access',
    header: 'May use',
    from: 'xl',
    cell: (key) => <span className="text-muted">{accessWords(key)}</span>,
  },
  {
    id: 'used',
    header: 'Last used',
    sort: 'last_used_at',
    from: 'sm',
    cell: (key) => <RelativeTime at={key.last_used_at} />,
  },
  {
    id: 'expires',
    header: 'Expires',
    sort: 'expires_at',
    from: 'lg',
    cell: (key) => <RelativeTime at={key.expires_at} />,
  },
  { id: 'requests', header: 'Requests', align: 'end', from: 'md', cell: (key) => countText(key.requests_total) },
  { id: 'spend', header: 'Cost', align: 'end', cell: (key) => <Money usd={key.spend_usd} /> },
]

/** Every key: what it may, when it was last used, what it has cost. */
export default function KeysPage() {
  const list = useListAddress()
  const query = keys.useList(list.query)
  const go = useGo()
  useCommands(
    useMemo(
      () => [
        {
          id: 'new-key',
          group: 'Do',
          label: 'New key',
          shortcut: 'N',
          icon: Plus,
          run: () => go('/keys/new'),
        } as const,
      ],
      [go],
    ),
  )
  return (
    <Page title="Keys" docs="keys">
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchField label="Search by name or prefix" />
        <ButtonLink to="/keys/new" tone="primary" icon={Plus} className="ml-auto">
          New key
        </ButtonLink>
      </div>
      <Card flush>
        <Loaded query={query} what="The keys could not be read">
          {({ data, metadata }) => (
            <DataTable
              label="Keys"
              rows={data}
              columns={COLUMNS}
              hrefOf={keyHref}
              order={list}
              page={metadata}
              onOffset={list.onOffset}
              bulk={(chosen, clear) => <BulkActs chosen={chosen} clear={clear} />}
              empty={<NoKeys isFiltered={list.isFiltered} />}
            />
          )}
        </Loaded>
      </Card>
    </Page>
  )
}

function BulkActs({ chosen, clear }: { chosen: readonly Key[]; clear: () => void }) {
  const put = useSwitchKeys()
  const act = (status: 'active' | 'disabled') => () => void put(chosen, status).then(clear)
  return (
    <>
      <Button small onClick={act('active')}>
        Enable
      </Button>
      <Button small onClick={act('disabled')}>
        Disable
      </Button>
    </>
  )
}

function NoKeys({ isFiltered }: { isFiltered: boolean }) {
  const clear = useClearFilters([])
  if (isFiltered) {
    return (
      <EmptyState title="No key matches this search" action={<Button onClick={clear}>Clear the search</Button>}>
        Names and the first characters of secrets are searched.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="No keys yet"
      action={
        <ButtonLink to="/keys/new" tone="primary" icon={Plus}>
          New key
        </ButtonLink>
      }
    >
      A key lets a tool use the gateway, within the bounds that you set.
    </EmptyState>
  )
}

function accessWords({ models_allow: allow, models_deny: deny }: Key): string {
  const given = allow === null ? 'all models' : allow.join(', ') || 'no model'
  return deny === null || deny.length === 0 ? given : `${given}, but not ${deny.join(', ')}`
}
