import { X } from 'lucide-react'
import { type ReactNode, type Ref, type RefObject, useId, useImperativeHandle, useRef } from 'react'
import { classNames } from './class-names.ts'

export interface DialogProps {
  /** Open it with `ref.current.showModal()`; the browser gives focus back to the opener when it closes. */
  readonly ref: Ref<HTMLDialogElement>
  readonly title: string
  readonly children: ReactNode
  /** Buttons, at the foot. */
  readonly footer?: ReactNode
  readonly wide?: boolean
  /** From the bottom edge on phones. */
  readonly sheet?: boolean
  /** Stays until it is answered: neither Escape nor a click beside it closes it. */
  readonly mustAnswer?: boolean
  readonly onClose?: () => void
}

/** The browser's own modal dialog: focus stays inside, Escape closes, what is behind is inert. */
export function Dialog(props: DialogProps) {
  const { ref, title, children, footer, wide = false, sheet = false, mustAnswer = false, onClose } = props
  const own = useRef<HTMLDialogElement>(null)
  useImperativeHandle(ref, () => own.current as HTMLDialogElement) // set before effects run
  const titleId = useId()
  return (
    <dialog
      ref={own}
      aria-labelledby={titleId}
      onClose={(event) => event.target === own.current && onClose?.()}
      onCancel={(event) => mustAnswer && event.preventDefault()}
      onKeyDown={(event) => mustAnswer && event.key === 'Escape' && event.preventDefault()}
      onMouseDown={(event) => !mustAnswer && isBeside(own, event.target) && own.current?.close()}
      className={classNames(
        'm-auto max-h-[min(86dvh,60rem)] w-[min(100vw-2rem,var(--w))] flex-col overflow-hidden rounded-card border border-line bg-raised p-0',
        'shadow-overlay open:flex',
        wide ? '[--w:48rem]' : '[--w:30rem]',
        sheet && 'max-md:mb-0 max-md:w-full max-md:max-w-full max-md:rounded-b-none',
      )}
    >
      <div className="flex shrink-0 items-center gap-2 py-2 pr-2 pl-5">
        <h2 id={titleId} className="min-w-0 flex-1 text-section font-semibold">
          {title}
        </h2>
        {!mustAnswer && (
          <button
            type="button"
            aria-label="Close"
            onClick={() => own.current?.close()}
            className="touch grid size-8 place-items-center rounded-control text-muted hover:bg-hover"
          >
            <X aria-hidden="true" size={16} strokeWidth={1.75} />
          </button>
        )}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-5">{children}</div>
      {footer && (
        <div className="flex shrink-0 flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3">
          {footer}
        </div>
      )}
    </dialog>
  )
}

/** A click on the backdrop reaches the dialog itself, one inside reaches something in it. */
function isBeside(dialog: RefObject<HTMLDialogElement | null>, target: EventTarget): boolean {
  return target === dialog.current
}
