import { type FormEvent, type RefObject, useId, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../api-error.ts'
import { useApi } from '../../app-context.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { reasonOf } from '../../components/error-state.tsx'
import { Field } from '../../components/field.tsx'
import { messageFor } from '../../components/form-state.ts'
import { Input } from '../../components/input.tsx'
import { putInCache } from '../../resource.ts'
import type { Key, KeyWithSecret } from '../../wire.ts'
import { keys } from './data.ts'

const GRACE_HOURS_DEFAULT = 24

export interface RotateKeyProps {
  readonly dialog: RefObject<HTMLDialogElement | null>
  readonly stored: Key
  readonly onRotated: (secret: string) => void
}

/** A new secret for the same key; the old one goes on for as long as tools need to be changed. */
export function RotateKey({ dialog, stored, onRotated }: RotateKeyProps) {
  const [hours, setHours] = useState(String(stored.rotation?.grace_hours ?? GRACE_HOURS_DEFAULT))
  const { busy, error, rotate } = useRotate(stored.id)
  const formId = useId()
  async function onSubmit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const secret = busy ? undefined : await rotate(Number(hours))
    if (secret === undefined) return
    dialog.current?.close()
    onRotated(secret)
  }
  return (
    <Dialog
      ref={dialog}
      title={`Rotate “${stored.name}”?`}
      footer={
        <>
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <Button type="submit" form={formId} tone="primary" busy={busy}>
            Rotate
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-4">
        <p className="text-dense text-muted">
          The key gets a new secret, shown once. Its rules, its name and its history stay.
        </p>
        <Field
          label="The old secret works for, hours"
          hint={hours === '0' ? 'It stops at once: every tool that uses it is refused.' : 'Until then both work.'}
          error={error && (messageFor(error.errors, 'grace_hours') ?? reasonOf(error))}
        >
          <Input
            inputMode="numeric"
            className="max-w-32"
            value={hours}
            onChange={({ target }) => setHours(target.value)}
          />
        </Field>
      </form>
    </Dialog>
  )
}

function useRotate(id: string) {
  const api = useApi()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError>()
  /** The new secret; undefined when it was refused. */
  async function rotate(graceHours: number): Promise<string | undefined> {
    setBusy(true)
    setError(undefined)
    try {
      const { secret, ...key } = await api.post<KeyWithSecret>(`/v1/keys/${id}/rotate`, { grace_hours: graceHours })
      void putInCache<Key>(queries, keys.path, key)
      return secret
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause
      setError(cause)
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { busy, error, rotate }
}
