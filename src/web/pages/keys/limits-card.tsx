import { Card } from '../../components/card.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { LIMIT_LABELS, type LimitName, limitsFor, limitText, shownLimits } from '../../limit-words.ts'
import { planHref, usePlan } from '../../plans.ts'
import type { Key, Plan } from '../../wire.ts'
import { keyHref } from './data.ts'
import { WithPlan } from './with-plan.tsx'

/** How much and how fast, and who says so: the key itself, its plan, or nobody. */
export function LimitsCard({ stored }: { stored: Key }) {
  const { plan_id: planId } = stored
  const plan = usePlan(planId)
  return (
    <Card
      title="Limits"
      aside={planId === null ? 'on no plan' : plan && <TextLink to={planHref(plan)}>plan {plan.name}</TextLink>}
      action={<TextLink to={`${keyHref(stored)}/edit`}>Override</TextLink>}
    >
      <WithPlan id={planId}>{(known) => <LimitTable stored={stored} plan={known} />}</WithPlan>
    </Card>
  )
}

function LimitTable({ stored, plan }: { stored: Key; plan: Plan | undefined }) {
  const limits = limitsFor(stored.limits, plan)
  return (
    <table aria-label="Limits" className="w-full text-dense">
      <thead className="sr-only">
        <tr>
          <th scope="col">Limit</th>
          <th scope="col">Holds</th>
          <th scope="col">Said by</th>
        </tr>
      </thead>
      <tbody>
        {shownLimits(limits).map((name) => {
          const origin = ORIGINS[originOf(stored, name)]
          return (
            <tr key={name}>
              <th scope="row" className="py-1 pr-3 text-left font-normal">
                {LIMIT_LABELS[name]}
              </th>
              <td className={`py-1 pr-3 text-right ${limits[name] === null ? 'text-faint' : 'font-medium'}`}>
                {limitText(name, limits)}
              </td>
              <td className={`w-16 py-1 text-right text-caption ${origin.className}`}>{origin.word}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function originOf({ limits, plan_id: planId }: Key, name: LimitName): keyof typeof ORIGINS {
  if (limits?.[name] !== undefined) return 'key'
  return planId === null ? 'default' : 'plan'
}

const ORIGINS = {
  key: { word: 'this key', className: 'font-semibold text-accent' },
  plan: { word: 'plan', className: 'text-muted' },
  default: { word: 'default', className: 'text-faint' },
} as const
