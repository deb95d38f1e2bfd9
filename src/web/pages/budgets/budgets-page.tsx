import { Plus } from 'lucide-react'
import { BUDGET_EVERY_MS, budgetHref, budgets } from '../../budgets.ts'
import { amountTexts, periodText, SCOPES, scopeText } from '../../budget-words.ts'
import { BudgetBar } from '../../components/budget-bar.tsx'
import { BudgetState } from '../../components/budget-state.tsx'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterChips, type FilterSpec, useClearFilters } from '../../components/filter-chips.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useListAddress } from '../../components/use-list-address.ts'
import { useNewCommand } from '../../shell/new-command.ts'
import { Page } from '../../shell/page.tsx'
import type { Budget } from '../../wire.ts'

const COLUMNS: readonly Column<Budget>[] = [
  { id: 'name', header: 'Name', sort: 'name', cell: ({ name }) => name },
  {
    id: 'scope',
    header: 'Limits',
    from: 'md',
    cell: (budget) => <span className="text-muted">{scopeText(budget)}</span>,
  },
  {
    id: 'amount',
    header: 'Amount',
    sort: 'amount_usd',
    from: 'sm',
    cell: (budget) => (
      <span className="whitespace-nowrap">
        {amountTexts(budget).join(', ')} <span className="text-muted">{periodText(budget)}</span>
      </span>
    ),
  },
  { id: 'spent', header: 'Spent', cell: (budget) => <BudgetBar budget={budget} status={budget.status} /> },
  { id: 'state', header: 'State', cell: (budget) => <BudgetState status={budget.status} /> },
  {
    id: 'resets',
    header: 'Begins anew',
    from: 'lg',
    cell: ({ status }) => <RelativeTime at={status?.resets_at ?? null} />,
  },
]
const FILTERS: readonly FilterSpec[] = [
  { name: 'scope', label: 'Limits', options: SCOPES },
  {
    name: 'enabled',
    label: 'State',
    options: [
      { value: 'true', label: 'switched on' },
      { value: 'false', label: 'switched off' },
    ],
  },
]
const FILTER_NAMES = FILTERS.map(({ name }) => name)

/** Every budget, and how it stands. */
export default function BudgetsPage() {
  const list = useListAddress(FILTER_NAMES)
  const query = budgets.useList(list.query, { everyMs: BUDGET_EVERY_MS })
  useNewCommand('budget', '/budgets/new')
  return (
    <Page title="Budgets" docs="budgets">
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchField label="Search by name" />
        <FilterChips filters={FILTERS} />
        <ButtonLink to="/budgets/new" tone="primary" icon={Plus} className="ml-auto">
          New budget
        </ButtonLink>
      </div>
      <Card flush>
        <Loaded query={query} what="The budgets could not be read">
          {({ data, metadata }) => (
            <DataTable
              label="Budgets"
              rows={data}
              columns={COLUMNS}
              hrefOf={budgetHref}
              order={list}
              page={metadata}
              onOffset={list.onOffset}
              empty={<NoBudgets isFiltered={list.isFiltered} />}
            />
          )}
        </Loaded>
      </Card>
    </Page>
  )
}

function NoBudgets({ isFiltered }: { isFiltered: boolean }) {
  const clear = useClearFilters(FILTERS)
  if (isFiltered) {
    return (
      <EmptyState title="No budget matches these filters" action={<Button onClick={clear}>Clear them</Button>}>
        Names are searched, and what budgets are about.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="No budgets"
      action={
        <ButtonLink to="/budgets/new" tone="primary" icon={Plus}>
          New budget
        </ButtonLink>
      }
    >
      Nothing stops spending. A budget says what may be spent, by whom and in which time.
    </EmptyState>
  )
}
