import { type ReactNode, useEffect, useRef } from 'react'

/** Takes the focus when it appears, in place of the control that brought it and is gone. `label` says what it is. */
export function Focused({ label, children }: { label: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} role="group" aria-label={label} tabIndex={-1} className="outline-none">
      {children}
    </div>
  )
}
