import { Card } from '../../components/card.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { LIMIT_LABELS, type LimitName, limitsFor, limitText, shownLimits } from '../../limit-words.ts'
import { planHref, usePlan } from '../../plans.ts'
import type { Key } from '../../wire.ts'
import { keyHref } from './data.ts'

/** How much and how fast, and who says so: the key itself, its plan, or nobody. */
export function LimitsCard({ stored }: { stored: Key }) {
  const plan = usePlan(stored.plan_id)
  const limits = limitsFor(stored.limits, plan)
  const originOf = (name: LimitName): Origin =>
    stored.limits?.[name] === undefined ? (plan === undefined ? 'default' : 'plan') : 'key'
  return (
    <Card
      title="Limits"
      aside={plan === undefined ? 'on no plan' : <TextLink to={planHref(plan)}>plan {plan.name}</TextLink>}
      action={<TextLink to={`${keyHref(stored)}/edit`}>Override</TextLink>}
    >
      <table aria-label="Limits" className="w-full text-dense">
        <thead className="sr-only">
          <tr>
            <th scope="col">Limit</th>
            <th scope="col">Holds</th>
            <th scope="col">Said by</th>
          </tr>
        </thead>
        <tbody>
          {shownLimits(limits).map((name) => (
            <tr key={name}>
              <th scope="row" className="py-1 pr-3 text-left font-normal">
                {LIMIT_LABELS[name]}
              </th>
              <td className={`py-1 pr-3 text-right ${limits[name] === null ? 'text-faint' : 'font-medium'}`}>
                {limitText(name, limits)}
              </td>
              <td className={`w-16 py-1 text-right text-caption ${ORIGINS[originOf(name)].className}`}>
                {ORIGINS[originOf(name)].word}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

const ORIGINS = {
  key: { word: 'this key', className: 'font-semibold text-accent' },
  plan: { word: 'plan', className: 'text-muted' },
  default: { word: 'default', className: 'text-faint' },
} as const
type Origin = keyof typeof ORIGINS
