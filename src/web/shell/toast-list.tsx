import { CircleCheck, OctagonX, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useApp } from '../app-context.ts'
import { useStore } from '../store.ts'
import type { Toast } from './toasts.ts'

const SHOWN_S = 8

/** The region is always there, so that what appears in it is read out; F6 brings the focus to it. */
export function ToastList() {
  const { toasts } = useApp()
  const shown = useStore(toasts.shown)
  const region = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'F6') return
      const target = region.current?.querySelector('button')
      if (target) {
        event.preventDefault()
        target.focus()
      }
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <div
      ref={region}
      role="status"
      aria-label="Notices"
      className="pointer-events-none fixed inset-x-3 bottom-17 z-30 grid justify-start gap-2 md:inset-x-auto md:bottom-5 md:left-18 xl:left-59"
    >
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} onGone={() => toasts.dismiss(toast.id)} />
      ))}
    </div>
  )
}

function ToastCard({ toast, onGone }: { toast: Toast; onGone: () => void }) {
  const [leftS, setLeftS] = useState(SHOWN_S)
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return undefined
    if (leftS === 0) return void onGone()
    const timer = setTimeout(() => setLeftS(leftS - 1), 1_000)
    return () => clearTimeout(timer)
  }, [leftS, isHeld, onGone])
  const Icon = toast.tone === 'done' ? CircleCheck : OctagonX
  return (
    <div
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="pointer-events-auto flex max-w-120 items-center gap-3 rounded-card border border-line bg-raised px-3.5 py-2 text-dense shadow-overlay"
    >
      <Icon
        aria-hidden="true"
        size={16}
        strokeWidth={1.75}
        className={`shrink-0 ${toast.tone === 'done' ? 'text-clear' : 'text-danger'}`}
      />
      <span className="min-w-0 flex-1">{toast.text}</span>
      {toast.undo && (
        <button
          type="button"
          className="touch px-1 font-medium text-accent hover:underline"
          onClick={() => {
            toast.undo?.()
            onGone()
          }}
        >
          Undo
        </button>
      )}
      <span aria-hidden="true" className="w-6 text-right text-caption text-faint">
        {leftS} s
      </span>
      <button
        type="button"
        aria-label="Dismiss"
        onClick={onGone}
        className="touch grid size-6 place-items-center text-muted"
      >
        <X aria-hidden="true" size={14} strokeWidth={1.75} />
      </button>
    </div>
  )
}
