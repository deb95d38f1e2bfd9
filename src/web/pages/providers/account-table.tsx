import { ClipboardCheck } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useToasts } from '../../app-context.ts'
import { type Column, DataTable, RowControl } from '../../components/data-table.tsx'
import { reasonOf } from '../../components/error-state.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Switch } from '../../components/switch.tsx'
import { RelativeTime } from '../../components/time.tsx'
import type { Account } from '../../wire.ts'
import { AccountStanding, ExpiryBadge } from './account-standing.tsx'
import { TightestQuota } from './account-quotas.tsx'
import { useToggle } from './use-toggle.ts'

export interface AccountTableProps {
  readonly accounts: readonly Account[]
  /** Asks whether to check the provider with this account. */
  readonly onCheck: (accountId: string) => void
  readonly empty: ReactNode
}

const COLUMNS: readonly Column<Account>[] = [
  { id: 'name', header: 'Name', cell: (account) => <Name account={account} /> },
  {
    id: 'status',
    header: 'Status',
    from: 'sm',
    cell: (account) => (
      <span className="flex">
        <AccountStanding account={account} />
      </span>
    ),
  },
  { id: 'quota', header: 'Quota used', from: 'md', cell: (account) => <TightestQuota account={account} /> },
  {
    id: 'secret',
    header: 'Credential',
    from: 'lg',
    cell: ({ credentials_masked, credentials_set }) => (
      <code className="text-muted">{credentials_set ? (Object.values(credentials_masked)[0] ?? 'set') : 'none'}</code>
    ),
  },
  {
    id: 'order',
    header: 'Priority',
    align: 'end',
    from: 'md',
    cell: ({ priority, weight }) => (
      <span title="Priority, then weight among equals">
        {priority}
        {weight !== 1 && <span className="text-muted"> · {weight}</span>}
      </span>
    ),
  },
  {
    id: 'last',
    header: 'Last answer',
    align: 'end',
    from: 'md',
    cell: ({ last_ok_at }) => (
      <span className="text-muted">
        <RelativeTime at={last_ok_at} />
      </span>
    ),
  },
  { id: 'enabled', header: 'Enabled', align: 'end', cell: (account) => <Enabled account={account} /> },
]

function checkColumn(onCheck: AccountTableProps['onCheck']): Column<Account> {
  return {
    id: 'check',
    header: 'Check',
    align: 'end',
    from: 'md',
    cell: ({ id, name }) => (
      <RowControl>
        <IconButton icon={ClipboardCheck} label={`Check conformance with ${name}`} onClick={() => onCheck(id)} />
      </RowControl>
    ),
  }
}

/** The accounts of one provider. */
export function AccountTable({ accounts, onCheck, empty }: AccountTableProps) {
  const columns = useMemo(() => [...COLUMNS, checkColumn(onCheck)], [onCheck])
  return (
    <DataTable
      label="Accounts"
      rows={accounts}
      columns={columns}
      hrefOf={({ provider, id }) => `/providers/${provider}/accounts/${id}`}
      empty={empty}
    />
  )
}

function Name({ account }: { account: Account }) {
  return (
    <span className="grid gap-0.5">
      <span className="flex flex-wrap items-center gap-x-2">
        <span className="break-all">{account.name}</span>
        <ExpiryBadge account={account} />
      </span>
      <span className="font-normal sm:hidden">
        <AccountStanding account={account} />
      </span>
    </span>
  )
}

function Enabled({ account }: { account: Account }) {
  const toggle = useToggle()
  const toasts = useToasts()
  return (
    <RowControl>
      <Switch
        hideLabel
        label={`Enable ${account.name}`}
        checked={account.enabled}
        onChange={(enabled) => void toggle(account, enabled).catch((cause: unknown) => toasts.failed(reasonOf(cause)))}
      />
    </RowControl>
  )
}
