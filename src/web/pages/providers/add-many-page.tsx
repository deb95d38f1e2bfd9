import { useRef, useState } from 'react'
import { useGo, usePathParam } from '../../address.ts'
import { useApi } from '../../app-context.ts'
import { Card } from '../../components/card.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { Field } from '../../components/field.tsx'
import { Form, FormGroup } from '../../components/form.tsx'
import { Input, Textarea } from '../../components/input.tsx'
import { KeyValueEditor } from '../../components/key-value-editor.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { useForm } from '../../components/use-form.ts'
import { plural } from '../../format/count.ts'
import { Page } from '../../shell/page.tsx'
import type { BulkOutcome, Provider } from '../../wire.ts'
import { BulkResults } from './bulk-results.tsx'
import { useProvider, useRenew } from './data.ts'
import { ITEMS_MAX, readPasted } from './pasted-keys.ts'

export default function AddManyPage() {
  const id = usePathParam('providerId')
  const provider = useProvider(id)
  const name = provider.data?.name ?? id
  const [outcome, setOutcome] = useState<BulkOutcome>()
  return (
    <Page
      title={`Add many accounts at ${name}`}
      trail={[
        { label: 'Providers', to: '/providers' },
        { label: name, to: `/providers/${id}` },
      ]}
      width="form"
      docs="add-a-provider"
    >
      {outcome === undefined ? (
        <Card>
          <Loaded query={provider} what="This provider could not be read">
            {(shown) => <PasteForm provider={shown} onDone={setOutcome} />}
          </Loaded>
        </Card>
      ) : (
        <BulkResults outcome={outcome} providerId={id} onAgain={() => setOutcome(undefined)} />
      )}
    </Page>
  )
}

interface PasteFields {
  readonly items: string
  readonly test: boolean
  readonly priority: string
  readonly weight: string
  readonly base_url_override: string
  readonly tags: Readonly<Record<string, string>>
}

const NOTHING: PasteFields = { items: '', test: true, priority: '0', weight: '1', base_url_override: '', tags: {} }

function PasteForm({ provider, onDone }: { provider: Provider; onDone: (outcome: BulkOutcome) => void }) {
  const api = useApi()
  const renew = useRenew()
  const go = useGo()
  const outcome = useRef<BulkOutcome>(undefined)
  const form = useForm<PasteFields>({
    initial: NOTHING,
    save: async ({ value }) => {
      outcome.current = await api.post<BulkOutcome>('/v1/accounts/bulk', bodyOf(provider, value))
    },
  })
  function onSaved(): void {
    void renew()
    if (outcome.current !== undefined) onDone(outcome.current)
  }
  const items = readPasted(form.value.items, provider)
  const named = items.filter(({ name }) => name !== undefined).length
  return (
    <Form form={form} isNew saveLabel="Add accounts" onCancel={() => go(`/providers/${provider.id}`)} onSaved={onSaved}>
      <Field
        label="Keys, one per line"
        name="items"
        hint={`A name may stand before each: “main, sk-…”. At most ${ITEMS_MAX} at once.`}
      >
        <Textarea mono rows={8} spellCheck={false} autoComplete="off" {...form.text('items')} />
      </Field>
      <p role="status" className="-mt-3 text-caption text-muted">
        {items.length > 0 && `${plural(items.length, 'key')}, ${named} with a name`}
      </p>
      <Checkbox
        label="Test each one"
        hint="Signs in and lists the models, which costs nothing. Accounts are kept whatever the test says."
        checked={form.value.test}
        onChange={(on) => form.set('test', on)}
      />
      <FormGroup title="What they have in common" folded={form.error === undefined}>
        <div className="grid grid-cols-2 items-start gap-4">
          <Field label="Priority" name="defaults.priority">
            <Input inputMode="numeric" {...form.text('priority')} />
          </Field>
          <Field label="Weight" name="defaults.weight">
            <Input inputMode="numeric" {...form.text('weight')} />
          </Field>
        </div>
        <Field label="Base URL" name="defaults.base_url_override">
          <Input
            mono
            inputMode="url"
            placeholder={provider.dialects[0]?.base_url}
            {...form.text('base_url_override')}
          />
        </Field>
        <Field label="Tags" name="defaults.tags" group>
          <KeyValueEditor what="Tag" value={form.value.tags} onChange={(tags) => form.set('tags', tags)} />
        </Field>
      </FormGroup>
    </Form>
  )
}

function bodyOf(provider: Provider, { items, test, priority, weight, base_url_override, tags }: PasteFields) {
  const address = base_url_override.trim()
  const defaults = {
    priority: Number(priority || 0),
    weight: Number(weight || 1),
    tags,
    ...(address !== '' && { base_url_override: address }),
  }
  return { provider: provider.id, items: readPasted(items, provider), defaults, test }
}
