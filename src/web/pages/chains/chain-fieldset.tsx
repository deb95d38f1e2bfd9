import { Field } from '../../components/field.tsx'
import { FormGroup } from '../../components/form.tsx'
import { Input } from '../../components/input.tsx'
import { NumberInput } from '../../components/number-input.tsx'
import { Select } from '../../components/select.tsx'
import { Switch } from '../../components/switch.tsx'
import { useEver } from '../../components/use-ever.ts'
import type { FormState } from '../../components/use-form.ts'
import { CHAIN_STRATEGY_OPTIONS, CHAIN_STRATEGY_WORDS } from '../../strategies.ts'
import type { ChainStepUsage, FieldErrors } from '../../wire.ts'
import type { ChainFields, StepFields } from './chain-draft.ts'
import { among, firstEnsemble } from './ensemble-draft.ts'
import { EnsembleFields } from './ensemble-fields.tsx'
import { FailingFields } from './failing-fields.tsx'
import { LiveErrors } from './live-errors.tsx'
import { StepsEditor } from './steps-editor.tsx'
import { KIND_WORDS, type StepTrial } from './words.ts'

export interface ChainFieldsetProps {
  readonly form: FormState<ChainFields>
  readonly isNew?: boolean
  readonly usage?: readonly ChainStepUsage[]
  readonly trials: readonly StepTrial[]
  /** What it found worth knowing. */
  readonly warnings: readonly string[]
  /** What the simulation found wrong. */
  readonly faults: FieldErrors
}

/** Everything that makes a chain: its name, its steps in their order, and what rarely has to be said. */
export function ChainFieldset({ form, isNew = false, usage = [], trials, warnings, faults }: ChainFieldsetProps) {
  const wrong = [...Object.keys(form.error?.errors ?? {}), ...Object.keys(faults)]
  const isWrong = (names: readonly string[]): boolean =>
    wrong.some((path) => names.some((name) => path === name || path.startsWith(`${name}.`)))
  const isFailingOpen = useEver(isWrong(FAILING))
  const isRestOpen = useEver(isWrong(REST))
  return (
    <LiveErrors errors={faults}>
      <Names form={form} isNew={isNew} />
      <Choice form={form} />
      <Together form={form} />
      <StepsEditor
        fields={form.value}
        usage={usage}
        trials={trials}
        warnings={warnings}
        problem={faults['steps']?.join(', ')}
        onChange={(steps) => putSteps(form, steps)}
      />
      <FormGroup title="When something fails" folded={!isFailingOpen}>
        <FailingFields form={form} />
      </FormGroup>
      <FormGroup title="More about this chain" folded={!isRestOpen}>
        <Rest form={form} />
      </FormGroup>
    </LiveErrors>
  )
}

const FAILING = ['fallback_on', 'retry', 'timeouts', 'stream', 'require'] as const
const REST = ['description', 'kind', 'rewrite_model', 'budget_usd'] as const

interface PartProps {
  readonly form: FormState<ChainFields>
}

function Names({ form, isNew }: PartProps & { isNew: boolean }) {
  const { slug } = form.value
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field label="Name" name="name">
        <Input placeholder="Coding" maxLength={80} {...form.text('name')} />
      </Field>
      <Field
        label="Slug"
        name="slug"
        {...(isNew && { aside: 'optional' })}
        hint={`Clients ask for ${slug === '' ? 'chain/…' : `chain/${slug}`} as their model.`}
      >
        <Input
          mono
          placeholder={isNew ? 'made from the name' : undefined}
          autoCapitalize="none"
          spellCheck={false}
          {...form.text('slug')}
        />
      </Field>
    </div>
  )
}

const STICKY_BY = [
  { value: 'prompt_prefix', label: 'beginning of the prompt' },
  { value: 'session', label: 'session' },
  { value: 'key', label: 'key' },
  { value: 'user', label: 'user' },
  { value: 'none', label: 'nothing: choose anew' },
] as const

function Choice({ form }: PartProps) {
  const { strategy, sticky } = form.value
  const by = STICKY_BY.find(({ value }) => value === sticky.by)?.value ?? 'none'
  return (
    <div className="grid items-start gap-4 sm:grid-cols-3">
      <Field label="Try steps" name="strategy" hint={CHAIN_STRATEGY_WORDS[strategy].meaning}>
        <Select value={strategy} options={CHAIN_STRATEGY_OPTIONS} onChange={(next) => choose(form, next)} />
      </Field>
      <Field label="Stay on one account per" name="sticky.by" hint="So that the provider’s prompt cache is used.">
        <Select value={by} options={STICKY_BY} onChange={(next) => form.set('sticky', { ...sticky, by: next })} />
      </Field>
      {by !== 'none' && (
        <Field label="For, seconds" name="sticky.ttl_s">
          <NumberInput value={sticky.ttl_s} onChange={(next) => form.set('sticky', { ...sticky, ttl_s: next ?? 0 })} />
        </Field>
      )}
    </div>
  )
}

/** The panel and its judge belong to one strategy alone. */
function choose(form: FormState<ChainFields>, strategy: ChainFields['strategy']): void {
  const { ensemble, steps } = form.value
  form.set('strategy', strategy)
  form.set('ensemble', strategy === 'ensemble' ? (ensemble ?? firstEnsemble(steps)) : null)
}

function putSteps(form: FormState<ChainFields>, steps: readonly StepFields[]): void {
  const { ensemble } = form.value
  form.set('steps', [...steps])
  if (ensemble !== null) form.set('ensemble', among(ensemble, steps))
}

function Together({ form }: PartProps) {
  const { ensemble, steps } = form.value
  if (ensemble === null) return null
  return <EnsembleFields ensemble={ensemble} steps={steps} onChange={(next) => form.set('ensemble', next)} />
}

const KINDS = (Object.keys(KIND_WORDS) as ChainFields['kind'][]) // the keys of a constant
  .map((value) => ({ value, label: KIND_WORDS[value] }))

function Rest({ form }: PartProps) {
  const { enabled, kind, rewrite_model, budget_usd } = form.value
  return (
    <>
      <Switch label="Enabled" checked={enabled} onChange={(on) => form.set('enabled', on)} />
      <Switch
        label="Answers name the chain instead of the real model"
        checked={rewrite_model}
        onChange={(on) => form.set('rewrite_model', on)}
      />
      <Field
        label="A request may cost, $"
        name="budget_usd"
        hint="Over all its tries. A try that could pass it is not made."
      >
        <NumberInput value={budget_usd} placeholder="no limit" onChange={(usd) => form.set('budget_usd', usd)} />
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-[1fr_2fr]">
        <Field label="Requests for" name="kind">
          <Select value={kind} options={KINDS} onChange={(next) => form.set('kind', next)} />
        </Field>
        <Field label="Description" name="description" aside="optional">
          <Input maxLength={500} {...form.text('description')} />
        </Field>
      </div>
    </>
  )
}
