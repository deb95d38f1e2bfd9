import { BadgeDollarSign, CircleCheck, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from '../../components/card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { accountStatus, Status } from '../../components/status.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { plural } from '../../format/count.ts'
import { resource } from '../../resource.ts'
import type { Account, AccountChange, NewAccount, UsageTelemetry } from '../../wire.ts'

const accounts = resource<Account, NewAccount, AccountChange>('/v1/accounts')
const LIMIT = 100
const EVERY_MS = 15_000

/** What does not mend itself, first; then what is resting. */
const TROUBLES = ['auth_error', 'exhausted', 'cooldown'] as const
const REMEDIES: Readonly<Record<(typeof TROUBLES)[number], string>> = {
  auth_error: 'Replace its key',
  exhausted: 'Look',
  cooldown: 'Look',
}

interface Troubled {
  readonly account: Account
  readonly trouble: (typeof TROUBLES)[number]
}

/** Accounts that cannot answer now, and requests whose cost nobody knows. */
export function AttentionCard({ telemetry }: { telemetry: UsageTelemetry }) {
  const query = accounts.useList({ limit: LIMIT }, { everyMs: EVERY_MS })
  const unpriced = telemetry.summary.cost_unknown_requests
  return (
    <Card title="Worth a look" flush action={<TextLink to="/providers">All accounts</TextLink>}>
      <Loaded query={query} what="The accounts could not be read">
        {({ data, metadata }) => {
          const troubled = troubledOf(data)
          if (troubled.length === 0 && unpriced === 0) return <AllClear total={metadata.total} />
          return (
            <ul>
              {troubled.map(({ account, trouble }) => (
                <AccountRow key={account.id} account={account} remedy={REMEDIES[trouble]} />
              ))}
              {unpriced > 0 && <Unpriced telemetry={telemetry} />}
            </ul>
          )
        }}
      </Loaded>
    </Card>
  )
}

function troubledOf(all: readonly Account[]): readonly Troubled[] {
  return TROUBLES.flatMap((trouble) =>
    all.filter(({ status }) => status === trouble).map((account) => ({ account, trouble })),
  )
}

function AllClear({ total }: { total: number }) {
  return (
    <p className="flex items-center gap-2 p-4 text-dense text-muted">
      <CircleCheck aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0 text-clear" />
      {total === 0
        ? 'Nothing needs you. No account is connected.'
        : `Nothing needs you. ${plural(total, 'account')}, none of them resting.`}
    </p>
  )
}

function AccountRow({ account, remedy }: { account: Account; remedy: string }) {
  const { provider, id, name, status, status_reason, last_error, cooldown_until } = account
  return (
    <Row
      to={`/providers/${encodeURIComponent(provider)}/accounts/${encodeURIComponent(id)}`}
      remedy={remedy}
      detail={status_reason ?? last_error?.message}
    >
      <span className="min-w-0 truncate font-medium">
        {provider} / {name}
      </span>
      <Status name={accountStatus(status)} detail={cooldown_until && <RelativeTime at={cooldown_until} />} />
    </Row>
  )
}

function Unpriced({ telemetry: { summary, by_model } }: { telemetry: UsageTelemetry }) {
  const models = by_model.filter(({ cost_unknown_requests }) => cost_unknown_requests > 0).map(({ model }) => model)
  return (
    <Row
      to={`/requests?range=${summary.range}${models.length === 1 ? `&model=${encodeURIComponent(models[0] ?? '')}` : ''}`}
      remedy="See them"
      icon={BadgeDollarSign}
      detail={`No price is known for ${models.join(', ') || 'their models'}.`}
    >
      <span className="font-medium">{plural(summary.cost_unknown_requests, 'request')} unpriced</span>
    </Row>
  )
}

interface RowProps {
  readonly to: string
  readonly remedy: string
  readonly icon?: LucideIcon
  readonly detail: ReactNode
  readonly children: ReactNode
}

function Row({ to, remedy, icon: Icon, detail, children }: RowProps) {
  return (
    <li className="border-b border-line px-4 py-2.5 text-dense last:border-b-0">
      <div className="flex flex-wrap items-center gap-x-2.5">
        {Icon && <Icon aria-hidden="true" size={16} strokeWidth={1.75} className="text-caution" />}
        {children}
        <TextLink to={to} className="ml-auto">
          {remedy}
        </TextLink>
      </div>
      {detail && <p className="mt-0.5 line-clamp-2 text-caption text-muted">{detail}</p>}
    </li>
  )
}
