import { useRef } from 'react'
import { useGo, usePathParam } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { Callout } from '../../components/callout.tsx'
import { Card } from '../../components/card.tsx'
import { Form } from '../../components/form.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { useForm } from '../../components/use-form.ts'
import { givenFor } from '../../credential-fields.ts'
import { Page } from '../../shell/page.tsx'
import type { Account, Provider } from '../../wire.ts'
import { type AccountFields, draftOf, newFields, validationOf } from './account-draft.ts'
import { AccountFieldset } from './account-fields.tsx'
import { accounts, useProvider, useRenew, useTestAccount } from './data.ts'
import { Outside } from './provider-facts.tsx'
import { ProviderBadges } from './provider-mark.tsx'
import { TestOutcome } from './test-outcome.tsx'
import { useTestedSave } from './use-tested-save.ts'

export default function AddAccountPage() {
  const id = usePathParam('providerId')
  const provider = useProvider(id)
  const name = provider.data?.name ?? id
  return (
    <Page
      title={`Add an account at ${name}`}
      trail={[
        { label: 'Providers', to: '/providers' },
        { label: name, to: `/providers/${id}` },
      ]}
      {...(provider.data && { lead: <ProviderBadges provider={provider.data} /> })}
      width="form"
      docs="add-a-provider"
    >
      <Card>
        <Loaded query={provider} what="This provider could not be read">
          {(shown) =>
            shown.kind === 'demo' ? (
              <Callout tone="info">{shown.name} answers inside the gateway and needs no account.</Callout>
            ) : (
              <AddForm key={shown.id} provider={shown} />
            )
          }
        </Loaded>
      </Card>
    </Page>
  )
}

function AddForm({ provider }: { provider: Provider }) {
  const create = accounts.useCreate()
  const test = useTestedSave()
  const testSaved = useTestAccount()
  const renew = useRenew()
  const toasts = useToasts()
  const go = useGo()
  const created = useRef<Account>(undefined)
  const form = useForm<AccountFields>({
    initial: newFields(provider),
    save: async ({ value }) => {
      await test.pass(validationOf(provider, value))
      const { credentials, ...rest } = value
      const given = givenFor(provider, value.auth_type, credentials)
      const signedIn = value.auth_type === 'none' ? rest : { ...rest, credentials: given }
      created.current = await create.mutateAsync({ ...draftOf(signedIn), provider: provider.id })
    },
  })
  function onSaved(): void {
    const account = created.current
    if (account === undefined) return
    toasts.done(`Account “${account.name}” added`)
    void renew()
    void testSaved(account.id).catch(() => undefined) // its page shows what is known, and can test again
    go(`/providers/${provider.id}/accounts/${account.id}`)
  }
  async function saveAnyway(): Promise<void> {
    test.skipNext()
    if (await form.submit()) onSaved()
  }
  return (
    <Form form={form} isNew saveLabel="Test and add" onCancel={() => go(`/providers/${provider.id}`)} onSaved={onSaved}>
      {provider.signup_url !== null && (
        <p className="text-dense text-muted">
          No key yet? <Outside href={provider.signup_url}>Get one from the provider</Outside>
        </p>
      )}
      <AccountFieldset provider={provider} form={form} />
      <TestOutcome state={test.state} onSaveAnyway={() => void saveAnyway()} />
    </Form>
  )
}
