import { Callout } from '../../components/callout.tsx'
import { Card } from '../../components/card.tsx'
import { OwnBudget } from '../../components/own-budget.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { limitText, NO_LIMITS } from '../../limit-words.ts'
import type { Account } from '../../wire.ts'

/** What the account has cost of what it may; nothing where nobody says what it may. */
export function AccountBudget({ account, editHref }: { account: Account; editHref: string }) {
  const { name, budget, budget_usd, budget_period } = account
  if (budget === null) return null
  return (
    <Card title="Budget" action={<TextLink to={editHref}>Edit</TextLink>}>
      <div className="grid gap-3">
        <OwnBudget
          name={name}
          budget={budget}
          amount={limitText('budget_usd', { ...NO_LIMITS, budget_usd, budget_period })}
        />
        {budget.state === 'over' && (
          <Callout tone="caution">
            It is spent.{' '}
            {budget.resets_at === null ? 'Requests use other accounts.' : 'Requests use other accounts until then.'}
          </Callout>
        )}
      </div>
    </Card>
  )
}
