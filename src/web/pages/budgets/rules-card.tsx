import type { ReactNode } from 'react'
import { useToasts } from '../../app-context.ts'
import { budgetHref, budgets, useRenewForecast } from '../../budgets.ts'
import { ACTIONS, amountTexts, periodText, scopeText } from '../../budget-words.ts'
import { Button } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { Card } from '../../components/card.tsx'
import { reasonOf } from '../../components/error-state.tsx'
import { Facts } from '../../components/facts.tsx'
import { Money } from '../../components/money.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { ClockTime } from '../../components/time.tsx'
import { percentText } from '../../format/count.ts'
import type { Budget } from '../../wire.ts'

/** What was set, and what was granted on top. */
export function RulesCard({ budget }: { budget: Budget }) {
  const { action, thresholds, reserve, include_estimates: isIncluded, timezone, anchor_day: day } = budget
  const verb = ACTIONS.find(({ value }) => value === action)?.label ?? action
  return (
    <Card title="Rules" action={<TextLink to={`${budgetHref(budget)}/edit`}>Edit</TextLink>}>
      <div className="grid gap-4">
        {budget.override !== null && <Granted budget={budget} override={budget.override} />}
        <Facts
          items={[
            ['Limits', <Scope key="scope" budget={budget} />],
            ['Amount', amountTexts(budget).join(', ')],
            ['How often', periodText(budget)],
            ...(isCalendar(budget)
              ? [['Begins', `${hasDay(budget) ? `day ${day}, ` : ''}midnight in ${timezone}`] as const]
              : []),
            ['At the limit', budget.downgrade_to === null ? verb : <Instead key="instead" budget={budget} />],
            ['Warnings', thresholds.length === 0 ? 'none' : thresholds.map(percentText).join(', ')],
            [
              'Sets aside',
              reserve === 'strict' ? 'the most that a request can cost' : 'what a request will probably cost',
            ],
            ['Without a price', isIncluded ? 'counted by estimate' : 'not counted'],
          ]}
        />
      </div>
    </Card>
  )
}

function isCalendar({ period }: Budget): boolean {
  return period !== 'rolling' && period !== 'total' && period !== 'hour'
}

function hasDay({ period }: Budget): boolean {
  return period === 'month' || period === 'quarter' || period === 'year'
}

function Instead({ budget }: { budget: Budget }) {
  return (
    <>
      served by <code>{budget.downgrade_to}</code>
    </>
  )
}

const PAGES = { plan: '/plans/', key: '/keys/', chain: '/chains/', provider: '/providers/' } as const

function Scope({ budget }: { budget: Budget }): ReactNode {
  const { scope, scope_id: id, scope_name: name } = budget
  const text = scopeText(budget)
  if (id !== null && name === null && scope in PAGES) return `${text}, which is gone`
  const page = scope in PAGES ? PAGES[scope as keyof typeof PAGES] : undefined // just looked up
  return page === undefined || id === null ? text : <TextLink to={page + encodeURIComponent(id)}>{text}</TextLink>
}

/** An exception that a person granted, until it ends by itself or is taken back. */
function Granted({ budget, override }: { budget: Budget; override: NonNullable<Budget['override']> }) {
  const change = budgets.useChange()
  const renew = useRenewForecast(budget.id)
  const toasts = useToasts()
  const isOver = Date.parse(override.until) <= Date.now()
  async function takeBack(): Promise<void> {
    try {
      await change.mutateAsync({ id: budget.id, draft: { override: null }, version: budget.version })
      await renew()
      toasts.done('The exception is over')
    } catch (cause) {
      toasts.failed(`The exception was not ended. ${reasonOf(cause)}`)
    }
  }
  return (
    <Callout
      tone="info"
      action={
        <Button small busy={change.isPending} onClick={() => void takeBack()}>
          {isOver ? 'Forget it' : 'End it'}
        </Button>
      }
    >
      {isOver ? 'Was raised by ' : 'Raised by '}
      <Money usd={override.extra_usd} /> until <ClockTime at={override.until} />: {override.reason}
    </Callout>
  )
}
