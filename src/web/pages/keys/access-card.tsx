import { Ban, Check } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'
import { Card } from '../../components/card.tsx'
import { Facts } from '../../components/facts.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { plural } from '../../format/count.ts'
import type { Key } from '../../wire.ts'
import { AllowedModels, useAllowedCount } from './allowed-models.tsx'
import { keyHref } from './data.ts'

/** Which models, endpoints and addresses; and a name to try it with. */
export function AccessCard({ stored }: { stored: Key }) {
  const { models_allow: allow, models_deny: deny, endpoints_allow: endpoints, ip_allowlist: addresses } = stored
  const { allowed, all } = useAllowedCount({ allow, deny })
  return (
    <Card
      title="May use"
      aside={`${allowed} of ${plural(all, 'model')}`}
      action={<TextLink to={`${keyHref(stored)}/edit`}>Edit</TextLink>}
    >
      <ul aria-label="Model patterns" className="mb-3 flex flex-wrap gap-1.5">
        {allow === null && (
          <li>
            <Badge tone="clear" icon={Check}>
              all models
            </Badge>
          </li>
        )}
        {allow?.map((pattern) => (
          <li key={pattern}>
            <Badge mono tone="clear" icon={Check}>
              {pattern}
            </Badge>
          </li>
        ))}
        {deny?.map((pattern) => (
          <li key={pattern}>
            <Badge mono tone="danger" icon={Ban}>
              <span className="sr-only">not </span>
              {pattern}
            </Badge>
          </li>
        ))}
      </ul>
      <AllowedModels allow={allow} deny={deny} />
      <div className="mt-3">
        <Facts
          items={[
            ['Endpoints', endpoints === null ? 'all' : endpoints.join(', ') || 'none'],
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
