import type { ReactNode } from 'react'
import { useApi } from '../../app-context.ts'
import { Badge } from '../../components/badge.tsx'
import { Card } from '../../components/card.tsx'
import { Facts } from '../../components/facts.tsx'
import { MaskedSecret } from '../../components/masked-secret.tsx'
import { ProxyName } from '../../components/proxy-choice.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { ClockTime } from '../../components/time.tsx'
import { networkOf } from '../../network.ts'
import { countText } from '../../format/count.ts'
import { addressOf } from '../../resource.ts'
import type { Account } from '../../wire.ts'
import { useProvider } from './data.ts'
import { usableNow } from './usable.ts'

interface Revealed {
  readonly credentials: Readonly<Record<string, string>>
}

/** The stored credential. Each secret is revealed by one audited call; what is none is simply shown. */
export function CredentialCard({ account }: { account: Account }) {
  const api = useApi()
  const { data: provider } = useProvider(account.provider)
  const open = new Map(provider?.auth.fields.filter(({ secret }) => !secret).map(({ name, label }) => [name, label]))
  const fields = Object.entries(account.credentials_masked)
  const secrets = fields.filter(([name]) => !open.has(name))
  async function reveal(field: string): Promise<string> {
    const { credentials } = await api.post<Revealed>(`${addressOf('/v1/accounts', account.id)}/reveal`)
    return credentials[field] ?? ''
  }
  return (
    <Card title="Credential">
      {fields.length === 0 && (
        <p className="text-dense text-muted">
          {account.credentials_set
            ? 'Stored, but sealed with another master key: enter it again.'
            : account.auth_type === 'none'
              ? 'None: the server is open.'
              : 'None. It was dropped when the address changed: enter it again.'}
        </p>
      )}
      <div className="grid gap-3">
        {open.size > 0 && (
          <Facts items={fields.flatMap(([name, value]) => (open.has(name) ? [[open.get(name) ?? name, value]] : []))} />
        )}
        {secrets.map(([name, masked]) => (
          <MaskedSecret key={name} masked={masked} what={name.replaceAll('_', ' ')} onReveal={() => reveal(name)} />
        ))}
      </div>
      <p className="mt-2 text-caption text-faint">
        Sealed on disk. Added <ClockTime at={account.created_at} />,{' '}
        {account.expires_at === null ? 'no expiry' : <>expires {<ClockTime at={account.expires_at} />}</>}.
      </p>
    </Card>
  )
}

export interface RoutingCardProps {
  readonly account: Account
  readonly others: readonly Account[]
  readonly providerName: string
  readonly editHref: string
}

/** The limits that are kept here, in one line; empty when there are none. */
function limitsOf({ rpm, tpm, max_concurrency }: Account): string {
  const parts = [
    [rpm, 'requests a minute'],
    [tpm, 'tokens a minute'],
    [max_concurrency, 'requests at once'],
  ] as const
  return parts.flatMap(([limit, what]) => (limit === null ? [] : [`${countText(limit)} ${what}`])).join(', ')
}

/** When the router chooses this account, and what happens without it. */
export function RoutingCard({ account, others, providerName, editHref }: RoutingCardProps) {
  const facts: (readonly [string, ReactNode])[] = [
    ['Priority', `${account.priority}, weight ${account.weight}`],
    ['Models', <Models key="models" account={account} />],
  ]
  const limits = limitsOf(account)
  if (limits !== '') facts.push(['Limits', limits])
  const address = account.base_url_override
  if (address !== null) {
    facts.push([
      'Address',
      <span key="address" className="flex flex-wrap items-center gap-1.5">
        <code className="break-all">{address}</code>
        {networkOf(address) !== 'internet' && <Badge>{networkOf(address)}</Badge>}
      </span>,
    ])
  }
  const { region, proxy_pool_id } = account
  if (region !== null) facts.push(['Region', <code key="region">{region}</code>])
  if (proxy_pool_id !== null) facts.push(['Proxy', <ProxyName key="proxy" id={proxy_pool_id} />])
  const names = Object.entries(account.model_map)
  if (names.length > 0) facts.push(['Other names', names.map(([from, to]) => `${from} → ${to}`).join(', ')])
  const params = paramTexts(account.params)
  if (params.length > 0) facts.push(['Put in', <code key="params">{params.join(', ')}</code>])
  const headers = Object.keys(account.headers)
  if (headers.length > 0) facts.push(['Headers', <code key="headers">{headers.join(', ')}</code>])
  const tags = Object.entries(account.tags)
  if (tags.length > 0) facts.push(['Tags', tags.map(([name, value]) => `${name}=${value}`).join(', ')])
  return (
    <Card title="Routing" action={<TextLink to={editHref}>Edit</TextLink>}>
      <Facts items={facts} />
      {account.enabled && (
        <p className="mt-3 border-t border-line pt-3 text-dense text-muted">
          If you disable it: <Without account={account} others={others} providerName={providerName} />
        </p>
      )}
    </Card>
  )
}

/** `temperature 0.2`, `thinking effort high`. */
function paramTexts({ thinking = {}, ...plain }: Account['params']): readonly string[] {
  const nested = Object.entries(thinking).map(([name, value]) => [`thinking ${name}`, value] as const)
  return [...Object.entries(plain), ...nested].map(([name, value]) => `${name} ${String(value)}`)
}

function Without({ account, others, providerName }: Omit<RoutingCardProps, 'editHref'>) {
  const left = usableNow(others)
  if (left.length === 0) {
    return (
      <>
        requests for <code className="text-ink">{account.provider}/…</code> have no account.
      </>
    )
  }
  return (
    <>
      {providerName} goes on with{' '}
      <strong className="font-semibold text-ink">{left.map(({ name }) => name).join(', ')}</strong>.
    </>
  )
}

function Models({ account: { models_allow, models_deny } }: { account: Account }) {
  const isAll = models_allow.length === 1 && models_allow[0] === '*'
  return (
    <>
      {isAll ? 'all' : <code>{models_allow.join(', ')}</code>}
      {models_deny.length > 0 && (
        <>
          , but not <code>{models_deny.join(', ')}</code>
        </>
      )}
    </>
  )
}
