import { useMemo } from 'react'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Money } from '../../components/money.tsx'
import { accountStatus, Status } from '../../components/status.tsx'
import { countText, percentText } from '../../format/count.ts'
import type { Account, Provider, UsageTelemetry } from '../../wire.ts'
import { HealthWord } from './provider-health.tsx'
import { ProviderBadges, ProviderMark } from './provider-mark.tsx'

type Usage = UsageTelemetry['by_provider'][number]

interface Row {
  readonly id: string
  readonly provider: Provider
  readonly accounts: readonly Account[]
  /** Undefined without requests in the last seven days. */
  readonly usage: Usage | undefined
}

export interface ProviderTableProps {
  readonly providers: readonly Provider[]
  readonly accounts: readonly Account[]
  readonly usage: readonly Usage[]
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'provider', header: 'Provider', cell: (row) => <Name {...row} /> },
  {
    id: 'health',
    header: 'Health',
    from: 'lg',
    cell: ({ provider: { health } }) => (health.status === 'unknown' ? <Nothing /> : <HealthWord health={health} />),
  },
  { id: 'accounts', header: 'Accounts', from: 'md', cell: (row) => <Accounts {...row} /> },
  {
    id: 'requests',
    header: 'Requests, 7 d',
    align: 'end',
    from: 'lg',
    cell: ({ usage }) => (usage === undefined ? <Nothing /> : countText(usage.requests)),
  },
  { id: 'failed', header: 'Answered', align: 'end', from: 'lg', cell: ({ usage }) => <Answered usage={usage} /> },
  {
    id: 'models',
    header: 'Models',
    align: 'end',
    from: 'sm',
    cell: ({ provider }) => <span className="text-muted">{countText(provider.models_count)}</span>,
  },
  { id: 'cost', header: 'Cost, 7 d', align: 'end', from: 'sm', cell: (row) => <Cost {...row} /> },
]

/** Providers with what their accounts can do now and what went through them. */
export function ProviderTable({ providers, accounts, usage }: ProviderTableProps) {
  const rows = useMemo(
    () =>
      providers.map((provider) => ({
        id: provider.id,
        provider,
        accounts: accounts.filter((account) => account.provider === provider.id),
        usage: usage.find((part) => part.provider === provider.id),
      })),
    [providers, accounts, usage],
  )
  return <DataTable label="Providers" rows={rows} columns={COLUMNS} hrefOf={({ id }) => `/providers/${id}`} />
}

function Name({ provider, accounts, usage }: Row) {
  return (
    <span className="flex items-center gap-3">
      <ProviderMark name={provider.name} />
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-2 font-semibold">
          {provider.name}
          <span className="flex gap-1 font-normal">
            <ProviderBadges provider={provider} accounts={accounts} />
          </span>
        </span>
        <span className="block font-mono text-caption font-normal text-muted">{provider.id}</span>
        <span className="mt-0.5 block font-normal md:hidden">
          <Accounts id={provider.id} provider={provider} accounts={accounts} usage={usage} />
        </span>
      </span>
    </span>
  )
}

/** More accounts than these are counted instead of named. */
const NAMED_MAX = 3

function Accounts({ provider, accounts }: Row) {
  if (provider.kind === 'demo') return <span className="text-muted">Answers here, needs no account</span>
  if (accounts.length === 0) return <span className="text-muted">No account</span>
  if (accounts.length > NAMED_MAX) return <Counts provider={provider} />
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
      {accounts.map((account) => (
        <span key={account.id} className="inline-flex items-center gap-1.5">
          <Status name={accountStatus(account.status)} iconOnly />
          <span className="max-w-40 truncate">{account.name}</span>
        </span>
      ))}
    </span>
  )
}

const COUNTED = [
  { count: 'active', status: 'active', word: 'active' },
  { count: 'cooldown', status: 'cooldown', word: 'resting' },
  { count: 'error', status: 'auth-error', word: 'refused or spent' },
  { count: 'disabled', status: 'disabled', word: 'disabled' },
] as const

function Counts({ provider: { accounts } }: Pick<Row, 'provider'>) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
      {COUNTED.filter(({ count }) => accounts[count] > 0).map(({ count, status, word }) => (
        <span key={count} className="inline-flex items-center gap-1.5 whitespace-nowrap">
          <span aria-hidden="true" className="inline-flex">
            <Status name={status} iconOnly />
          </span>
          {countText(accounts[count])} {word}
        </span>
      ))}
    </span>
  )
}

function Answered({ usage }: { usage: Usage | undefined }) {
  const decided = usage === undefined ? 0 : usage.ok + usage.failed
  if (usage === undefined || decided === 0) return <Nothing />
  return <>{percentText(usage.ok / decided)}</>
}

function Cost({ provider, usage }: Row) {
  if (provider.kind !== 'open_api') return <span className="text-muted">free</span>
  if (usage === undefined) return <Nothing />
  const isUnpriced = usage.cost_usd === 0 && usage.cost_unknown_requests > 0
  return <Money usd={usage.cost_usd} source={isUnpriced ? 'unknown' : null} />
}

function Nothing() {
  return <span className="text-faint">–</span>
}
