import { Plus, Trash2 } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { NumberInput } from '../../components/number-input.tsx'
import { EMPTY_TIER, type TierRow } from './override-draft.ts'

interface TiersEditorProps {
  readonly value: readonly TierRow[]
  readonly onChange: (value: readonly TierRow[]) => void
}

const COLUMNS: readonly { readonly field: keyof TierRow; readonly label: string }[] = [
  { field: 'above_input_tokens', label: 'Above so many tokens' },
  { field: 'input', label: 'Input' },
  { field: 'output', label: 'Output' },
  { field: 'cache_read', label: 'Cache read' },
  { field: 'cache_write', label: 'Cache write' },
]

/** Prices that hold for a whole request once its prompt is longer than a bound. */
export function TiersEditor({ value, onChange }: TiersEditorProps) {
  const edit = (at: number, part: Partial<TierRow>): void =>
    onChange(value.map((row, index) => (index === at ? { ...row, ...part } : row)))
  return (
    <div className="grid gap-4">
      <p className="text-caption text-faint">
        They replace the prices above for a whole request whose prompt is longer. Without a step, those of the catalogue
        stay. $ per million tokens.
      </p>
      {value.map((row, at) => (
        <div
          key={at}
          className="grid grid-cols-2 items-end gap-2 border-line max-sm:border-b max-sm:pb-4 sm:grid-cols-[1.6fr_1fr_1fr_1fr_1fr_auto]"
        >
          {COLUMNS.map(({ field, label }) => (
            <Field
              key={field}
              label={value.length === 1 ? label : `${label} (${at + 1})`}
              name={`tiers.${at}.${field}`}
            >
              <NumberInput value={row[field]} onChange={(next) => edit(at, { [field]: next })} />
            </Field>
          ))}
          <IconButton
            icon={Trash2}
            label={`Remove step ${at + 1}`}
            onClick={() => onChange(value.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <div>
        <Button small tone="quiet" icon={Plus} onClick={() => onChange([...value, EMPTY_TIER])}>
          Add a step
        </Button>
      </div>
    </div>
  )
}
