import { lazy, type RefObject, Suspense, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { Spinner } from '../components/spinner.tsx'

const PaletteList = lazy(() => import('./palette-list.tsx'))

export interface Palette {
  readonly dialog: RefObject<HTMLDialogElement | null>
  readonly isOpen: boolean
  readonly open: () => void
  readonly close: () => void
  readonly toggle: () => void
  readonly closed: () => void
}

export function usePalette(): Palette {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  const acts = useMemo(() => {
    const open = (): void => {
      if (document.querySelector('dialog[open]') !== null) return
      dialog.current?.showModal()
      setOpen(true)
    }
    const close = (): void => dialog.current?.close()
    return { open, close, toggle: () => (dialog.current?.open ? close() : open()), closed: () => setOpen(false) }
  }, [])
  return { dialog, isOpen, ...acts }
}

/** Everything by name: its list is loaded when it is first opened. */
export function PaletteDialog({ palette, onHelp }: { palette: Palette; onHelp: () => void }) {
  const own = useRef<HTMLDialogElement>(null)
  useImperativeHandle(palette.dialog, () => own.current as HTMLDialogElement) // set before effects run
  useEffect(() => {
    if (palette.isOpen) own.current?.querySelector('input')?.focus()
  }, [palette.isOpen])
  return (
    <dialog
      ref={own}
      aria-label="Search or run"
      onClose={palette.closed}
      onMouseDown={(event) => event.target === own.current && palette.close()}
      className="mx-auto mt-[12dvh] mb-auto w-[min(100vw-2rem,38.75rem)] max-w-none overflow-hidden rounded-card border border-line bg-raised p-0 shadow-overlay"
    >
      {palette.isOpen && (
        <Suspense fallback={<Spinner className="m-5" />}>
          <PaletteList onClose={palette.close} onHelp={onHelp} />
        </Suspense>
      )}
    </dialog>
  )
}
