import { Checkbox } from '../../components/checkbox.tsx'
import { Field } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import { TagsInput } from '../../components/tags-input.tsx'
import type { CustomProvider } from '../../wire.ts'

type Quirks = CustomProvider['quirks']

const FLAGS = [
  { name: 'no_developer_role', label: 'Refuses the developer role', hint: 'It is sent as the system’s.' },
  { name: 'no_system_role', label: 'Refuses the system role', hint: 'Its text goes first in the user’s message.' },
  { name: 'no_stream_usage', label: 'Refuses stream_options', hint: 'Usage is taken when it comes by itself.' },
  {
    name: 'ends_without_finish',
    label: 'Ends streams without a finish reason',
    hint: 'Such an end counts as an answer.',
  },
  { name: 'merge_choices', label: 'Spreads one answer over several choices', hint: undefined },
  { name: 'name_fragments', label: 'Sends tool names in pieces', hint: undefined },
  { name: 'split_think_tags', label: 'Thinks in <think> tags', hint: 'They become thinking instead of text.' },
] as const satisfies readonly { name: keyof Quirks; label: string; hint: string | undefined }[]

const CHOICES = [
  { name: 'max_tokens_field', label: 'Output limit is called', options: ['max_tokens', 'max_completion_tokens'] },
  { name: 'reasoning_field', label: 'Thinking is called', options: ['reasoning_content', 'reasoning'] },
  { name: 'json_schema_mode', label: 'Structured output as', options: ['json_schema', 'json_object'] },
] as const satisfies readonly { name: keyof Quirks; label: string; options: readonly string[] }[]

export interface QuirksEditorProps {
  readonly value: Quirks
  readonly onChange: (value: Quirks) => void
}

/** In which ways the host differs from the format that it speaks. */
export function QuirksEditor({ value, onChange }: QuirksEditorProps) {
  const { strip_params = [] } = value
  return (
    <>
      <div role="group" aria-label="What the host does differently" className="grid gap-3 sm:grid-cols-2">
        {FLAGS.map(({ name, label, hint }) => (
          <Checkbox
            key={name}
            label={label}
            hint={hint}
            checked={value[name] === true}
            onChange={(on) => onChange(without(value, name, on ? true : undefined))}
          />
        ))}
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-3">
        {CHOICES.map(({ name, label, options }) => (
          <Field key={name} label={label} name={`quirks.${name}`}>
            <Select
              value={value[name] ?? ''}
              options={[
                { value: '', label: 'as usual' },
                ...options.map((option) => ({ value: option as string, label: option })),
              ]}
              onChange={(chosen) => onChange(without(value, name, chosen === '' ? undefined : chosen))}
            />
          </Field>
        ))}
      </div>
      <Field label="Leave these fields out of requests" name="quirks.strip_params" group>
        <TagsInput
          what="field"
          value={strip_params}
          placeholder="parallel_tool_calls"
          onChange={(fields) => onChange(without(value, 'strip_params', fields.length === 0 ? undefined : fields))}
        />
      </Field>
    </>
  )
}

/** The quirks with one set, or left out when it is undefined. */
function without(quirks: Quirks, name: keyof Quirks, value: unknown): Quirks {
  const { [name]: _, ...others } = quirks
  return (value === undefined ? others : { ...others, [name]: value }) as Quirks // the value is one of that quirk's own
}
