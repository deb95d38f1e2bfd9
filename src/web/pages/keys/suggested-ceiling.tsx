import { Button } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { limitsFor, limitText } from '../../limit-words.ts'
import type { LimitChange, Plan } from '../../wire.ts'

export interface SuggestedCeilingProps {
  readonly limits: LimitChange
  /** What holds otherwise; undefined: nothing is limited. */
  readonly plan: Plan | undefined
  readonly onChange: (limits: LimitChange) => void
}

/** Enough to try a tool for a month, and little enough to lose to a key that leaks. */
const CEILING = { budget_usd: 20, budget_period: 'month' } as const satisfies LimitChange

/** For a new key: what it may cost at most, and a ceiling where nobody has set one. */
export function SuggestedCeiling({ limits, plan, onChange }: SuggestedCeilingProps) {
  const after = limitsFor(limits, plan)
  if (after.budget_usd !== null) {
    return <Callout tone="info">What it may cost: {limitText('budget_usd', after)}.</Callout>
  }
  const suggested = limitText('budget_usd', { ...after, ...CEILING })
  return (
    <Callout
      tone="caution"
      action={<Button onClick={() => onChange({ ...limits, ...CEILING })}>Allow {suggested}</Button>}
    >
      Neither it nor its plan limits what it may cost.
    </Callout>
  )
}
