import type { UseQueryResult } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ApiError } from '../../api-error.ts'
import { Card } from '../../components/card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { accountStatus, Status } from '../../components/status.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { plural } from '../../format/count.ts'
import { resource } from '../../resource.ts'
import type { Account, AccountChange, NewAccount, UsageInsights } from '../../wire.ts'
import { FindingRow } from './finding-row.tsx'

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

/** Accounts that cannot answer now, then what usage gives reason to do. */
export function AttentionCard({ insights }: { insights: UseQueryResult<UsageInsights, ApiError> }) {
  const query = accounts.useList({ limit: LIMIT }, { everyMs: EVERY_MS })
  const findings = insights.data?.findings ?? []
  return (
    <Card title="Worth a look" flush action={<TextLink to="/providers">All accounts</TextLink>}>
      <Loaded query={query} what="The accounts could not be read">
        {({ data, metadata }) => {
          const troubled = troubledOf(data)
          if (troubled.length === 0 && findings.length === 0) return <AllClear total={metadata.total} />
          return (
            <ul tabIndex={0} aria-label="Worth a look" className="max-h-112 overflow-y-auto">
              {troubled.map(({ account, trouble }) => (
                <AccountRow key={account.id} account={account} remedy={REMEDIES[trouble]} />
              ))}
              {findings.map((finding) => (
                <FindingRow key={`${finding.kind} ${finding.text}`} finding={finding} />
              ))}
            </ul>
          )
        }}
      </Loaded>
      {insights.error !== null && insights.data === undefined && (
        <p className="border-t border-line px-4 py-2.5 text-caption text-muted">
          What usage gives reason to do could not be read. {insights.error.message}
        </p>
      )}
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

interface RowProps {
  readonly to: string
  readonly remedy: string
  readonly detail: ReactNode
  readonly children: ReactNode
}

function Row({ to, remedy, detail, children }: RowProps) {
  return (
    <li className="border-b border-line px-4 py-2.5 text-dense last:border-b-0">
      <div className="flex flex-wrap items-center gap-x-2.5">
        {children}
        <TextLink to={to} className="ml-auto">
          {remedy}
        </TextLink>
      </div>
      {detail && <p className="mt-0.5 line-clamp-2 text-caption text-muted">{detail}</p>}
    </li>
  )
}
