import { ListPlus, Plus } from 'lucide-react'
import { useCallback, useMemo, useRef } from 'react'
import { useGo, usePathParam } from '../../address.ts'
import { ButtonLink } from '../../components/button-link.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { useCommands } from '../../shell/commands.ts'
import { Page } from '../../shell/page.tsx'
import type { Provider } from '../../wire.ts'
import { AccountTable } from './account-table.tsx'
import { BulkActs } from './bulk-acts.tsx'
import { Conformance, type ConformanceHandle } from './conformance.tsx'
import { useAccounts, useProvider } from './data.ts'
import { ModelsCard } from './models-card.tsx'
import { isOneLine } from './pasted-keys.ts'
import { ProviderFacts } from './provider-facts.tsx'
import { ProviderHealth } from './provider-health.tsx'
import { ProviderBadges } from './provider-mark.tsx'

export default function ProviderPage() {
  const id = usePathParam('providerId')
  const provider = useProvider(id)
  if (provider.data === undefined) {
    return (
      <Page title={id} trail={TRAIL}>
        <Card>
          <Loaded query={provider} what="This provider could not be read">
            {() => null}
          </Loaded>
        </Card>
      </Page>
    )
  }
  return <Shown provider={provider.data} />
}

const TRAIL = [{ label: 'Providers', to: '/providers' }]

function Shown({ provider }: { provider: Provider }) {
  const accounts = useAccounts(provider.id)
  const takesAccounts = provider.kind !== 'demo'
  const go = useGo()
  const add = `/providers/${provider.id}/add`
  const conformance = useRef<ConformanceHandle>(null)
  const onCheck = useCallback((accountId: string) => conformance.current?.ask(accountId), [])
  const [first, ...others] = accounts.data ?? []
  useCommands(
    useMemo(
      () =>
        takesAccounts
          ? [
              {
                id: 'add account',
                group: 'Do',
                label: `Add an account at ${provider.name}`,
                icon: Plus,
                shortcut: 'N',
                run: () => go(add),
              } as const,
            ]
          : [],
      [takesAccounts, provider.name, go, add],
    ),
  )
  return (
    <Page
      title={provider.name}
      docs="add-a-provider"
      trail={TRAIL}
      lead={
        <span className="flex flex-wrap gap-1.5">
          <ProviderBadges provider={provider} accounts={accounts.data ?? []} />
        </span>
      }
      actions={
        takesAccounts && (
          <>
            {isOneLine(provider) && (
              <ButtonLink to={`${add}-many`} icon={ListPlus}>
                Add many
              </ButtonLink>
            )}
            <ButtonLink to={add} tone="primary" icon={Plus}>
              Add account
            </ButtonLink>
            <BulkActs provider={provider} accounts={accounts.data ?? []} />
          </>
        )
      }
    >
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-4">
          {provider.health.status !== 'unknown' && <ProviderHealth health={provider.health} />}
          {takesAccounts && (
            <Card title="Accounts" aside="in the order in which they are tried" flush>
              <Loaded query={accounts} what="The accounts could not be read">
                {(all) => (
                  <AccountTable
                    accounts={all}
                    onCheck={onCheck}
                    empty={
                      <EmptyState
                        title="No accounts yet"
                        action={
                          <ButtonLink to={add} tone="primary" icon={Plus}>
                            Add account
                          </ButtonLink>
                        }
                      >
                        An account is a credential at {provider.name}. Requests for its models need at least one.
                      </EmptyState>
                    }
                  />
                )}
              </Loaded>
            </Card>
          )}
          {first !== undefined && <Conformance ref={conformance} provider={provider} accounts={[first, ...others]} />}
          <ModelsCard provider={provider} />
        </div>
        <ProviderFacts provider={provider} />
      </div>
    </Page>
  )
}
