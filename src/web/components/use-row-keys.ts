import { type RefObject, useEffect } from 'react'
import { areShortcutsOn } from '../shell/shortcuts.ts'

/** `J` and `K` move the focus from row to row; `Enter` opens it, since a row is a link. Rows are marked with `data-row`. */
export function useRowKeys(container: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const step = { j: 1, k: -1 }[event.key]
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event)) return
      const rows = [...(container.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
      const at = rows.findIndex((row) => row === document.activeElement)
      const next = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))]
      if (next === undefined) return
      event.preventDefault()
      next.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [container])
}

function isElsewhere({ target }: KeyboardEvent): boolean {
  if (!areShortcutsOn() || document.querySelector('dialog[open]') !== null) return true
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}
