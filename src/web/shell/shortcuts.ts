import { useEffect } from 'react'
import { useGo } from '../address.ts'
import { useApp } from '../app-context.ts'
import { DESTINATIONS } from './destinations.ts'

const STORED_AS = 'signalbox.shortcuts'
/** How long `G` waits for its letter. */
const SEQUENCE_MS = 1_200

export interface ShortcutActs {
  readonly palette: () => void
  readonly help: () => void
}

/** Single keys can be turned off, for people who dictate or whose keys repeat. `Ctrl K` stays. */
export function areShortcutsOn(): boolean {
  return localStorage.getItem(STORED_AS) !== 'off'
}

export function setShortcuts(on: boolean): void {
  if (on) localStorage.removeItem(STORED_AS)
  else localStorage.setItem(STORED_AS, 'off')
}

/** `Ctrl K`, `?`, `/`, `G` and a section's letter, and the letters of what the page offers. */
export function useShortcuts({ palette, help }: ShortcutActs): void {
  const go = useGo()
  const { commands } = useApp()
  useEffect(() => {
    let sequenceFromMs = Number.NEGATIVE_INFINITY
    const onKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        return palette()
      }
      if (!isPlainKey(event)) return
      const key = event.key.toUpperCase()
      const isSecond = event.timeStamp - sequenceFromMs < SEQUENCE_MS
      sequenceFromMs = !isSecond && key === 'G' ? event.timeStamp : Number.NEGATIVE_INFINITY
      const act = isSecond ? destinationAct(key) : plainAct(event.key, key)
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    const destinationAct = (key: string) => {
      const destination = DESTINATIONS.find(({ letter }) => letter === key)
      return destination && (() => go(destination.to))
    }
    const plainAct = (exact: string, key: string) => {
      if (exact === '?') return help
      if (exact === '/') return focusSearch()
      return commands.offered.get().find(({ shortcut }) => shortcut === key)?.run
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [go, commands, palette, help])
}

/** Not in a control, not in a dialog, no modifier, not turned off. */
function isPlainKey(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing) return false
  const isTyping =
    event.target instanceof Element &&
    event.target.closest('input, textarea, select, [contenteditable], [role=listbox], dialog[open]') !== null
  return !isTyping && document.querySelector('dialog[open]') === null && areShortcutsOn()
}

/** The page's own search field, if it has one. */
function focusSearch(): (() => void) | undefined {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  if (field === null) return undefined
  return () => {
    field.focus()
    field.select()
  }
}
