import { lazy, type RefObject, Suspense, useMemo, useRef, useState } from 'react'
import { Dialog } from '../components/dialog.tsx'
import { Spinner } from '../components/spinner.tsx'

const ShortcutList = lazy(() => import('./shortcut-list.tsx'))

interface Help {
  readonly dialog: RefObject<HTMLDialogElement | null>
  readonly isOpen: boolean
  readonly open: () => void
  readonly closed: () => void
}

export function useShortcutHelp(): Help {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  const acts = useMemo(() => {
    const open = (): void => {
      dialog.current?.showModal()
      setOpen(true)
    }
    return { open, closed: () => setOpen(false) }
  }, [])
  return { dialog, isOpen, ...acts }
}

/** What the keys do: loaded when it is first opened. */
export function ShortcutHelp({ help }: { help: Help }) {
  return (
    <Dialog ref={help.dialog} title="Keyboard shortcuts" wide onClose={help.closed}>
      {help.isOpen && (
        <Suspense fallback={<Spinner className="m-5" />}>
          <ShortcutList />
        </Suspense>
      )}
    </Dialog>
  )
}
