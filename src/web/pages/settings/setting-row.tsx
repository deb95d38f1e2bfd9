import { RotateCcw } from 'lucide-react'
import { useId } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Callout } from '../../components/callout.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { Field } from '../../components/field.tsx'
import { Input } from '../../components/input.tsx'
import { Select } from '../../components/select.tsx'
import { Switch } from '../../components/switch.tsx'
import { TagsInput } from '../../components/tags-input.tsx'
import { durationText } from '../../format/time.ts'
import type { ChoicesField, SettingField } from './fields.ts'
import { isStandard, type SettingValue, standardOf, valueText } from './values.ts'

export interface SettingRowProps {
  readonly field: SettingField
  readonly value: SettingValue
  readonly onChange: (value: SettingValue) => void
}

/** One setting: its control, its default, and the way back to it. */
export function SettingRow({ field, value, onChange }: SettingRowProps) {
  const standard = standardOf(field)
  return (
    <Field
      label={field.label}
      name={field.path}
      group={field.kind === 'choices' || field.kind === 'price'}
      aside={<Default {...{ field, value, onChange }} />}
      hint={field.hint}
    >
      <Control field={field} value={value} onChange={onChange} />
      {field.kind === 'switch' && field.offWarning && value === false && standard === true && (
        <Callout tone="caution">{field.offWarning}</Callout>
      )}
    </Field>
  )
}

function Default({ field, value, onChange }: SettingRowProps) {
  const text = valueText(field, standardOf(field))
  if (isStandard(field, value)) return <>default: {text}</>
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Badge tone="accent">changed</Badge>
      <button
        type="button"
        onClick={() => onChange(standardOf(field))}
        className="inline-flex min-h-6 items-center gap-1 rounded-chip text-accent hover:underline"
      >
        <RotateCcw aria-hidden="true" size={12} strokeWidth={2} />
        Reset to {text}
        <span className="sr-only">({field.label})</span>
      </button>
    </span>
  )
}

function Control({ field, value, onChange }: SettingRowProps) {
  switch (field.kind) {
    case 'switch':
      return <Switch hideLabel label={field.label} checked={value === true} onChange={onChange} />
    case 'choice':
      return <Select className="max-w-80" value={String(value)} options={field.options} onChange={onChange} />
    case 'choices':
      return <Choices field={field} value={value} onChange={onChange} />
    case 'list':
      return (
        <TagsInput
          what={field.entry}
          placeholder={field.placeholder}
          value={Array.isArray(value) ? value.map(String) : []}
          onChange={onChange}
        />
      )
    case 'number':
      return (
        <span className="flex items-center gap-2.5">
          <Input
            inputMode="numeric"
            className="max-w-36"
            value={String(value)}
            placeholder={String(field.standard)}
            onChange={(event) => onChange(event.target.value)}
          />
          <span className="text-dense text-muted">{unitOf(field.unit, Number(value))}</span>
        </span>
      )
    case 'price':
      return <Price value={value} onChange={onChange} />
    case 'text':
      return (
        <Input
          mono
          placeholder={field.placeholder}
          value={String(value)}
          onChange={(event) => onChange(event.target.value)}
        />
      )
  }
}

/** The field is a group of two, each with a label of its own. */
function Price({ value, onChange }: Pick<SettingRowProps, 'value' | 'onChange'>) {
  const [input = '', output = ''] = Array.isArray(value) ? value.map(String) : []
  return (
    <span className="flex flex-wrap items-center gap-x-5 gap-y-2">
      <PricePart label="Input" value={input} onChange={(text) => onChange([text, output])} />
      <PricePart label="Output" value={output} onChange={(text) => onChange([input, text])} />
      <span className="text-dense text-muted">$ per million tokens</span>
    </span>
  )
}

interface PricePartProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function PricePart({ label, value, onChange }: PricePartProps) {
  const id = useId()
  return (
    <span className="flex items-center gap-2 text-dense text-muted">
      <label htmlFor={id}>{label}</label>
      <Input
        id={id}
        inputMode="decimal"
        className="max-w-28"
        value={value}
        placeholder="none"
        onChange={({ target }) => onChange(target.value)}
      />
    </span>
  )
}

function Choices({ field: { options }, value, onChange }: SettingRowProps & { readonly field: ChoicesField }) {
  const chosen = Array.isArray(value) ? value.map(String) : []
  const all = options.map((option) => option.value)
  const toggle = (name: string, on: boolean): void =>
    onChange(all.filter((one) => (one === name ? on : chosen.includes(one))))
  return (
    <div className="grid grid-cols-2 gap-x-5 gap-y-1">
      {options.map(({ value: name, label }) => (
        <Checkbox key={name} label={label} checked={chosen.includes(name)} onChange={(on) => toggle(name, on)} />
      ))}
    </div>
  )
}

/** `ms = 3 min 00 s`: nobody reads six digits of milliseconds. */
function unitOf(unit: string, value: number): string {
  return unit === 'ms' && value >= 1_000 ? `ms = ${durationText(value)}` : unit
}
