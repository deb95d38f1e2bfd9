import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

export interface LeaveGuardProps {
  /** Something would be lost. */
  readonly active: boolean
  readonly title?: string
  readonly children: string
}

/** Asks before the reader leaves: in a dialog for other pages of the dashboard, through the browser when the tab closes. */
export function LeaveGuard({ active, title = 'Leave without saving?', children }: LeaveGuardProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => active && current.pathname !== next.pathname,
    enableBeforeUnload: () => active,
    withResolver: true,
  })
  const isBlocked = blocker.status === 'blocked'
  useEffect(() => {
    if (isBlocked) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isBlocked])
  return (
    <Dialog
      ref={dialog}
      title={title}
      onClose={() => blocker.reset?.()}
      footer={
        <>
          <Button tone="quiet" onClick={() => blocker.proceed?.()}>
            Leave
          </Button>
          <Button tone="primary" onClick={() => dialog.current?.close()}>
            Stay
          </Button>
        </>
      }
    >
      <p className="text-dense text-muted">{children}</p>
    </Dialog>
  )
}
