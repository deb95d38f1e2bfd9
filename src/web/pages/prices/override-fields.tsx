import { Field } from '../../components/field.tsx'
import { FormGroup } from '../../components/form.tsx'
import { Input } from '../../components/input.tsx'
import { NumberInput } from '../../components/number-input.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { Select } from '../../components/select.tsx'
import type { FormState } from '../../components/use-form.ts'
import { useNames } from '../../names.tsx'
import {
  EACH_LABELS,
  EACH_NAMES,
  FACTOR_LABELS,
  FACTOR_NAMES,
  RATE_LABELS,
  RATE_NAMES,
  SCOPES,
} from '../../price-words.ts'
import { useRateOf } from '../../prices.ts'
import type { OverrideForm } from './override-draft.ts'
import { TiersEditor } from './tiers-editor.tsx'

interface FieldsProps {
  readonly form: FormState<OverrideForm>
}

const MODES = [
  { value: 'set', label: 'Set prices' },
  { value: 'multiply', label: 'Multiply' },
] as const

/** What costs what, for whom, and from when. */
export function OverrideFields({ form }: FieldsProps) {
  const { mode } = form.value
  return (
    <>
      <Field
        label="Model"
        name="model"
        hint="As its provider names it, with the provider before: openai/gpt-5. A * stands for any text: anthropic/*."
      >
        <Input mono autoCapitalize="none" spellCheck={false} placeholder="provider/model" {...form.text('model')} />
      </Field>
      <ScopeFields form={form} />
      <Field label="How" name="mode" group>
        <span>
          <Segmented label="How" value={mode} options={MODES} onChange={(next) => form.set('mode', next)} />
        </span>
      </Field>
      {mode === 'multiply' ? <Multiplier form={form} /> : <Prices form={form} />}
      <FormGroup title="From when, and why" folded>
        <Span form={form} />
        <Field label="Note" name="currency_note" hint="For whoever reads this later: the contract, its currency.">
          <Input {...form.text('currency_note')} />
        </Field>
      </FormGroup>
    </>
  )
}

function ScopeFields({ form }: FieldsProps) {
  const { scope } = form.value
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field label="For" name="scope" hint="The more specific one counts first.">
        <Select
          value={scope}
          options={SCOPES.toReversed()}
          onChange={(next) => {
            form.set('scope', next)
            form.set('scope_id', '')
          }}
        />
      </Field>
      {scope === 'provider' && (
        <Field label="Provider" name="scope_id">
          <Input mono autoCapitalize="none" placeholder="openai" {...form.text('scope_id')} />
        </Field>
      )}
      {scope === 'plan' && <NamedScope label="Plan" path="/v1/plans" form={form} />}
      {scope === 'key' && <NamedScope label="Key" path="/v1/keys" form={form} />}
      {scope === 'account' && <NamedScope label="Account" path="/v1/accounts" form={form} />}
    </div>
  )
}

interface NamedScopeProps extends FieldsProps {
  readonly label: string
  readonly path: '/v1/keys' | '/v1/accounts' | '/v1/plans'
}

function NamedScope({ label, path, form }: NamedScopeProps) {
  const names = useNames(path)
  return (
    <Field label={label} name="scope_id">
      <Select
        value={form.value.scope_id}
        options={[{ value: '', label: 'Choose one' }, ...names.map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={(id) => form.set('scope_id', id)}
      />
    </Field>
  )
}

function Multiplier({ form }: FieldsProps) {
  return (
    <Field label="Times" name="multiplier" hint="Of whatever would count without it: 0.85 is 15 % off, 1.2 a margin.">
      <NumberInput
        className="max-w-36"
        placeholder="0.85"
        value={form.value.multiplier}
        onChange={(next) => form.set('multiplier', next)}
      />
    </Field>
  )
}

/** What is left empty keeps what counts without this, which stands in its place. */
function Prices({ form }: FieldsProps) {
  const { value } = form
  const { data: now } = useRateOf(value.model.trim())
  const [input, output, ...others] = RATE_NAMES.map((name) => (
    <Field key={name} label={RATE_LABELS[name]} name={name} aside="$ per M tokens">
      <NumberInput placeholder={kept(now?.[name])} value={value[name]} onChange={(next) => form.set(name, next)} />
    </Field>
  ))
  return (
    <>
      <div className="grid grid-cols-2 gap-4">
        {input}
        {output}
      </div>
      <FormGroup title="Caches, reasoning, audio and images" folded>
        <div className="grid grid-cols-2 items-end gap-4 sm:grid-cols-3">{others}</div>
      </FormGroup>
      <FormGroup title="Fees and service tiers" folded>
        <div className="grid grid-cols-2 items-end gap-4 sm:grid-cols-3">
          {EACH_NAMES.map((name) => (
            <Field key={name} label={EACH_LABELS[name]} name={name} aside="$">
              <NumberInput
                placeholder={kept(now?.[name])}
                value={value[name]}
                onChange={(next) => form.set(name, next)}
              />
            </Field>
          ))}
          {FACTOR_NAMES.map((name) => (
            <Field key={name} label={FACTOR_LABELS[name]} name={name} aside="times the standard price">
              <NumberInput
                placeholder={kept(now?.[name])}
                value={value[name]}
                onChange={(next) => form.set(name, next)}
              />
            </Field>
          ))}
        </div>
      </FormGroup>
      <FormGroup title="Long prompts" folded>
        <TiersEditor value={value.tiers} onChange={(tiers) => form.set('tiers', tiers)} />
      </FormGroup>
    </>
  )
}

function kept(now: number | null | undefined): string {
  return now === null || now === undefined ? '' : String(now)
}

function Span({ form }: FieldsProps) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field label="From" name="effective_from" hint="Now, unless you say so. The past stays as it was priced.">
        <Input type="datetime-local" {...form.text('effective_from')} />
      </Field>
      <Field label="Until" name="effective_to" hint="No end, unless you say so.">
        <Input type="datetime-local" {...form.text('effective_to')} />
      </Field>
    </div>
  )
}
