import { useGo, usePathParam } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { Card } from '../../components/card.tsx'
import { Form } from '../../components/form.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { useForm } from '../../components/use-form.ts'
import { Page } from '../../shell/page.tsx'
import type { Key } from '../../wire.ts'
import { keyHref, keys } from './data.ts'
import { draftOf, formOf } from './key-draft.ts'
import { KeyFields } from './key-fields.tsx'

/** The rules of a key that exists. Only what was changed is sent, with the version that it was changed from. */
export default function EditKeyPage() {
  const id = usePathParam('keyId')
  const query = keys.useOne(id)
  const trail = [
    { label: 'Keys', to: '/keys' },
    { label: query.data?.name ?? 'Key', to: keyHref({ id }) },
  ]
  return (
    <Page title="Edit key" docs="keys" trail={trail} width="form">
      <Loaded query={query} what="The key could not be read">
        {(key) => <EditForm key={key.id} stored={key} onReload={() => void query.refetch()} />}
      </Loaded>
    </Page>
  )
}

function EditForm({ stored, onReload }: { stored: Key; onReload: () => void }) {
  const go = useGo()
  const toasts = useToasts()
  const change = keys.useChange()
  const form = useForm({
    initial: formOf(stored),
    save: ({ changes, overwrite }) =>
      change.mutateAsync({
        id: stored.id,
        draft: draftOf(changes, stored.rotation),
        version: overwrite ? undefined : stored.version,
      }),
  })
  function onSaved(): void {
    toasts.done(`“${form.value.name}” is saved`)
    go(keyHref(stored))
  }
  return (
    <Card>
      <Form form={form} onSaved={onSaved} onReload={onReload}>
        <KeyFields form={form} folded={false} />
      </Form>
    </Card>
  )
}
