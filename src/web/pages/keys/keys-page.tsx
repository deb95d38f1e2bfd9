import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterChips, type FilterSpec, useClearFilters } from '../../components/filter-chips.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Money } from '../../components/money.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { accountStatus, Status } from '../../components/status.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useListAddress } from '../../components/use-list-address.ts'
import { countText } from '../../format/count.ts'
import { shortId } from '../../names.tsx'
import { usePlans } from '../../plans.ts'
import { useNewCommand } from '../../shell/new-command.ts'
import { Page } from '../../shell/page.tsx'
import type { Key } from '../../wire.ts'
import { keyHref, keys, useSwitchKeys } from './data.ts'
import { KeyBudgetBar } from './key-budget-bar.tsx'
import { RotationBadge } from './rotation-badge.tsx'

const COLUMNS: readonly Column<Key>[] = [
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    cell: (key) => (
      <span className="inline-flex flex-wrap items-center gap-x-2">
        {key.name}
        <RotationBadge stored={key} />
      </span>
    ),
  },
  { id: 'status', header: 'Status', cell: (key) => <Status name={accountStatus(key.status)} /> },
  {
    id: 'secret',
    header: 'Secret',
    from: 'lg',
    cell: (key) => <code className="text-caption text-muted">{key.secret_masked}</code>,
  },
  { id: 'plan', header: 'Plan', from: 'md', cell: (key) => <PlanName id={key.plan_id} /> },
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
  { id: 'budget', header: 'Of its budget', from: 'xl', cell: (key) => <KeyBudgetBar stored={key} /> },
]
const FILTERS = ['plan_id'] as const

function PlanName({ id }: { id: string | null }) {
  const name = usePlans().find((plan) => plan.id === id)?.name
  return id === null ? <span className="text-faint">none</span> : <>{name ?? shortId(id)}</>
}

function usePlanFilter(): readonly FilterSpec[] {
  const plans = usePlans()
  return useMemo(
    () => [{ name: 'plan_id', label: 'Plan', options: plans.map(({ id, name }) => ({ value: id, label: name })) }],
    [plans],
  )
}

/** Every key: what it may, when it was last used, what it has cost. */
export default function KeysPage() {
  const list = useListAddress(FILTERS)
  const query = keys.useList(list.query)
  useNewCommand('key', '/keys/new')
  return (
    <Page title="Keys" docs="keys">
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchField label="Search by name or prefix" />
        <FilterChips filters={usePlanFilter()} />
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
  const clear = useClearFilters(usePlanFilter())
  if (isFiltered) {
    return (
      <EmptyState title="No key matches this search" action={<Button onClick={clear}>Clear the search</Button>}>
        Names and the first characters of secrets are searched, on the chosen plan.
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
