import { BUDGET_EVERY_MS, budgetHref, budgets, useCounters, useForecast } from '../../budgets.ts'
import { periodText, scopeText } from '../../budget-words.ts'
import { Meter } from '../../components/bars.tsx'
import { BudgetBar } from '../../components/budget-bar.tsx'
import { BudgetCourse } from '../../components/budget-course.tsx'
import { BudgetState } from '../../components/budget-state.tsx'
import { Card } from '../../components/card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Money } from '../../components/money.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { limitsFor, limitText } from '../../limit-words.ts'
import { usePlan } from '../../plans.ts'
import type { Budget, BudgetStatus, Key } from '../../wire.ts'
import { keyHref } from './data.ts'

/** As many budgets as are looked through for those that a key falls under. */
const LISTED = 100

/** What the key may still cost: its own amount or its plan's, and every budget that it falls under whatever it asks for. */
export function BudgetCard({ stored }: { stored: Key }) {
  const query = budgets.useList({ limit: LISTED, enabled: 'true' }, { everyMs: BUDGET_EVERY_MS })
  const above = (query.data?.data ?? []).filter((budget) => fallsUnder(stored, budget))
  const course = above.find(({ scope }) => scope === 'key') ?? above.find(({ each }) => each)
  return (
    <Card title="Budget" action={<TextLink to={`${keyHref(stored)}/edit`}>Edit</TextLink>}>
      <div className="grid gap-4">
        <OwnBudget stored={stored} />
        <Loaded query={query} what="The budgets could not be read">
          {() => (
            <>
              {course && <Course budget={course} keyId={course.each ? stored.id : undefined} />}
              <Above keyId={stored.id} budgets={above} />
            </>
          )}
        </Loaded>
      </div>
    </Card>
  )
}

/** Those about a provider, an account, a model or a chain hold for some of its requests alone. */
function fallsUnder({ id, plan_id: planId, tags }: Key, { scope, scope_id: named }: Budget): boolean {
  if (scope === 'global') return true
  if (scope === 'key') return named === id
  if (scope === 'plan') return named === planId
  return scope === 'tag' && Object.entries(tags).some(([name, value]) => `${name}=${value}` === named)
}

function OwnBudget({ stored }: { stored: Key }) {
  const plan = usePlan(stored.plan_id)
  const { budget, name } = stored
  if (budget === null) {
    return <p className="text-dense text-muted">Neither the key nor its plan says what it may cost.</p>
  }
  return (
    <div className="grid gap-1.5">
      <p className="flex flex-wrap items-baseline gap-x-2 text-dense text-muted">
        <span className="text-page font-semibold text-ink">
          <Money usd={budget.spent_usd} />
        </span>
        of {limitText('budget_usd', limitsFor(stored.limits, plan))}
        {budget.reserved_usd > 0 && (
          <span className="ml-auto">
            held now <Money usd={budget.reserved_usd} />
          </span>
        )}
      </p>
      <Meter label={`Budget of ${name}, dollars spent`} value={budget.spent_usd} max={budget.amount_usd} />
      {budget.resets_at !== null && (
        <p className="text-caption text-faint">
          Begins anew <RelativeTime at={budget.resets_at} />
        </p>
      )}
    </div>
  )
}

function Course({ budget, keyId }: { budget: Budget; keyId: string | undefined }) {
  const query = useForecast(budget.id, keyId)
  return (
    <Loaded query={query} what="The forecast could not be read">
      {(forecast) => <BudgetCourse budget={budget} forecast={forecast} />}
    </Loaded>
  )
}

function Above({ keyId, budgets }: { keyId: string; budgets: readonly Budget[] }) {
  const counters = useCounters({ key_id: keyId, limit: LISTED }).data?.data ?? []
  const statusOf = ({ id, each, status }: Budget): BudgetStatus | null =>
    each ? (counters.find((counter) => counter.budget_id === id) ?? null) : status
  if (budgets.length === 0) return null
  return (
    <ul aria-label="Budgets that it falls under" className="grid gap-3 border-t border-line pt-3 text-dense">
      {budgets.map((budget) => (
        <li key={budget.id} className="grid gap-1">
          <span className="flex flex-wrap items-center gap-x-2">
            <TextLink to={budgetHref(budget)}>{budget.name}</TextLink>
            <span className="text-muted">
              {scopeText(budget)}, {periodText(budget)}
            </span>
            {statusOf(budget) !== null && (
              <span className="ml-auto">
                <BudgetState status={statusOf(budget)} />
              </span>
            )}
          </span>
          {statusOf(budget) === null ? (
            <span className="text-faint">nothing spent yet</span>
          ) : (
            <BudgetBar budget={budget} status={statusOf(budget)} />
          )}
        </li>
      ))}
    </ul>
  )
}
