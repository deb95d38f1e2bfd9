import { Plus, Trash2 } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Input } from '../../components/input.tsx'
import { Switch } from '../../components/switch.tsx'
import { type ExitRow, NEW_EXIT } from './pool-draft.ts'

export interface EndpointsEditorProps {
  readonly value: readonly ExitRow[]
  readonly onChange: (value: ExitRow[]) => void
}

/** The proxies of a pool, each with its share. Pasting several lines into one address makes a row of each. */
export function EndpointsEditor({ value, onChange }: EndpointsEditorProps) {
  const edit = (at: number, part: Partial<ExitRow>): void =>
    onChange(value.map((row, index) => (index === at ? { ...row, ...part } : row)))
  const paste = (at: number, text: string): boolean => {
    const [first, ...others] = text.split(/\s+/).filter((line) => line !== '')
    if (first === undefined || others.length === 0) return false
    const pasted = others.map((url) => ({ ...NEW_EXIT, url }))
    onChange(value.flatMap((row, index) => (index === at ? [{ ...row, url: first }, ...pasted] : [row])))
    return true
  }
  return (
    <div className="grid gap-3">
      {value.map((row, at) => (
        <ExitFields
          key={at}
          at={at}
          row={row}
          onEdit={(part) => edit(at, part)}
          onPaste={(text) => paste(at, text)}
          {...(value.length > 1 && { onRemove: () => onChange(value.filter((_, index) => index !== at)) })}
        />
      ))}
      <div>
        <Button small tone="quiet" icon={Plus} onClick={() => onChange([...value, NEW_EXIT])}>
          Add exit
        </Button>
      </div>
    </div>
  )
}

interface ExitFieldsProps {
  readonly at: number
  readonly row: ExitRow
  readonly onEdit: (part: Partial<ExitRow>) => void
  /** True when it took the text, which then goes nowhere else. */
  readonly onPaste: (text: string) => boolean
  readonly onRemove?: () => void
}

const EXAMPLE = 'http://user:password@proxy.example:3128'

function ExitFields({ at, row, onEdit, onPaste, onRemove }: ExitFieldsProps) {
  const place = at + 1
  return (
    <div className="grid grid-cols-[1fr_auto_auto] items-start gap-x-3 gap-y-1.5 sm:grid-cols-[1fr_5rem_auto_auto]">
      <div className="max-sm:col-span-3">
        <Field label={`Exit ${place}`} name={`endpoints.${at}.url`}>
          <Input
            mono
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={EXAMPLE}
            value={row.url}
            onChange={({ target }) => onEdit({ url: target.value })}
            onPaste={(event) => onPaste(event.clipboardData.getData('text')) && event.preventDefault()}
          />
        </Field>
      </div>
      <Field label="Weight" name={`endpoints.${at}.weight`}>
        <Input
          inputMode="numeric"
          aria-label={`Weight of exit ${place}`}
          value={row.weight}
          onChange={({ target }) => onEdit({ weight: target.value })}
        />
      </Field>
      <span className="mt-7 flex">
        <Switch
          hideLabel
          label={`Use exit ${place}`}
          checked={row.enabled}
          onChange={(enabled) => onEdit({ enabled })}
        />
      </span>
      <span className="mt-5.5">
        {onRemove && <IconButton icon={Trash2} label={`Remove exit ${place}`} onClick={onRemove} />}
      </span>
    </div>
  )
}
