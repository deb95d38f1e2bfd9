import { useState } from 'react'
import { useGo } from '../../address.ts'
import { ButtonLink } from '../../components/button-link.tsx'
import { Card } from '../../components/card.tsx'
import { Focused } from '../../components/focused.tsx'
import { Form } from '../../components/form.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { useForm } from '../../components/use-form.ts'
import { Page } from '../../shell/page.tsx'
import type { KeyWithSecret } from '../../wire.ts'
import { keyHref, keys } from './data.ts'
import { draftOf, EMPTY_KEY } from './key-draft.ts'
import { KeyFields } from './key-fields.tsx'

/** A new key: a name is enough. Its secret is shown here once it is made. */
export default function NewKeyPage() {
  const go = useGo()
  const create = keys.useCreate<KeyWithSecret>()
  const [created, setCreated] = useState<KeyWithSecret>()
  const form = useForm({
    initial: EMPTY_KEY,
    save: async ({ value, changes }) => setCreated(await create.mutateAsync({ ...draftOf(changes), name: value.name })),
  })
  return (
    <Page title={created?.name ?? 'New key'} trail={[{ label: 'Keys', to: '/keys' }]} width="form">
      {created ? (
        <Created created={created} onClose={() => go(keyHref(created))} />
      ) : (
        <Card>
          <Form form={form} isNew saveLabel="Create key" onCancel={() => go('/keys')}>
            <KeyFields form={form} folded />
          </Form>
        </Card>
      )}
    </Page>
  )
}

function Created({ created, onClose }: { created: KeyWithSecret; onClose: () => void }) {
  return (
    <Card title="The key is ready">
      <Focused label="New key">
        <SecretOnce secret={created.secret} what="Key" later="Reading it again is a recorded act." onClose={onClose} />
      </Focused>
      <p className="mt-4 flex flex-wrap gap-2">
        <ButtonLink to="/connect">Connect a tool</ButtonLink>
        <ButtonLink to={keyHref(created)} tone="quiet">
          Open the key
        </ButtonLink>
      </p>
    </Card>
  )
}
