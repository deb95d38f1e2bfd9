import { X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useId, useState } from 'react'
import { useAnnounce } from '../app-context.ts'
import { classNames } from './class-names.ts'
import { useFieldProps } from './field.tsx'

export interface TagsInputProps {
  readonly value: readonly string[]
  readonly onChange: (value: string[]) => void
  readonly placeholder?: string
  /** Names what is listed, for screen readers: `pattern`. */
  readonly what?: string
  /** Offered while typing. */
  readonly suggestions?: readonly string[]
  readonly mono?: boolean
}

/** Several short texts: patterns, addresses, hosts. Enter, comma or pasting adds; Backspace in an empty field removes the last. */
export function TagsInput({ value, onChange, placeholder, what = 'entry', suggestions, mono = true }: TagsInputProps) {
  const [text, setText] = useState('')
  const field = useFieldProps()
  const announce = useAnnounce()
  const listId = useId()
  function add(texts: readonly string[]): void {
    const fresh = texts.map((entry) => entry.trim()).filter((entry) => entry !== '' && !value.includes(entry))
    setText('')
    if (fresh.length > 0) onChange([...value, ...new Set(fresh)])
  }
  function remove(entry: string): void {
    onChange(value.filter((other) => other !== entry))
    announce(`${entry} removed`)
  }
  function onKeyDown(event: KeyboardEvent): void {
    const last = value.at(-1)
    if (event.key === 'Backspace' && text === '' && last !== undefined) return remove(last)
    if (event.key !== ',' && (event.key !== 'Enter' || text === '')) return
    event.preventDefault()
    add([text])
  }
  function onPaste(event: ClipboardEvent): void {
    const pasted = event.clipboardData.getData('text').split(/[\s,]+/)
    if (pasted.length < 2) return
    event.preventDefault()
    add(pasted)
  }
  return (
    <div
      className={classNames(
        'flex min-h-9 flex-wrap items-center gap-1.5 rounded-control border border-control bg-surface px-1.5 py-1',
        'focus-within:outline-2 focus-within:outline-accent',
        field['aria-invalid'] && 'border-danger outline outline-1 outline-danger',
      )}
    >
      {value.map((entry) => (
        <span
          key={entry}
          className={classNames(
            'inline-flex items-center rounded-chip border border-line bg-sunken pl-1.5 text-caption',
            mono && 'font-mono',
          )}
        >
          {entry}
          <button
            type="button"
            aria-label={`Remove ${entry}`}
            onClick={() => remove(entry)}
            className="grid size-6 place-items-center text-muted hover:text-ink"
          >
            <X aria-hidden="true" size={12} />
          </button>
        </span>
      ))}
      <input
        {...field}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={() => add([text])}
        aria-label={`Add ${what}`}
        placeholder={value.length === 0 ? placeholder : undefined}
        list={suggestions && listId}
        autoComplete="off"
        spellCheck={false}
        className={classNames('h-6 min-w-24 flex-1 bg-transparent px-1 text-dense outline-none', mono && 'font-mono')}
      />
      {suggestions && (
        <datalist id={listId}>
          {suggestions.map((entry) => (
            <option key={entry} value={entry} />
          ))}
        </datalist>
      )}
    </div>
  )
}
