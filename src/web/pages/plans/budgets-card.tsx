import { budgetHref, budgets } from '../../budgets.ts'
import { Card } from '../../components/card.tsx'
import { BudgetBar } from '../../components/budget-bar.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { periodText } from '../../budget-words.ts'
import type { Plan } from '../../wire.ts'

const LISTED = 20

/** What all keys of the plan may cost together, or each of them. */
export function BudgetsCard({ plan }: { plan: Plan }) {
  const query = budgets.useList({ scope: 'plan', scope_id: plan.id, limit: LISTED })
  const add = `/budgets/new?scope=plan&scope_id=${encodeURIComponent(plan.id)}`
  return (
    <Card title="Budgets" action={<TextLink to={add}>Add</TextLink>}>
      <Loaded query={query} what="The budgets could not be read">
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-dense text-muted">None. Its keys are limited one by one, not together.</p>
          ) : (
            <ul className="grid gap-3 text-dense">
              {data.map((budget) => (
                <li key={budget.id} className="grid gap-1">
                  <span className="flex flex-wrap gap-x-2">
                    <TextLink to={budgetHref(budget)}>{budget.name}</TextLink>
                    <span className="text-muted">
                      {periodText(budget)}
                      {budget.each && ', each key'}
                    </span>
                  </span>
                  <BudgetBar budget={budget} status={budget.status} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}
