import { useRef, useState, type FormEvent } from 'react'
import { ApiError } from '../api-error.ts'
import { Button } from '../components/button.tsx'
import { Callout } from '../components/callout.tsx'
import { Field } from '../components/field.tsx'
import { messageFor } from '../components/form-state.ts'
import { Input, PasswordInput } from '../components/input.tsx'
import { requestSession } from '../session.ts'
import type { Session } from '../wire.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
}

/** Asks for e-mail and password until the server gives a session for them. */
export function SignInForm({ email, onSession }: { email?: string; onSession: (session: Session) => void }) {
  const { busy, error, submit } = useSubmit((credentials) => requestSession('/v1/auth/sign-in', credentials), onSession)
  const isWrong = error?.status === 401
  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      {error !== undefined && !isWrong && error.status !== 422 && (
        <Callout tone="danger" alert>
          {sentenceOf(error)}
        </Callout>
      )}
      <Field label="E-mail" name="email" error={error && messageFor(error.errors, 'email')}>
        <Input type="email" autoComplete="username" required autoFocus={email === undefined} defaultValue={email} />
      </Field>
      <Field
        label="Password"
        name="password"
        error={isWrong ? 'E-mail or password is wrong.' : error && messageFor(error.errors, 'password')}
      >
        <PasswordInput autoComplete="current-password" required autoFocus={email !== undefined} />
      </Field>
      <Button type="submit" tone="primary" busy={busy} className="h-10 w-full">
        Sign in
      </Button>
    </form>
  )
}

/** One submission of e-mail and password at a time; what went wrong stays until the next. */
export function useSubmit(ask: (credentials: Credentials) => Promise<Session>, onSession: (session: Session) => void) {
  const [error, setError] = useState<ApiError>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  async function run({ currentTarget }: FormEvent<HTMLFormElement>): Promise<void> {
    form.current = currentTarget
    const fields = new FormData(currentTarget)
    setBusy(true)
    try {
      onSession(await ask({ email: String(fields.get('email')), password: String(fields.get('password')) }))
      setError(undefined)
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause
      setError(cause)
      focusFault(form.current, cause)
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    void run(event)
  }
  return { busy, error, submit }
}

/** The control that has to be changed takes the focus: after a wrong pair that is the password. */
function focusFault(form: HTMLFormElement | null, error: ApiError): void {
  const name = error.status === 401 ? 'password' : Object.keys(error.errors)[0]
  const control = name === undefined ? null : form?.elements.namedItem(name)
  if (control instanceof HTMLInputElement) {
    control.focus()
    control.select()
  }
}

/** What a person at the door is told. */
export function sentenceOf(error: ApiError): string {
  if (error.status === 429) return `Too many attempts. Try again in ${error.retryAfterS ?? 60} s.`
  const sentence = error.message.charAt(0).toUpperCase() + error.message.slice(1)
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}
