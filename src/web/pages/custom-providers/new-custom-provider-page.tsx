import { useRef, useState } from 'react'
import { useGo } from '../../address.ts'
import { useApi, useToasts } from '../../app-context.ts'
import { Card } from '../../components/card.tsx'
import { Form } from '../../components/form.tsx'
import { reasonOf } from '../../components/error-state.tsx'
import { useForm } from '../../components/use-form.ts'
import { Page } from '../../shell/page.tsx'
import type { CustomProvider } from '../../wire.ts'
import { type CustomFields, NEW_FIELDS, newOf } from './custom-draft.ts'
import { CustomFieldset } from './custom-fieldset.tsx'
import { customProviders, useRenewProviders } from './data.ts'
import { TrialCard } from './trial-card.tsx'

export default function NewCustomProviderPage() {
  const create = customProviders.useCreate()
  const api = useApi()
  const renew = useRenewProviders()
  const toasts = useToasts()
  const go = useGo()
  const [apiKey, setApiKey] = useState('')
  const created = useRef<CustomProvider>(undefined)
  const form = useForm<CustomFields>({
    initial: NEW_FIELDS,
    save: async ({ value }) => {
      created.current = await create.mutateAsync(newOf(value))
    },
  })
  /** A provider answers nothing without an account: the key of the test becomes one, and an open server needs none. */
  async function addAccount({ slug, auth_scheme }: CustomProvider): Promise<boolean> {
    if (auth_scheme !== 'none' && apiKey === '') return false
    const credentials = auth_scheme === 'none' ? {} : { api_key: apiKey }
    try {
      const { id } = await api.post<{ id: string }>('/v1/accounts', { provider: slug, credentials })
      await api.post(`/v1/accounts/${id}/test`).catch(() => undefined) // its page can test again
      return true
    } catch (cause) {
      toasts.failed(`The provider is there, but not its account. ${reasonOf(cause)}`)
      return false
    }
  }
  async function onSaved(): Promise<void> {
    const provider = created.current
    if (provider === undefined) return
    const hasAccount = await addAccount(provider)
    void renew()
    toasts.done(`Provider “${provider.name}” added${hasAccount ? ' with its first account' : ''}`)
    go(hasAccount ? `/providers/${provider.slug}` : `/providers/${provider.slug}/add`)
  }
  return (
    <Page
      title="New custom provider"
      docs="own-provider"
      trail={[{ label: 'Custom providers', to: '/custom-providers' }]}
    >
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,48rem)_22rem]">
        <Card>
          <Form
            form={form}
            isNew
            saveLabel="Add provider"
            onCancel={() => go('/custom-providers')}
            onSaved={() => void onSaved()}
          >
            <CustomFieldset form={form} />
          </Form>
        </Card>
        <div className="grid gap-3 xl:sticky xl:top-17">
          <TrialCard fields={form.value} isStored={false} apiKey={apiKey} onApiKey={setApiKey} />
          <p className="px-1 text-caption text-faint">
            {form.value.auth_scheme === 'none'
              ? 'Adding the provider adds an account without a key.'
              : 'Adding the provider keeps this key, sealed, as its first account. Without one, the account is the next step.'}
          </p>
        </div>
      </div>
    </Page>
  )
}
