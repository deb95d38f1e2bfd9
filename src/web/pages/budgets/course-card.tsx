import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useForecast } from '../../budgets.ts'
import { momentWriter, periodText, spentText, standingOf } from '../../budget-words.ts'
import { Badge } from '../../components/badge.tsx'
import { BudgetCourse } from '../../components/budget-course.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Money } from '../../components/money.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { KeyName } from '../../names.tsx'
import type { Budget, BudgetForecast, BudgetStatus } from '../../wire.ts'

/** What was spent in this period, and what it will come to. */
export function CourseCard({ budget }: { budget: Budget }) {
  const query = useForecast(budget.id)
  const { status } = budget
  if (status === null) {
    return (
      <Card title="Course">
        <EmptyState title="It is switched off">
          Nothing is counted and nothing is refused until it is enabled.
        </EmptyState>
      </Card>
    )
  }
  return (
    <Card
      title="Course"
      aside={<Whose budget={budget} status={status} />}
      action={query.data && <Outlook budget={budget} status={status} forecast={query.data} />}
    >
      <Spent budget={budget} status={status} />
      <Loaded query={query} what="The forecast could not be read">
        {(forecast) => <BudgetCourse budget={budget} forecast={forecast} />}
      </Loaded>
    </Card>
  )
}

/** Of counters for each key the fullest is drawn. */
function Whose({ budget, status }: { budget: Budget; status: BudgetStatus }) {
  if (!budget.each) return <>{periodText(budget)}</>
  if (status.key_id === null) return <>no key has spent from it yet</>
  return (
    <>
      of the key that is nearest to it: <KeyName id={status.key_id} />
    </>
  )
}

function Spent({ budget, status }: { budget: Budget; status: BudgetStatus }) {
  const [spent, ...rest] = spentText(standingOf(budget, status, Date.now())).split(' of ')
  return (
    <p className="mb-2 flex flex-wrap items-baseline gap-x-2 text-dense text-muted">
      <span className="text-figure font-semibold text-ink">{spent}</span> of {rest.join(' of ')}
      {status.resets_at !== null && (
        <span>
          begins anew <RelativeTime at={status.resets_at} />
        </span>
      )}
      {status.reserved.cost_usd > 0 && (
        <span className="ml-auto">
          held now <Money usd={status.reserved.cost_usd} />
        </span>
      )}
    </p>
  )
}

interface OutlookProps {
  readonly budget: Budget
  readonly status: BudgetStatus
  readonly forecast: BudgetForecast
}

function Outlook({ budget, status, forecast: { crosses_at: crosses } }: OutlookProps) {
  if (status.state === 'over') return null
  if (crosses === null)
    return (
      <Badge tone="clear" icon={CircleCheck}>
        on course
      </Badge>
    )
  const atMs = Date.parse(crosses)
  const when = momentWriter(budget, atMs - Date.now())(atMs)
  return (
    <Badge tone="caution" icon={TriangleAlert}>
      runs out {when}
    </Badge>
  )
}
