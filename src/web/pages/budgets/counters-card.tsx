import { useCounters } from '../../budgets.ts'
import { spentText, standingOf } from '../../budget-words.ts'
import { Meter } from '../../components/bars.tsx'
import { BudgetState } from '../../components/budget-state.tsx'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { countText } from '../../format/count.ts'
import { KeyName } from '../../names.tsx'
import type { Budget, BudgetCounter } from '../../wire.ts'

/** As many as are shown, the fullest first. */
const SHOWN = 25
const FULL_PCT = 100

interface Row extends BudgetCounter {
  readonly id: string
  readonly budget: Budget
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'key', header: 'Key', cell: ({ key_id: id }) => <KeyName id={id} /> },
  {
    id: 'spent',
    header: 'Spent',
    cell: ({ budget, ...counter }) => (
      <span className="grid gap-1">
        <span className="block w-full max-w-48">
          <Meter label="Percent spent" value={counter.pct} max={FULL_PCT} />
        </span>
        <span className="whitespace-nowrap">{spentText(standingOf(budget, counter, Date.now()))}</span>
      </span>
    ),
  },
  { id: 'state', header: 'State', cell: (counter) => <BudgetState status={counter} /> },
]

/** How each key stands in a budget with one counter per key. */
export function CountersCard({ budget }: { budget: Budget }) {
  const query = useCounters({ budget_id: budget.id, limit: SHOWN })
  const total = query.data?.metadata.total ?? 0
  return (
    <Card
      title="Keys"
      aside={total > SHOWN ? `the ${SHOWN} fullest of ${countText(total)}` : 'the fullest first'}
      flush
    >
      <Loaded query={query} what="The counters could not be read">
        {({ data }) => (
          <DataTable
            label="Counters"
            rows={data.map((counter) => ({ ...counter, id: counter.key_id ?? counter.budget_id, budget }))}
            columns={COLUMNS}
            hrefOf={({ key_id: id }) => `/keys/${encodeURIComponent(id ?? '')}`}
            empty={<EmptyState title="Nothing was spent yet">Keys are listed here once they spend from it.</EmptyState>}
          />
        )}
      </Loaded>
    </Card>
  )
}
