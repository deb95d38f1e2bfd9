import { useEffect } from 'react'
import { CopyButton } from '../components/copy-button.tsx'
import { askSetUp, Session } from '../session.ts'
import { DoorLayout } from './door-layout.tsx'
import { SignInForm } from './sign-in-form.tsx'

const RESET_COMMAND = 'signalbox user reset-password'

export function SignInPage() {
  useEffect(() => void leaveWhenThereIsNoOwner(), [])
  return (
    <DoorLayout
      title="Sign in"
      lead={
        <>
          to <code className="text-dense">{location.host}</code>
        </>
      }
    >
      <div className="mt-8 max-w-90">
        <SignInForm
          onSession={(session) => {
            new Session(localStorage).open(session)
            location.replace(nextAddress(location.search))
          }}
        />
        <p className="mt-7 text-dense text-muted">Forgot it? On the machine that runs the gateway:</p>
        <p className="mt-1.5 inline-flex items-center gap-1 rounded-control border border-line py-0.5 pr-0.5 pl-2">
          <code className="text-dense text-muted">{RESET_COMMAND}</code>
          <CopyButton text={RESET_COMMAND} label="Copy the command" />
        </p>
      </div>
    </DoorLayout>
  )
}

/** Where the reader was on the way to. Only an address of this dashboard is followed. */
export function nextAddress(search: string): string {
  const next = new URLSearchParams(search).get('next')
  return next !== null && /^\/(?![/\\])/.test(next) ? next : '/'
}

/** Nobody can sign in before there is an owner; the set-up page says where the link is. */
async function leaveWhenThereIsNoOwner(): Promise<void> {
  if ((await askSetUp())?.needed === true) location.replace('/setup')
}
