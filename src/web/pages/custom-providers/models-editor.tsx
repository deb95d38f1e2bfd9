import { Plus, Trash2 } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Input } from '../../components/input.tsx'
import type { ModelRow } from './custom-draft.ts'

export interface ModelsEditorProps {
  readonly value: readonly ModelRow[]
  readonly onChange: (value: ModelRow[]) => void
}

const COLUMNS = [
  { field: 'id', label: 'Model', placeholder: 'qwen3-32b', numeric: false, path: 'id' },
  { field: 'context', label: 'Context', placeholder: '131072', numeric: true, path: 'context' },
  { field: 'input', label: 'Input, $ per M', placeholder: 'unpriced', numeric: true, path: 'price.input' },
  { field: 'output', label: 'Output, $ per M', placeholder: 'unpriced', numeric: true, path: 'price.output' },
] as const

/** Models that are listed by hand, with what requests on them cost. */
export function ModelsEditor({ value, onChange }: ModelsEditorProps) {
  const edit = (at: number, part: Partial<ModelRow>): void =>
    onChange(value.map((row, index) => (index === at ? { ...row, ...part } : row)))
  return (
    <div className="grid gap-4">
      {value.map((row, at) => (
        <div
          key={at}
          className="grid grid-cols-[1fr_1fr_auto] items-start gap-2 max-sm:border-b max-sm:border-line max-sm:pb-4 sm:grid-cols-[2fr_1fr_1fr_1fr_auto]"
        >
          {COLUMNS.map(({ field, label, placeholder, numeric, path }) => (
            <div key={field} className={field === 'id' ? 'max-sm:col-span-3' : ''}>
              <Field label={value.length === 1 ? label : `${label} (${at + 1})`} name={`models.${at}.${path}`}>
                <Input
                  mono
                  placeholder={placeholder}
                  inputMode={numeric ? 'decimal' : 'text'}
                  value={row[field]}
                  onChange={(event) => edit(at, { [field]: event.target.value })}
                />
              </Field>
            </div>
          ))}
          <span className="mt-5.5">
            <IconButton
              icon={Trash2}
              label={`Remove model ${row.id || at + 1}`}
              onClick={() => onChange(value.filter((_, index) => index !== at))}
            />
          </span>
        </div>
      ))}
      <div>
        <Button
          small
          tone="quiet"
          icon={Plus}
          onClick={() => onChange([...value, { id: '', context: '', input: '', output: '' }])}
        >
          Add model
        </Button>
      </div>
    </div>
  )
}
