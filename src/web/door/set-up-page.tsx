import { HardDrive, Lock } from 'lucide-react'
import { useEffect, useState } from 'react'
import { SECOND_MS } from '../../core/duration.ts'
import { ApiError } from '../api-error.ts'
import { Button } from '../components/button.tsx'
import { Callout } from '../components/callout.tsx'
import { Field } from '../components/field.tsx'
import { messageFor } from '../components/form-state.ts'
import { Input, PasswordInput } from '../components/input.tsx'
import { askSetUp, requestSession, Session } from '../session.ts'
import type { SetUp } from '../wire.ts'
import { DoorLayout } from './door-layout.tsx'
import { PasswordStrength } from './password-strength.tsx'
import { sentenceOf, useSubmit } from './sign-in-form.tsx'

const TICK_MS = 1_000

export function SetUpPage() {
  const token = useLinkToken()
  const state = useSetUpState()
  const { busy, error, submit } = useSubmit(
    (credentials) => requestSession('/v1/auth/setup', { token, ...credentials }),
    (session) => {
      new Session(localStorage).open(session)
      location.replace('/')
    },
  )
  const isLinkRefused = token === '' || error?.status === 401
  const [password, setPassword] = useState('')
  return (
    <DoorLayout title="Create the owner" lead="The first user can do everything, and adds the others.">
      <form onSubmit={submit} className="mt-5 grid gap-4" noValidate>
        <LinkState error={error} isRefused={isLinkRefused} state={state} />
        <Field
          label="E-mail"
          name="email"
          hint="Only used to sign in. Nothing is sent anywhere."
          error={error && messageFor(error.errors, 'email')}
        >
          <Input type="email" autoComplete="username" required autoFocus />
        </Field>
        <div className="grid gap-2">
          <Field label="Password" name="password" error={error && messageFor(error.errors, 'password')}>
            <PasswordInput
              autoComplete="new-password"
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </Field>
          <PasswordStrength password={password} />
        </div>
        <Button type="submit" tone="primary" busy={busy} className="h-10 w-full">
          Create owner and continue
        </Button>
      </form>
      <ul className="mt-7 grid gap-2 border-t border-line pt-4 text-dense text-muted">
        <li className="flex items-center gap-2">
          <HardDrive aria-hidden="true" size={16} strokeWidth={1.75} />
          Everything stays in one data folder on that machine.
        </li>
        <li className="flex items-center gap-2">
          <Lock aria-hidden="true" size={16} strokeWidth={1.75} />
          {reach()}
        </li>
      </ul>
    </DoorLayout>
  )
}

interface LinkStateProps {
  readonly error: ApiError | undefined
  readonly isRefused: boolean
  /** Undefined until the server has said. */
  readonly state: SetUp | undefined
}

function LinkState({ error, isRefused, state }: LinkStateProps) {
  if (error?.status === 409 || state?.needed === false) {
    return (
      <Callout
        tone="caution"
        alert
        action={
          <a href="/sign-in" className="font-medium underline">
            Sign in
          </a>
        }
      >
        This installation has an owner already.
      </Callout>
    )
  }
  if (isRefused || state?.link_expires_in_s === null) {
    return (
      <Callout tone="danger" alert>
        The set-up link is missing, used or older than 30 minutes. Start the gateway again: its console shows a new one.
      </Callout>
    )
  }
  if (error !== undefined && error.status !== 422) {
    return (
      <Callout tone="danger" alert>
        {sentenceOf(error)}
      </Callout>
    )
  }
  return state && <TimeLeft seconds={state.link_expires_in_s} />
}

/** Counts down in minutes, the last one in seconds. */
function TimeLeft({ seconds }: { seconds: number }) {
  const [untilMs] = useState(() => Date.now() + seconds * SECOND_MS)
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  const left = Math.max(0, Math.round((untilMs - nowMs) / SECOND_MS))
  if (left === 0)
    return <Callout tone="danger">The set-up link has run out. Start the gateway again for a new one.</Callout>
  const text = left > 60 ? `${Math.round(left / 60)} min` : `${left} s`
  return <Callout tone="clear">Set-up link found. It works once and ends in {text}.</Callout>
}

function useSetUpState(): SetUp | undefined {
  const [state, setState] = useState<SetUp>()
  useEffect(() => void askSetUp().then(setState), [])
  return state
}

/** The token behind `#token=`; the fragment never reaches a server. It stays in the address so that reloading still works. */
function useLinkToken(): string {
  const [token, setToken] = useState(readToken)
  useEffect(() => {
    const reread = (): void => setToken(readToken())
    addEventListener('hashchange', reread)
    return () => removeEventListener('hashchange', reread)
  }, [])
  return token
}

function readToken(): string {
  return new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
}

function reach(): string {
  const isLocal = /^(localhost|127\.|\[::1\])/.test(location.hostname)
  return isLocal
    ? `You reach it at ${location.host}, on this machine.`
    : `You reach it at ${location.host}, over the network${location.protocol === 'https:' ? '' : ' and without encryption'}.`
}
