import { Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { usePathParam } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { ButtonLink } from '../../components/button-link.tsx'
import { Card } from '../../components/card.tsx'
import { Form } from '../../components/form.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { useForm } from '../../components/use-form.ts'
import { Page } from '../../shell/page.tsx'
import type { CustomProvider } from '../../wire.ts'
import { changeOf, type CustomFields, fieldsOf } from './custom-draft.ts'
import { CustomFieldset } from './custom-fieldset.tsx'
import { customProviders, useRenewProviders } from './data.ts'
import { DeleteCustomProvider } from './delete-custom-provider.tsx'
import { TrialCard } from './trial-card.tsx'

const TRAIL = [{ label: 'Custom providers', to: '/custom-providers' }]

export default function CustomProviderPage() {
  const id = usePathParam('customId')
  const query = customProviders.useOne(id)
  if (query.data === undefined) {
    return (
      <Page title="Custom provider" trail={TRAIL}>
        <Card>
          <Loaded query={query} what="This custom provider could not be read">
            {() => null}
          </Loaded>
        </Card>
      </Page>
    )
  }
  return <Shown key={id} provider={query.data} onReload={() => void query.refetch()} />
}

function Shown({ provider, onReload }: { provider: CustomProvider; onReload: () => void }) {
  const change = customProviders.useChange()
  const renew = useRenewProviders()
  const toasts = useToasts()
  const deletion = useRef<HTMLDialogElement>(null)
  const [apiKey, setApiKey] = useState('')
  const form = useForm<CustomFields>({
    initial: fieldsOf(provider),
    save: ({ changes, overwrite }) =>
      change.mutateAsync({
        id: provider.id,
        draft: changeOf(withModelsCleared(changes)),
        version: overwrite ? undefined : provider.version,
      }),
  })
  return (
    <Page
      title={provider.name}
      docs="own-provider"
      trail={TRAIL}
      lead={<code className="text-dense text-muted">{provider.slug}/…</code>}
      actions={
        <>
          <ButtonLink to={`/providers/${provider.slug}`}>Accounts and models</ButtonLink>
          <Menu label="More about this provider">
            <MenuItem icon={Trash2} danger onSelect={() => deletion.current?.showModal()}>
              Delete…
            </MenuItem>
          </Menu>
        </>
      }
    >
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,48rem)_22rem]">
        <Card>
          <Form
            form={form}
            onReload={onReload}
            onSaved={() => {
              void renew()
              toasts.done(`Provider “${form.value.name}” changed`)
            }}
          >
            <CustomFieldset form={form} stored={provider} />
          </Form>
        </Card>
        <div className="xl:sticky xl:top-17">
          <TrialCard fields={form.value} isStored apiKey={apiKey} onApiKey={setApiKey} />
        </div>
      </div>
      <DeleteCustomProvider dialog={deletion} provider={provider} />
    </Page>
  )
}

/** A host that is asked for its models lists none here. */
function withModelsCleared(changes: Partial<CustomFields>): Partial<CustomFields> {
  return changes.models_mode === 'fetch' ? { ...changes, models: [] } : changes
}
