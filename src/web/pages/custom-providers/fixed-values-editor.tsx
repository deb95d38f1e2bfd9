import { Plus, Trash2 } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Input } from '../../components/input.tsx'
import type { FixedValue } from './custom-draft.ts'

export interface FixedValuesEditorProps {
  /** `Header`, `Parameter`. */
  readonly what: string
  readonly value: readonly FixedValue[]
  readonly onChange: (value: FixedValue[]) => void
}

/** Named texts that go out with every call. A secret one is sealed, and comes back masked; its mask left alone keeps it. */
export function FixedValuesEditor({ what, value, onChange }: FixedValuesEditorProps) {
  const edit = (at: number, part: Partial<FixedValue>): void =>
    onChange(value.map((row, index) => (index === at ? { ...row, ...part } : row)))
  return (
    <div className="grid gap-2">
      {value.map(({ name, value: text, secret }, at) => (
        <div key={at} className="grid grid-cols-[1fr_auto] items-center gap-2 sm:grid-cols-[2fr_3fr_auto_auto]">
          <Input
            mono
            id={undefined}
            aria-label={`${what} ${at + 1}, name`}
            value={name}
            onChange={(event) => edit(at, { name: event.target.value })}
          />
          <span className="max-sm:col-start-1">
            <Input
              mono
              id={undefined}
              spellCheck={false}
              aria-label={`${what} ${at + 1}, value`}
              value={text}
              onChange={(event) => edit(at, { value: event.target.value })}
            />
          </span>
          <Checkbox label="Secret" checked={secret} onChange={(on) => edit(at, { secret: on })} />
          <IconButton
            icon={Trash2}
            label={`Remove ${what.toLowerCase()} ${name || at + 1}`}
            onClick={() => onChange(value.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <div>
        <Button
          small
          tone="quiet"
          icon={Plus}
          onClick={() => onChange([...value, { name: '', value: '', secret: false }])}
        >
          Add {what.toLowerCase()}
        </Button>
      </div>
    </div>
  )
}
