import { Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../api-error.ts'
import { useApi } from '../../app-context.ts'
import { Button } from '../../components/button.tsx'
import { reasonOf } from '../../components/error-state.tsx'
import { Focused } from '../../components/focused.tsx'
import { Field } from '../../components/field.tsx'
import { messageFor } from '../../components/form-state.ts'
import { Input } from '../../components/input.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { Select } from '../../components/select.tsx'
import { resource } from '../../resource.ts'
import type { Key, KeyChange, KeyWithSecret, NewKey, RevealedKey } from '../../wire.ts'
import { Step, type StepState } from './stepper.tsx'

const keys = resource<Key, NewKey, KeyChange>('/v1/keys')
const OFFERED_MAX = 100
const FIRST_NAME = 'laptop'

/** A key that this page may use until it is left. */
export interface HeldKey {
  /** Undefined for a pasted one. */
  readonly id: string | undefined
  readonly name: string
  readonly secret: string
}

export interface KeyStepProps {
  readonly state: StepState
  readonly held: HeldKey | undefined
  readonly onHold: (key: HeldKey) => void
}

/** Step 2: a key for the tools. Its secret is shown once, and held by the page so that the next steps can use it. */
export function KeyStep({ state, held, onHold }: KeyStepProps) {
  const list = keys.useList({ limit: OFFERED_MAX })
  const [created, setCreated] = useState<KeyWithSecret>()
  const [isCreating, setCreating] = useState(false)
  const existing = list.data?.data ?? []
  const isOpen = isCreating || (list.data !== undefined && existing.length === 0)
  function onCreated(key: KeyWithSecret): void {
    setCreated(key)
    setCreating(false)
    onHold(key)
  }
  return (
    <Step
      number={2}
      state={state}
      title="Create a key"
      aside={created?.name ?? held?.name ?? (existing.length > 0 ? 'or use one that you have' : 'for your tools')}
      action={
        !isOpen && (
          <Button icon={Plus} onClick={() => setCreating(true)}>
            {created || existing.length > 0 ? 'Another' : 'Create one'}
          </Button>
        )
      }
    >
      {created && (
        <div className="mt-3">
          <Focused key={created.id} label="New key">
            <SecretOnce secret={created.secret} what="Key" later="Reading it again is a recorded act." />
          </Focused>
        </div>
      )}
      {isOpen ? (
        <NewKeyForm name={existing.length === 0 ? FIRST_NAME : ''} onCreated={onCreated} />
      ) : (
        created === undefined && existing.length > 0 && <ExistingKey keys={existing} held={held} onHold={onHold} />
      )}
    </Step>
  )
}

function NewKeyForm({ name: first, onCreated }: { name: string; onCreated: (key: KeyWithSecret) => void }) {
  const [name, setName] = useState(first)
  const create = keys.useCreate<KeyWithSecret>()
  const { error } = create
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (!create.isPending) create.mutate({ name }, { onSuccess: onCreated })
  }
  return (
    <form onSubmit={onSubmit} noValidate className="mt-3 flex max-w-130 flex-wrap items-start gap-2">
      <div className="min-w-48 flex-1">
        <Field
          label="Name"
          hint="Who or what will use it."
          error={error ? (messageFor(error.errors, 'name') ?? reasonOf(error)) : undefined}
        >
          <Input value={name} onChange={({ target }) => setName(target.value)} />
        </Field>
      </div>
      <Button type="submit" tone="primary" busy={create.isPending} className="mt-5.5 h-9">
        Create key
      </Button>
    </form>
  )
}

interface ExistingKeyProps {
  readonly keys: readonly Key[]
  readonly held: HeldKey | undefined
  readonly onHold: (key: HeldKey) => void
}

/** Brings back a key that exists already: reading it is written down. */
function ExistingKey({ keys, held, onHold }: ExistingKeyProps) {
  const api = useApi()
  const usable = keys.filter(({ status }) => status === 'active')
  const [chosen, setChosen] = useState('')
  const [error, setError] = useState<ApiError>()
  const [busy, setBusy] = useState(false)
  const key = usable.find(({ id }) => id === chosen) ?? usable[0]
  async function reveal(): Promise<void> {
    if (key === undefined) return
    setBusy(true)
    setError(undefined)
    try {
      const { secret } = await api.post<RevealedKey>(`/v1/keys/${key.id}/reveal`)
      onHold({ id: key.id, name: key.name, secret })
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause
      setError(cause)
    } finally {
      setBusy(false)
    }
  }
  if (key === undefined) return <p className="mt-1 text-dense text-muted">No key is active. Create one.</p>
  return (
    <div className="mt-3">
      <div className="flex max-w-130 flex-wrap gap-2">
        <Select
          aria-label="Key"
          className="min-w-40 flex-1"
          value={key.id}
          options={usable.map(({ id, name, secret_masked }) => ({ value: id, label: `${name} · ${secret_masked}` }))}
          onChange={setChosen}
        />
        <Button busy={busy} className="h-9" onClick={() => void reveal()}>
          Use it here
        </Button>
      </div>
      <p className="mt-1.5 text-caption text-muted" role={error && 'alert'}>
        {error
          ? `${reasonOf(error)} Paste it below instead, or create another.`
          : held?.id === key.id
            ? 'Used below until you leave this page.'
            : 'Fills in the code below. Written to the audit log.'}
      </p>
    </div>
  )
}
