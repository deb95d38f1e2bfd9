import { AllowedModels } from '../../components/allowed-models.tsx'
import { Card } from '../../components/card.tsx'
import { Facts } from '../../components/facts.tsx'
import { PatternBadges } from '../../components/pattern-badges.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { planHref } from '../../plans.ts'
import type { Plan } from '../../wire.ts'

/** Which models and endpoints; and a name to try it with. */
export function AccessCard({ plan }: { plan: Plan }) {
  const { models_allow: allow, models_deny: deny, endpoints_allow: endpoints } = plan
  return (
    <Card title="May use" action={<TextLink to={`${planHref(plan)}/edit`}>Edit</TextLink>}>
      <PatternBadges allow={allow} deny={deny} />
      <AllowedModels allow={allow} deny={deny} />
      <div className="mt-3">
        <Facts items={[['Endpoints', endpoints.includes('*') ? 'all' : endpoints.join(', ') || 'none']]} />
      </div>
    </Card>
  )
}
