import { spentText, standingOf } from '../../budget-words.ts'
import { BUDGET_EVERY_MS, budgetHref, budgets, useCounters, useForecast } from '../../budgets.ts'
import { BudgetCourse } from '../../components/budget-course.tsx'
import { BudgetState } from '../../components/budget-state.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { KeyName } from '../../names.tsx'
import type { BudgetCounter } from '../../wire.ts'

/** Will it hold: the course of the budget of which least is left. */
export function BudgetCard() {
  const fullest = useCounters({ limit: 1 })
  const counter = fullest.data?.data[0]
  if (counter !== undefined) return <Course counter={counter} />
  return (
    <Card title="Budget" action={<TextLink to="/budgets">All budgets</TextLink>}>
      <Loaded query={fullest} what="The budgets could not be read">
        {() => (
          <EmptyState title="No budgets" action={<ButtonLink to="/budgets/new">New budget</ButtonLink>}>
            Nothing stops spending.
          </EmptyState>
        )}
      </Loaded>
    </Card>
  )
}

function Course({ counter: { budget_id: id, key_id: keyId, name } }: { counter: BudgetCounter }) {
  const budget = budgets.useOne(id, { everyMs: BUDGET_EVERY_MS })
  const forecast = useForecast(id, keyId ?? undefined)
  return (
    <Card
      title={<TextLink to={budgetHref({ id })} className="text-ink">{`Budget “${name}”`}</TextLink>}
      aside={keyId !== null && <KeyName id={keyId} />}
      action={budget.data && <BudgetState status={budget.data.status} />}
    >
      <Loaded query={budget} what="The budget could not be read">
        {(stored) => (
          <>
            <p className="mb-2 text-dense">
              {stored.status && spentText(standingOf(stored, stored.status, Date.now()))}
            </p>
            <Loaded query={forecast} what="The forecast could not be made">
              {(course) => <BudgetCourse budget={stored} forecast={course} />}
            </Loaded>
          </>
        )}
      </Loaded>
    </Card>
  )
}
