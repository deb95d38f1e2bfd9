import type { LucideIcon } from 'lucide-react'
import { type ReactNode, type RefObject, useId, useState } from 'react'
import { Button } from './button.tsx'
import { Callout } from './callout.tsx'
import { Dialog } from './dialog.tsx'
import { reasonOf } from './error-state.tsx'
import { Input } from './input.tsx'

/** Something that follows from the act, read from data. */
export interface Consequence {
  readonly icon: LucideIcon
  readonly tone: 'plain' | 'caution' | 'danger'
  readonly text: ReactNode
}

export interface ConfirmDestructiveProps {
  /** Open it with `ref.current?.showModal()`. */
  readonly dialog: RefObject<HTMLDialogElement | null>
  /** `Delete key “ci-bot”?` */
  readonly title: string
  readonly consequences: readonly Consequence[]
  /** `Delete` */
  readonly act: string
  readonly onConfirm: () => Promise<unknown>
  /** Has to be typed first. Only when something that is in use breaks. */
  readonly typeToConfirm?: string | undefined
  /** A choice that the act needs. */
  readonly children?: ReactNode
  /** Why it cannot be done yet: what has to be chosen first. */
  readonly missing?: string | undefined
  /** The gentler way: `Disable instead`. */
  readonly instead?: { readonly label: string; readonly onClick: () => void }
}

const TONES = { plain: 'text-muted', caution: 'text-caution', danger: 'text-danger' } as const

/** Says what an act that cannot be taken back will do, before it is done. */
export function ConfirmDestructive(props: ConfirmDestructiveProps) {
  const { dialog, title, consequences, act, onConfirm, typeToConfirm, missing, instead } = props
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const inputId = useId()
  const close = (): void => dialog.current?.close()
  async function confirm(): Promise<void> {
    setBusy(true)
    try {
      await onConfirm()
      close()
    } catch (cause) {
      setError(cause)
    } finally {
      setBusy(false)
    }
  }
  const isUntyped = typeToConfirm !== undefined && typed !== typeToConfirm
  const first = missing ?? (isUntyped ? `Type ${typeToConfirm} first` : undefined)
  return (
    <Dialog
      ref={dialog}
      title={title}
      onClose={() => {
        setTyped('')
        setError(undefined)
      }}
      footer={
        <>
          {instead && (
            <span className="mr-auto">
              <Button
                onClick={() => {
                  instead.onClick()
                  close()
                }}
              >
                {instead.label}
              </Button>
            </span>
          )}
          <Button onClick={close}>Cancel</Button>
          <Button
            tone="danger"
            busy={busy}
            onClick={() => void confirm()}
            {...(first !== undefined && { disabledBecause: first, hideReason: true })}
          >
            {act}
          </Button>
        </>
      }
    >
      <ul className="grid gap-2 text-dense">
        {consequences.map(({ icon: Icon, tone, text }, at) => (
          <li key={at} className="flex items-start gap-2.5">
            <Icon aria-hidden="true" size={16} strokeWidth={1.75} className={`mt-px shrink-0 ${TONES[tone]}`} />
            <span>{text}</span>
          </li>
        ))}
      </ul>
      {props.children && <div className="mt-4">{props.children}</div>}
      {typeToConfirm !== undefined && (
        <div className="mt-4 grid gap-1.5">
          <label htmlFor={inputId} className="text-caption font-medium text-muted">
            Type {typeToConfirm} to {act.toLowerCase()} it
          </label>
          <Input id={inputId} mono value={typed} onChange={(event) => setTyped(event.target.value)} />
        </div>
      )}
      {error !== undefined && (
        <div className="mt-4">
          <Callout tone="danger" alert>
            {reasonOf(error)}
          </Callout>
        </div>
      )}
    </Dialog>
  )
}
