import { AllowedModels } from '../../components/allowed-models.tsx'
import { Card } from '../../components/card.tsx'
import { Facts } from '../../components/facts.tsx'
import { PatternBadges } from '../../components/pattern-badges.tsx'
import { TextLink } from '../../components/text-link.tsx'
import type { Key, Plan } from '../../wire.ts'
import { keyHref } from './data.ts'
import { WithPlan } from './with-plan.tsx'

/** Which models, endpoints and addresses; and a name to try it with. */
export function AccessCard({ stored }: { stored: Key }) {
  return (
    <Card title="May use" action={<TextLink to={`${keyHref(stored)}/edit`}>Edit</TextLink>}>
      <WithPlan id={stored.plan_id}>{(plan) => <Access stored={stored} plan={plan} />}</WithPlan>
    </Card>
  )
}

/** What the key itself says, else its plan. */
function Access({ stored, plan }: { stored: Key; plan: Plan | undefined }) {
  const allow = stored.models_allow ?? plan?.models_allow ?? null
  const deny = stored.models_deny ?? plan?.models_deny ?? null
  const endpoints = stored.endpoints_allow ?? plan?.endpoints_allow ?? null
  const addresses = stored.ip_allowlist
  return (
    <>
      <PatternBadges allow={allow} deny={deny} />
      <AllowedModels allow={allow} deny={deny} />
      <div className="mt-3">
        <Facts
          items={[
            ...(plan && isAsPlanned(stored) ? [['Models', 'as its plan says'] as const] : []),
            ['Endpoints', endpoints === null || endpoints.includes('*') ? 'all' : endpoints.join(', ') || 'none'],
            [
              'From',
              addresses.length === 0 ? 'any address' : <code className="text-caption">{addresses.join(', ')}</code>,
            ],
          ]}
        />
      </div>
    </>
  )
}

function isAsPlanned({ models_allow: allow, models_deny: deny }: Key): boolean {
  return allow === null && deny === null
}
