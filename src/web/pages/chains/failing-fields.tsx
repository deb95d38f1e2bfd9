import { Checkbox } from '../../components/checkbox.tsx'
import { Field } from '../../components/field.tsx'
import { NumberInput } from '../../components/number-input.tsx'
import { Select } from '../../components/select.tsx'
import { TagsInput } from '../../components/tags-input.tsx'
import type { FormState } from '../../components/use-form.ts'
import type { ChainFields } from './chain-draft.ts'
import { TimeoutFields } from './timeout-fields.tsx'
import { FAILURE_WORDS } from './words.ts'

interface FailingFieldsProps {
  readonly form: FormState<ChainFields>
}

/** What happens when a step does not answer. Each has a default that suits most chains. */
export function FailingFields({ form }: FailingFieldsProps) {
  const { value } = form
  return (
    <>
      <Field
        label="Move on to the next step after"
        name="fallback_on"
        group
        hint="After any other failure the client gets it at once."
      >
        <Kinds
          all={Object.keys(FAILURE_WORDS)}
          value={value.fallback_on}
          onChange={(kinds) => form.set('fallback_on', kinds)}
        />
      </Field>
      <Retries form={form} />
      <TimeoutFields path="timeouts" value={value.timeouts} onChange={(timeouts) => form.set('timeouts', timeouts)} />
      <Streams form={form} />
      <Requirements form={form} />
    </>
  )
}

interface KindsProps {
  readonly all: readonly string[]
  readonly value: readonly string[]
  readonly onChange: (kinds: string[]) => void
}

function Kinds({ all, value, onChange }: KindsProps) {
  const toggle = (kind: string, on: boolean): void =>
    onChange(all.filter((one) => (one === kind ? on : value.includes(one))))
  return (
    <div className="grid grid-cols-2 gap-x-5 gap-y-1 lg:grid-cols-3">
      {all.map((kind) => (
        <Checkbox
          key={kind}
          label={(FAILURE_WORDS as Readonly<Record<string, string>>)[kind] ?? kind}
          checked={value.includes(kind)}
          onChange={(on) => toggle(kind, on)}
        />
      ))}
    </div>
  )
}

const RETRY_KINDS = ['rate_limit', 'overloaded', 'server', 'connect', 'timeout'] as const

const RETRY_NUMBERS = [
  { name: 'per_step', label: 'Tries at one step' },
  { name: 'total_attempts', label: 'Tries in all' },
  { name: 'base_ms', label: 'First wait, ms' },
  { name: 'max_ms', label: 'Longest wait, ms' },
] as const

function Retries({ form }: FailingFieldsProps) {
  const { retry } = form.value
  return (
    <>
      <div className="grid grid-cols-2 items-start gap-4 lg:grid-cols-4">
        {RETRY_NUMBERS.map(({ name, label }) => (
          <Field key={name} label={label} name={`retry.${name}`}>
            <NumberInput value={retry[name]} onChange={(next) => form.set('retry', { ...retry, [name]: next ?? 0 })} />
          </Field>
        ))}
      </div>
      {retry.per_step > 1 && (
        <Field label="Try the same step again after" name="retry.on" group>
          <Kinds all={RETRY_KINDS} value={retry.on} onChange={(on) => form.set('retry', { ...retry, on })} />
        </Field>
      )}
    </>
  )
}

const COMMITS = [
  { value: 'first_content', label: 'first content or thinking' },
  { value: 'first_text_or_tool', label: 'first text or tool call' },
  { value: 'immediate', label: 'first event of any kind' },
] as const

const CUTS = [
  { value: 'error', label: 'tell the client' },
  { value: 'continue', label: 'go on, where a model can' },
] as const

function Streams({ form }: FailingFieldsProps) {
  const { stream } = form.value
  const commit = COMMITS.find(({ value }) => value === stream.commit)?.value ?? 'first_content'
  const onCut = CUTS.find(({ value }) => value === stream.on_cut)?.value ?? 'error'
  return (
    <div className="grid grid-cols-2 items-start gap-4 lg:grid-cols-4">
      <Field label="Hold a stream back until" name="stream.commit" hint="From then on no other step can answer it.">
        <Select value={commit} options={COMMITS} onChange={(next) => form.set('stream', { ...stream, commit: next })} />
      </Field>
      <Field label="Hold back at most, KiB" name="stream.buffer_kib">
        <NumberInput
          value={stream.buffer_kib}
          onChange={(next) => form.set('stream', { ...stream, buffer_kib: next ?? 0 })}
        />
      </Field>
      <Field label="Cut below, tokens a second" name="stream.min_tokens_per_s">
        <NumberInput
          value={stream.min_tokens_per_s}
          placeholder="never"
          onChange={(next) => form.set('stream', { ...stream, min_tokens_per_s: next })}
        />
      </Field>
      <Field label="When an answer is cut" name="stream.on_cut" hint="Only inside of text, and twice at most.">
        <Select value={onCut} options={CUTS} onChange={(next) => form.set('stream', { ...stream, on_cut: next })} />
      </Field>
    </div>
  )
}

const REQUIRED_FLAGS = [
  { name: 'tools', label: 'Tools' },
  { name: 'vision', label: 'Images' },
  { name: 'pdf', label: 'Documents' },
  { name: 'audio', label: 'Audio' },
  { name: 'json_schema', label: 'JSON schema' },
  { name: 'thinking', label: 'Thinking' },
] as const

const REQUIRED_NUMBERS = [
  { name: 'min_context', label: 'Context of at least, tokens' },
  { name: 'max_price_in', label: 'Input at most, $ per M' },
  { name: 'max_price_out', label: 'Output at most, $ per M' },
] as const

function Requirements({ form }: FailingFieldsProps) {
  const { require } = form.value
  return (
    <>
      <Field label="Use only models that have" group hint="What a request needs is found out from it anyway.">
        <div className="flex flex-wrap gap-x-5 gap-y-1">
          {REQUIRED_FLAGS.map(({ name, label }) => (
            <Checkbox
              key={name}
              label={label}
              checked={require[name]}
              onChange={(on) => form.set('require', { ...require, [name]: on })}
            />
          ))}
        </div>
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-3">
        {REQUIRED_NUMBERS.map(({ name, label }) => (
          <Field key={name} label={label} name={`require.${name}`}>
            <NumberInput
              value={require[name]}
              placeholder="any"
              onChange={(next) => form.set('require', { ...require, [name]: next })}
            />
          </Field>
        ))}
      </div>
      <Field
        label="Only in these regions"
        name="require.regions"
        group
        hint="Names or patterns with *. Where nobody says the region, the account is left out."
      >
        <TagsInput
          what="region"
          value={require.regions}
          placeholder="eu-*"
          onChange={(regions) => form.set('require', { ...require, regions })}
        />
      </Field>
      <Checkbox
        label="Only providers that say they do not train on requests"
        checked={require.no_training}
        onChange={(on) => form.set('require', { ...require, no_training: on })}
      />
    </>
  )
}
