import { useGo, usePathParam } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { Card } from '../../components/card.tsx'
import { Form } from '../../components/form.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { useForm } from '../../components/use-form.ts'
import { givenFor, masksFor } from '../../credential-fields.ts'
import { Page } from '../../shell/page.tsx'
import type { Account, Provider } from '../../wire.ts'
import { type AccountFields, draftOf, fieldsOf, hasTypedSecret, validationOf } from './account-draft.ts'
import { AccountFieldset } from './account-fields.tsx'
import { accounts, useProvider, useRenew, useTestAccount } from './data.ts'
import { TestOutcome } from './test-outcome.tsx'
import { useTestedSave } from './use-tested-save.ts'

export default function EditAccountPage() {
  const providerId = usePathParam('providerId')
  const id = usePathParam('accountId')
  const provider = useProvider(providerId)
  const account = accounts.useOne(id)
  const name = account.data?.name ?? 'account'
  return (
    <Page
      title={`Edit ${name}`}
      trail={[
        { label: 'Providers', to: '/providers' },
        { label: provider.data?.name ?? providerId, to: `/providers/${providerId}` },
        { label: name, to: `/providers/${providerId}/accounts/${id}` },
      ]}
      width="form"
      docs="add-a-provider"
    >
      <Card>
        <Loaded query={provider} what="This provider could not be read">
          {(shown) => (
            <Loaded query={account} what="This account could not be read">
              {(stored) => <EditForm provider={shown} stored={stored} onReload={() => void account.refetch()} />}
            </Loaded>
          )}
        </Loaded>
      </Card>
    </Page>
  )
}

/** What authenticates or addresses the account: a change of it makes the last test say nothing. */
const ACCESS_FIELDS = ['credentials', 'auth_type', 'base_url_override', 'allow_private_network', 'headers'] as const

/** Credentials are sent whole, and what is not typed anew stays; the fields of another way to sign in are left out. */
function signInChange(
  provider: Provider,
  stored: Account,
  { auth_type, credentials }: AccountFields,
  changes: Partial<AccountFields>,
): Partial<AccountFields> {
  if (changes.credentials === undefined) return {}
  return { credentials: { ...masksFor(provider, auth_type, stored), ...givenFor(provider, auth_type, credentials) } }
}

interface EditFormProps {
  readonly provider: Provider
  readonly stored: Account
  readonly onReload: () => void
}

function EditForm({ provider, stored, onReload }: EditFormProps) {
  const change = accounts.useChange()
  const test = useTestedSave()
  const testSaved = useTestAccount()
  const renew = useRenew()
  const toasts = useToasts()
  const go = useGo()
  const form = useForm<AccountFields>({
    initial: fieldsOf(stored, provider),
    save: async ({ value, changes, overwrite }) => {
      if (hasTypedSecret(provider, value)) await test.pass(validationOf(provider, value))
      const draft = draftOf({ ...changes, ...signInChange(provider, stored, value, changes) })
      await change.mutateAsync({ id: stored.id, draft, version: overwrite ? undefined : stored.version })
      if (ACCESS_FIELDS.some((name) => name in changes)) void testSaved(stored.id).catch(() => undefined) // its page can test again
    },
  })
  const back = `/providers/${provider.id}/accounts/${stored.id}`
  function onSaved(): void {
    void renew()
    toasts.done(`Account “${form.value.name}” changed`)
    go(back)
  }
  async function saveAnyway(): Promise<void> {
    test.skipNext()
    if (await form.submit()) onSaved()
  }
  const isTested = hasTypedSecret(provider, form.value)
  return (
    <Form form={form} saveLabel={isTested ? 'Test and save' : 'Save'} onReload={onReload} onSaved={onSaved}>
      <AccountFieldset provider={provider} form={form} stored={stored} />
      <TestOutcome state={test.state} onSaveAnyway={() => void saveAnyway()} />
    </Form>
  )
}
