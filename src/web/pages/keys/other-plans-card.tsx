import { useState } from 'react'
import { ApiError } from '../../api-error.ts'
import { useApi } from '../../app-context.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { Card } from '../../components/card.tsx'
import { reasonOf } from '../../components/error-state.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { countText } from '../../format/count.ts'
import { triedOf } from '../../limit-trial.ts'
import { planHref, usePlans } from '../../plans.ts'
import type { Key, LimitSimulation, Plan } from '../../wire.ts'

const RANGE = '7d'

/** What the last week of the key would have met on each plan, when somebody wants to know: every try reads the log. */
export function OtherPlansCard({ stored }: { stored: Key }) {
  const plans = usePlans()
  const { outcomes, error, isRunning, run } = useReplays(stored.id)
  if (plans.length === 0) return null
  return (
    <Card
      title="Another plan?"
      aside="the last 7 days, replayed"
      action={
        <Button small busy={isRunning} onClick={() => void run(plans)}>
          Replay
        </Button>
      }
    >
      <table aria-label="Plans" className="w-full text-dense">
        <thead className="text-left text-caption text-muted">
          <tr>
            <th scope="col" className="py-1 font-medium">
              Plan
            </th>
            <th scope="col" className="py-1 text-right font-medium">
              Would refuse
            </th>
          </tr>
        </thead>
        <tbody aria-live="polite">
          {plans.map((plan) => (
            <tr key={plan.id} className="border-t border-line">
              <th scope="row" className="py-1.5 text-left font-normal">
                <span className="inline-flex flex-wrap items-center gap-x-2">
                  <TextLink to={planHref(plan)}>{plan.name}</TextLink>
                  {plan.id === stored.plan_id && <Badge>now</Badge>}
                </span>
              </th>
              <td className="py-1.5 text-right">
                <Refused outcome={outcomes.get(plan.id)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {error && (
        <div className="mt-3">
          <Callout tone="caution">{reasonOf(error)}</Callout>
        </div>
      )}
      <p className="mt-3 text-caption text-faint">
        Limits alone: not which models a plan allows, nor what this key has instead.
      </p>
    </Card>
  )
}

function Refused({ outcome }: { outcome: LimitSimulation | undefined }) {
  if (outcome === undefined) return <span className="text-faint">–</span>
  const { would_block: blocked, requests } = outcome
  return (
    <>
      <span className={blocked > 0 ? 'font-semibold text-danger' : ''}>{countText(blocked)}</span>{' '}
      <span className="text-muted">of {countText(requests)}</span>
    </>
  )
}

/** One after the other, since the server tries one at a time. */
function useReplays(keyId: string) {
  const api = useApi()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, LimitSimulation>>(new Map())
  const [error, setError] = useState<ApiError>()
  const [isRunning, setRunning] = useState(false)
  async function run(plans: readonly Plan[]): Promise<void> {
    setRunning(true)
    setError(undefined)
    try {
      for (const plan of plans) {
        const body = { plan: triedOf(plan), key_id: keyId, range: RANGE }
        const outcome = await api.post<LimitSimulation>('/v1/plans/simulate', body)
        setOutcomes((before) => new Map([...before, [plan.id, outcome]]))
      }
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause
      setError(cause)
    } finally {
      setRunning(false)
    }
  }
  return { outcomes, error, isRunning, run }
}
