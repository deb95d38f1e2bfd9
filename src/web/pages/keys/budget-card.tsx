import { BUDGET_EVERY_MS, budgetHref, budgets, useCounters, useForecast } from '../../budgets.ts'
import { periodText, scopeText } from '../../budget-words.ts'
import { BudgetBar } from '../../components/budget-bar.tsx'
import { BudgetCourse } from '../../components/budget-course.tsx'
import { BudgetState } from '../../components/budget-state.tsx'
import { Card } from '../../components/card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { OwnBudget } from '../../components/own-budget.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { nanoFromUsd, shortMoney } from '../../format/money.ts'
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
  const drawn = above.find(({ scope, each, amount_usd: usd }) => usd !== null && (scope === 'key' || each))
  return (
    <Card
      title="Budget"
      action={
        <>
          <TextLink to={`/budgets/new?scope=key&scope_id=${encodeURIComponent(stored.id)}`}>Add</TextLink>
          <TextLink to={`${keyHref(stored)}/edit`}>Edit</TextLink>
        </>
      }
    >
      <div className="grid gap-4">
        <OfItsOwn stored={stored} />
        <Loaded query={query} what="The budgets could not be read">
          {() => (
            <>
              {drawn && <Course budget={drawn} keyId={drawn.each ? stored.id : undefined} />}
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

function OfItsOwn({ stored }: { stored: Key }) {
  const limits = limitsFor(stored.limits, usePlan(stored.plan_id))
  const { budget, name } = stored
  if (budget === null) {
    return <p className="text-dense text-muted">Neither the key nor its plan says what it may cost.</p>
  }
  const amount =
    limits.budget_usd === null ? shortMoney(nanoFromUsd(budget.amount_usd)) : limitText('budget_usd', limits)
  return <OwnBudget name={name} budget={budget} amount={amount} />
}

function Course({ budget, keyId }: { budget: Budget; keyId: string | undefined }) {
  const query = useForecast(budget.id, keyId)
  return (
    <div className="grid gap-2 border-t border-line pt-3">
      <h3 className="text-dense">
        <TextLink to={budgetHref(budget)}>{budget.name}</TextLink>{' '}
        <span className="text-muted">{periodText(budget)}</span>
      </h3>
      <Loaded query={query} what="The forecast could not be read">
        {(forecast) => <BudgetCourse budget={budget} forecast={forecast} />}
      </Loaded>
    </div>
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
