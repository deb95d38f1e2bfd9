import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import { Input } from './input.tsx'

export interface KeyValueEditorProps {
  readonly value: Readonly<Record<string, string>>
  readonly onChange: (value: Record<string, string>) => void
  /** `Tag`, `Header`: the names of a row's two controls begin with it. */
  readonly what: string
  readonly keyPlaceholder?: string
  readonly valuePlaceholder?: string
}

interface Row {
  readonly id: number
  readonly key: string
  readonly value: string
}

/** Named texts: tags, headers, model maps. Rows whose name is empty are not sent; of two with one name the last counts. */
export function KeyValueEditor({ value, onChange, what, keyPlaceholder, valuePlaceholder }: KeyValueEditorProps) {
  const [rows, setRows] = useState<readonly Row[]>(() => rowsOf(value))
  // What is stored has changed by something other than typing here.
  const shown = JSON.stringify(mapOf(rows)) === JSON.stringify(value) ? rows : rowsOf(value)
  function change(next: readonly Row[]): void {
    setRows(next)
    onChange(mapOf(next))
  }
  const edit = (id: number, part: Partial<Row>): void =>
    change(shown.map((row) => (row.id === id ? { ...row, ...part } : row)))
  return (
    <div className="grid gap-2">
      {shown.map((row, at) => (
        <div key={row.id} className="grid grid-cols-[2fr_3fr_auto] gap-2">
          <Input
            mono
            id={undefined}
            aria-label={`${what} ${at + 1}, name`}
            value={row.key}
            placeholder={keyPlaceholder}
            onChange={(event) => edit(row.id, { key: event.target.value })}
          />
          <Input
            mono
            id={undefined}
            aria-label={`${what} ${at + 1}, value`}
            value={row.value}
            placeholder={valuePlaceholder}
            onChange={(event) => edit(row.id, { value: event.target.value })}
          />
          <IconButton
            icon={Trash2}
            label={`Remove ${what.toLowerCase()} ${row.key || at + 1}`}
            onClick={() => change(shown.filter((other) => other.id !== row.id))}
          />
        </div>
      ))}
      <div>
        <Button
          small
          tone="quiet"
          icon={Plus}
          onClick={() => setRows([...shown, { id: nextId(shown), key: '', value: '' }])}
        >
          Add {what.toLowerCase()}
        </Button>
      </div>
    </div>
  )
}

function rowsOf(value: Readonly<Record<string, string>>): Row[] {
  return Object.entries(value).map(([key, text], id) => ({ id, key, value: text }))
}

function mapOf(rows: readonly Row[]): Record<string, string> {
  return Object.fromEntries(rows.filter(({ key }) => key !== '').map(({ key, value }) => [key, value]))
}

function nextId(rows: readonly Row[]): number {
  return Math.max(-1, ...rows.map(({ id }) => id)) + 1
}
