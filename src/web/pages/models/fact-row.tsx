import { Field } from '../../components/field.tsx'
import { Input } from '../../components/input.tsx'
import { Select } from '../../components/select.tsx'
import { TagsInput } from '../../components/tags-input.tsx'
import type { Capabilities } from '../../wire.ts'
import { type FactField, factText, type FactValues, saidAt, sourceText } from './fields.ts'

interface FactRowProps {
  readonly field: FactField
  readonly model: Capabilities
  readonly value: FactValues[string]
  readonly onChange: (value: FactValues[string]) => void
}

/** One fact: what the catalogue says and why, and what is said instead. */
export function FactRow({ field, model, value, onChange }: FactRowProps) {
  const isSeveral = field.kind === 'words' || field.kind === 'numbers'
  return (
    <Field
      label={field.label}
      name={field.path}
      aside={<Known field={field} model={model} />}
      hint={field.hint}
      group={isSeveral}
    >
      <Control field={field} model={model} value={value} onChange={onChange} />
    </Field>
  )
}

/** The control itself shows what is known while nothing else is said. */
function Known({ field: { path }, model }: Pick<FactRowProps, 'field' | 'model'>) {
  const source = model.source_per_field[path]
  if (source !== 'override') return <>{sourceText(source)}</>
  return (
    <>
      <span className="text-accent">override</span> instead of {factText(saidAt(model.catalog, path))}
    </>
  )
}

function Control({ field, model, value, onChange }: FactRowProps) {
  const known = factText(saidAt(model.catalog, field.path))
  if (typeof value !== 'string') {
    const { options = [] } = field
    return <TagsInput value={value} onChange={onChange} suggestions={options} placeholder={known} what="entry" />
  }
  if (field.kind !== 'flag' && field.kind !== 'choice') {
    const mode = field.kind === 'number' ? 'numeric' : 'text'
    return (
      <Input inputMode={mode} value={value} placeholder={known} onChange={({ target }) => onChange(target.value)} />
    )
  }
  return <Select className="max-w-80" value={value} options={optionsOf(field, known)} onChange={onChange} />
}

function optionsOf({ kind, options = [] }: FactField, known: string) {
  const keep = { value: '', label: `Keep: ${known}` }
  if (kind === 'flag') return [keep, { value: 'true', label: 'Yes' }, { value: 'false', label: 'No' }]
  return [keep, ...options.map((option) => ({ value: option, label: option }))]
}
