import { FlaskConical, Pencil, Trash2 } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { useGo, usePathParam } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { Callout } from '../../components/callout.tsx'
import { Card } from '../../components/card.tsx'
import { reasonOf } from '../../components/error-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { Switch } from '../../components/switch.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useCommands } from '../../shell/commands.ts'
import { Page } from '../../shell/page.tsx'
import type { Account, Provider } from '../../wire.ts'
import { AccountBudget } from './account-budget.tsx'
import { AccountQuotas } from './account-quotas.tsx'
import { AccountStanding, ExpiryBadge } from './account-standing.tsx'
import { AccountTraffic } from './account-traffic.tsx'
import { CooldownsCard, LastErrorCard } from './account-trouble.tsx'
import { CredentialCard, RoutingCard } from './account-facts.tsx'
import { accounts, POLL_MS, useAccounts, useProvider } from './data.ts'
import { DeleteAccount } from './delete-account.tsx'
import { LastTestCard, useRunTest } from './last-test.tsx'
import { CircuitNote } from './provider-health.tsx'
import { RecentRequests } from './recent-requests.tsx'
import { useToggle } from './use-toggle.ts'

export default function AccountPage() {
  const providerId = usePathParam('providerId')
  const id = usePathParam('accountId')
  const provider = useProvider(providerId)
  const account = accounts.useOne(id, { everyMs: POLL_MS })
  const trail = [
    { label: 'Providers', to: '/providers' },
    { label: provider.data?.name ?? providerId, to: `/providers/${providerId}` },
  ]
  if (account.data === undefined) {
    return (
      <Page title="Account" trail={trail}>
        <Card>
          <Loaded query={account} what="This account could not be read">
            {() => null}
          </Loaded>
        </Card>
      </Page>
    )
  }
  return <Shown account={account.data} trail={trail} provider={provider.data} />
}

interface ShownProps {
  readonly account: Account
  /** Undefined while it is not known. */
  readonly provider: Provider | undefined
  readonly trail: readonly { readonly label: string; readonly to: string }[]
}

function Shown({ account, provider, trail }: ShownProps) {
  const providerName = provider?.name ?? account.provider
  const others = useAccounts(account.provider).data?.filter(({ id }) => id !== account.id) ?? []
  const deletion = useRef<HTMLDialogElement>(null)
  const toggle = useToggle()
  const toasts = useToasts()
  const go = useGo()
  const test = useRunTest(account.id)
  const edit = `/providers/${account.provider}/accounts/${account.id}/edit`
  const { run } = test
  useCommands(
    useMemo(
      () => [
        {
          id: 'edit account',
          group: 'Do',
          label: 'Edit this account',
          icon: Pencil,
          shortcut: 'E',
          run: () => go(edit),
        },
        { id: 'test account', group: 'Do', label: 'Test this account', icon: FlaskConical, run: () => run() },
      ],
      [go, edit, run],
    ),
  )
  const set = (enabled: boolean): void =>
    void toggle(account, enabled).catch((cause: unknown) => toasts.failed(reasonOf(cause)))
  return (
    <Page
      title={account.name}
      docs="add-a-provider"
      trail={trail}
      lead={
        <span className="flex flex-wrap items-center gap-x-4 gap-y-1 text-dense">
          <AccountStanding account={account} />
          <ExpiryBadge account={account} />
          <Switch label="Enabled" checked={account.enabled} onChange={set} />
        </span>
      }
      actions={
        <>
          <Button icon={FlaskConical} busy={test.isRunning} onClick={() => run()}>
            Test now
          </Button>
          <ButtonLink to={edit} icon={Pencil}>
            Edit
          </ButtonLink>
          <Menu label="More about this account">
            <MenuItem icon={FlaskConical} onSelect={() => run(true)}>
              Test with one token
            </MenuItem>
            <MenuItem icon={Trash2} danger onSelect={() => deletion.current?.showModal()}>
              Delete…
            </MenuItem>
          </Menu>
        </>
      }
    >
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-4">
          <Trouble account={account} editHref={edit} onTest={() => run()} />
          <CircuitNote circuit={provider?.health.circuit ?? 'closed'} />
          <AccountTraffic account={account} />
          <AccountBudget account={account} editHref={edit} />
          <AccountQuotas account={account} />
          <CooldownsCard account={account} />
          <LastErrorCard account={account} />
          <RecentRequests account={account} />
        </div>
        <div className="grid min-w-0 gap-4">
          <LastTestCard account={account} test={test} />
          <CredentialCard account={account} />
          <RoutingCard account={account} others={others} providerName={providerName} editHref={edit} />
        </div>
      </div>
      <DeleteAccount
        dialog={deletion}
        account={account}
        others={others}
        providerName={providerName}
        onDisable={() => set(false)}
      />
    </Page>
  )
}

interface TroubleProps {
  readonly account: Account
  readonly editHref: string
  readonly onTest: () => void
}

/** What keeps the account from answering, and the way out. */
function Trouble({ account, editHref, onTest }: TroubleProps) {
  const again = (
    <Button small onClick={onTest}>
      Test again
    </Button>
  )
  if (!account.credentials_set && account.auth_type !== 'none') {
    return (
      <Callout tone="danger" action={<TextLink to={editHref}>Enter it again</TextLink>}>
        No credential is kept for this account, so that no request can use it.
      </Callout>
    )
  }
  if (account.status === 'auth_error') {
    return (
      <Callout tone="danger" action={again}>
        The provider refuses this credential. No request uses the account until it is edited or a test passes.
      </Callout>
    )
  }
  if (account.status === 'exhausted') {
    return (
      <Callout tone="caution" action={again}>
        {account.status_reason ?? 'The provider says that money or quota is spent.'} Requests use other accounts until
        then.
      </Callout>
    )
  }
  return null
}
