import { useApi } from '../../app-context.ts'
import { Badge } from '../../components/badge.tsx'
import { Card } from '../../components/card.tsx'
import { Facts } from '../../components/facts.tsx'
import { MaskedSecret } from '../../components/masked-secret.tsx'
import { Money } from '../../components/money.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { ClockTime, RelativeTime } from '../../components/time.tsx'
import { countText, plural } from '../../format/count.ts'
import { contentText } from '../../content-words.ts'
import { AccountName } from '../../names.tsx'
import { usePlan } from '../../plans.ts'
import type { Key, RevealedKey } from '../../wire.ts'
import { keyHref } from './data.ts'

export function SecretCard({ stored }: { stored: Key }) {
  const api = useApi()
  const reveal = async (): Promise<string> => (await api.post<RevealedKey>(`/v1/keys/${stored.id}/reveal`)).secret
  return (
    <Card title="Secret">
      <MaskedSecret masked={stored.secret_masked} what="key" onReveal={reveal} />
    </Card>
  )
}

export function DetailsCard({ stored }: { stored: Key }) {
  const tags = Object.entries(stored.tags)
  const plan = usePlan(stored.plan_id)
  return (
    <Card title="Details" action={<TextLink to={`${keyHref(stored)}/edit`}>Edit</TextLink>}>
      <Facts
        items={[
          ['Requests', `${countText(stored.requests_total)} in all`],
          ['Cost', <Money key="cost" usd={stored.spend_usd} />],
          [
            'Last address',
            stored.last_ip === null ? 'none yet' : <code className="text-caption">{stored.last_ip}</code>,
          ],
          ['Accounts', <Accounts key="accounts" ids={stored.account_ids} />],
          [
            'Words kept',
            stored.log_content === null
              ? `${contentText(plan?.log_content ?? null)}${plan && plan.log_content !== 'inherit' ? ', by its plan' : ''}`
              : contentText(stored.log_content),
          ],
          ['Tags', tags.length === 0 ? 'none' : <Tags key="tags" tags={tags} />],
          [
            'Rotates',
            stored.rotation === null
              ? 'when you do it'
              : `every ${plural(stored.rotation.every_days, 'day')}, ${stored.rotation_due ? 'and is due' : 'as a reminder'}`,
          ],
          ['Expires', <RelativeTime key="expires" at={stored.expires_at} />],
          ['Created', <ClockTime key="created" at={stored.created_at} />],
          [
            'Id',
            <code key="id" className="text-caption">
              {stored.id}
            </code>,
          ],
        ]}
      />
    </Card>
  )
}

function Accounts({ ids }: { ids: readonly string[] | null }) {
  if (ids === null) return <>all</>
  if (ids.length === 0) return <>none: nothing serves it</>
  return (
    <span className="flex flex-wrap gap-x-3">
      {ids.map((id) => (
        <span key={id}>
          <AccountName id={id} />
        </span>
      ))}
    </span>
  )
}

function Tags({ tags }: { tags: readonly (readonly [name: string, value: string])[] }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      {tags.map(([name, value]) => (
        <Badge key={name} mono>
          {name}={value}
        </Badge>
      ))}
    </span>
  )
}
