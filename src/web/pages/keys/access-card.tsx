import { AllowedModels, useAllowedCount } from '../../components/allowed-models.tsx'
import { Card } from '../../components/card.tsx'
import { Facts } from '../../components/facts.tsx'
import { PatternBadges } from '../../components/pattern-badges.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { plural } from '../../format/count.ts'
import { usePlan } from '../../plans.ts'
import type { Key } from '../../wire.ts'
import { keyHref } from './data.ts'

/** Which models, endpoints and addresses; and a name to try it with. */
export function AccessCard({ stored }: { stored: Key }) {
  const plan = usePlan(stored.plan_id)
  const allow = stored.models_allow ?? plan?.models_allow ?? null
  const deny = stored.models_deny ?? plan?.models_deny ?? null
  const endpoints = stored.endpoints_allow ?? plan?.endpoints_allow ?? null
  const addresses = stored.ip_allowlist
  const isOwn = stored.models_allow !== null || stored.models_deny !== null
  const { allowed, all } = useAllowedCount({ allow, deny })
  return (
    <Card
      title="May use"
      aside={`${allowed} of ${plural(all, 'model')}`}
      action={<TextLink to={`${keyHref(stored)}/edit`}>Edit</TextLink>}
    >
      <PatternBadges allow={allow} deny={deny} />
      <AllowedModels allow={allow} deny={deny} />
      <div className="mt-3">
        <Facts
          items={[
            ...(plan && !isOwn ? [['Models', 'as its plan says'] as const] : []),
            ['Endpoints', endpoints === null || endpoints.includes('*') ? 'all' : endpoints.join(', ') || 'none'],
            [
              'From',
              addresses.length === 0 ? 'any address' : <code className="text-caption">{addresses.join(', ')}</code>,
            ],
          ]}
        />
      </div>
    </Card>
  )
}
