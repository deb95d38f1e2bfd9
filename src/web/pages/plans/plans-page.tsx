import { Plus } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { useClearFilters } from '../../components/filter-chips.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { useListAddress } from '../../components/use-list-address.ts'
import { countText } from '../../format/count.ts'
import { type LimitName, limitText } from '../../limit-words.ts'
import { planHref, plans } from '../../plans.ts'
import { useNewCommand } from '../../shell/new-command.ts'
import { Page } from '../../shell/page.tsx'
import type { Plan } from '../../wire.ts'

const COLUMNS: readonly Column<Plan>[] = [
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    cell: ({ name, is_default: isDefault }) => (
      <span className="inline-flex flex-wrap items-center gap-x-2">
        {name}
        {isDefault && <Badge>for new keys</Badge>}
      </span>
    ),
  },
  { id: 'requests', header: 'Requests a minute', align: 'end', from: 'md', cell: (plan) => amount(plan, 'rpm') },
  { id: 'tokens', header: 'Tokens a day', align: 'end', from: 'lg', cell: (plan) => amount(plan, 'tpd') },
  {
    id: 'concurrency',
    header: 'At the same time',
    align: 'end',
    from: 'lg',
    cell: (plan) => amount(plan, 'max_concurrency'),
  },
  { id: 'cost', header: 'May cost', align: 'end', from: 'sm', cell: (plan) => amount(plan, 'budget_usd') },
  { id: 'keys', header: 'Keys', align: 'end', cell: (plan) => countText(plan.keys_count) },
]

function amount(plan: Plan, name: LimitName) {
  return plan[name] === null ? <span className="text-faint">no limit</span> : limitText(name, plan)
}

/** Every plan: what a key on it may use, and how many are. */
export default function PlansPage() {
  const list = useListAddress()
  const query = plans.useList(list.query)
  useNewCommand('plan', '/plans/new')
  return (
    <Page title="Plans" docs="plans">
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchField label="Search by name or description" />
        <ButtonLink to="/plans/new" tone="primary" icon={Plus} className="ml-auto">
          New plan
        </ButtonLink>
      </div>
      <Card flush>
        <Loaded query={query} what="The plans could not be read">
          {({ data, metadata }) => (
            <DataTable
              label="Plans"
              rows={data}
              columns={COLUMNS}
              hrefOf={planHref}
              order={list}
              page={metadata}
              onOffset={list.onOffset}
              empty={<NoPlans isFiltered={list.isFiltered} />}
            />
          )}
        </Loaded>
      </Card>
    </Page>
  )
}

function NoPlans({ isFiltered }: { isFiltered: boolean }) {
  const clear = useClearFilters([])
  if (isFiltered) {
    return (
      <EmptyState title="No plan matches this search" action={<Button onClick={clear}>Clear the search</Button>}>
        Names and descriptions are searched.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="No plans yet"
      action={
        <ButtonLink to="/plans/new" tone="primary" icon={Plus}>
          New plan
        </ButtonLink>
      }
    >
      A plan says what the keys on it may use, and how fast. Without one, a key is limited by itself alone.
    </EmptyState>
  )
}
