import { useEffect, useRef } from 'react'
import { useApp } from '../app-context.ts'
import { Dialog } from '../components/dialog.tsx'
import { SignInForm } from '../door/sign-in-form.tsx'
import { useStore } from '../store.ts'
import { useProfile } from './user-menu.tsx'

/** The session has ended while a page was open: signing in again happens over it, so that nothing typed is lost. */
export function SessionDialog() {
  const { session, queries } = useApp()
  const { data: profile } = useProfile()
  const hasEnded = useStore(session.state) === 'ended'
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (hasEnded) dialog.current?.showModal()
    else dialog.current?.close()
  }, [hasEnded])
  return (
    <Dialog ref={dialog} title="Sign in again" mustAnswer>
      <p className="mb-4 text-dense text-muted">Your session has ended. The page stays as it is.</p>
      {hasEnded && (
        <SignInForm
          {...(profile && { email: profile.email })}
          onSession={(opened) => {
            session.open(opened)
            void queries.invalidateQueries()
          }}
        />
      )}
      <button type="button" onClick={() => session.close()} className="mt-4 text-dense text-muted hover:underline">
        Leave this page
      </button>
    </Dialog>
  )
}
