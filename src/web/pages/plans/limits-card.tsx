import { Card } from '../../components/card.tsx'
import { Facts } from '../../components/facts.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { LIMIT_LABELS, limitText, shownLimits } from '../../limit-words.ts'
import { planHref } from '../../plans.ts'
import type { Plan } from '../../wire.ts'

export function LimitsCard({ plan }: { plan: Plan }) {
  return (
    <Card title="Limits" aside="of every key" action={<TextLink to={`${planHref(plan)}/edit`}>Edit</TextLink>}>
      <Facts
        items={shownLimits(plan).map((name) => [
          LIMIT_LABELS[name],
          <span key={name} className={plan[name] === null ? 'text-faint' : ''}>
            {limitText(name, plan)}
          </span>,
        ])}
      />
    </Card>
  )
}
