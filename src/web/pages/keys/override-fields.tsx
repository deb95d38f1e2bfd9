import { Field } from '../../components/field.tsx'
import { NumberInput } from '../../components/number-input.tsx'
import { Select, type SelectOption } from '../../components/select.tsx'
import { TimeZoneInput } from '../../components/time-zone-input.tsx'
import {
  BUDGET_PERIODS,
  LIMIT_LABELS,
  type LimitName,
  type Limits,
  limitsFor,
  limitText,
  NO_LIMITS,
  OUTPUT_OVER,
} from '../../limit-words.ts'
import type { LimitChange, Plan } from '../../wire.ts'

export interface OverrideFieldsProps {
  readonly limits: LimitChange
  /** What holds otherwise; undefined: nothing is limited. */
  readonly plan: Plan | undefined
  readonly onChange: (limits: LimitChange) => void
}

interface OverrideProps<Name extends LimitName> {
  readonly name: Name
  readonly props: OverrideFieldsProps
}

/** What differs from the plan. Each says what holds as long as it is left alone. */
export function OverrideFields(props: OverrideFieldsProps) {
  const after = limitsFor(props.limits, props.plan)
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <OwnAmount name="rpm" props={props} />
      <OwnAmount name="rpd" props={props} />
      <OwnAmount name="tpm" props={props} />
      <OwnAmount name="tpd" props={props} />
      <OwnAmount name="max_concurrency" props={props} />
      <OwnNumber name="queue_ms" props={props} unit=", ms" />
      <OwnAmount name="max_input_tokens" props={props} />
      <OwnAmount name="max_output_tokens" props={props} />
      <OwnWord
        name="on_output_over"
        props={props}
        value={props.limits.on_output_over}
        words={OUTPUT_OVER}
        onChange={(word) => put(props, 'on_output_over', word)}
      />
      <OwnNumber name="cache_read_weight" props={props} unit=", 0 to 1" />
      <OwnAmount name="budget_usd" props={props} />
      {after.budget_usd !== null && (
        <>
          <OwnWord
            name="budget_period"
            props={props}
            value={props.limits.budget_period}
            words={BUDGET_PERIODS}
            onChange={(word) => put(props, 'budget_period', word)}
          />
          <OwnNumber name="soft_threshold" props={props} unit=", share" />
        </>
      )}
      <Field
        label={LIMIT_LABELS.budget_timezone}
        name="limits.budget_timezone"
        hint={otherwise('budget_timezone', props)}
      >
        <TimeZoneInput
          placeholder={limitText('budget_timezone', props.plan ?? NO_LIMITS)}
          value={props.limits.budget_timezone ?? ''}
          onChange={({ target }) => put(props, 'budget_timezone', target.value === '' ? undefined : target.value)}
        />
      </Field>
    </div>
  )
}

type AmountName = {
  [Name in LimitName]: null extends Limits[Name] ? Name : never
}[LimitName]
const OWN = [
  { value: 'own', label: 'its own' },
  { value: 'none', label: 'no limit' },
] as const

/** A limit that may be none: the plan's, one of its own, or none whatever the plan says. */
function OwnAmount({ name, props }: OverrideProps<AmountName>) {
  const own = props.limits[name]
  const whose = own === undefined ? 'plan' : own === null ? 'none' : 'own'
  const start = props.plan?.[name] ?? 0
  return (
    <Field label={LIMIT_LABELS[name]} name={`limits.${name}`} group hint={otherwise(name, props)}>
      <span className="flex gap-2">
        <Select
          id={undefined}
          aria-label={`${LIMIT_LABELS[name]}: which limit`}
          className={whose === 'own' ? 'w-32 shrink-0' : 'w-full'}
          value={whose}
          options={[{ value: 'plan', label: unsaid(props) }, ...OWN]}
          onChange={(next) => put(props, name, next === 'plan' ? undefined : next === 'none' ? null : start)}
        />
        {whose === 'own' && (
          <NumberInput
            aria-label={LIMIT_LABELS[name]}
            value={own ?? null}
            onChange={(most) => put(props, name, most ?? 0)}
          />
        )}
      </span>
    </Field>
  )
}

/** A number that is always one; empty is the plan's. */
function OwnNumber({
  name,
  props,
  unit,
}: OverrideProps<'queue_ms' | 'cache_read_weight' | 'soft_threshold'> & { unit: string }) {
  return (
    <Field label={LIMIT_LABELS[name] + unit} name={`limits.${name}`} hint={otherwise(name, props)}>
      <NumberInput
        placeholder={String((props.plan ?? NO_LIMITS)[name])}
        value={props.limits[name] ?? null}
        onChange={(value) => put(props, name, value ?? undefined)}
      />
    </Field>
  )
}

interface OwnWordProps<Word extends string> extends OverrideProps<LimitName> {
  readonly value: Word | null | undefined
  readonly words: readonly SelectOption<Word>[]
  readonly onChange: (word: Word | undefined) => void
}

function OwnWord<Word extends string>({ name, props, value, words, onChange }: OwnWordProps<Word>) {
  const options = [{ value: '' as const, label: unsaid(props) }, ...words]
  return (
    <Field label={LIMIT_LABELS[name]} name={`limits.${name}`} hint={otherwise(name, props)}>
      <Select<Word | ''>
        value={value ?? ''}
        options={options}
        onChange={(word) => onChange(word === '' ? undefined : word)}
      />
    </Field>
  )
}

/** What it means to say nothing. */
function unsaid({ plan }: OverrideFieldsProps): string {
  return plan === undefined ? 'not said' : 'as its plan'
}

function otherwise(name: LimitName, { plan }: OverrideFieldsProps): string {
  const text = limitText(name, plan ?? NO_LIMITS)
  return plan === undefined ? `On no plan: ${text}.` : `${plan.name}: ${text}.`
}

/** Undefined: as the plan says. */
function put<Name extends LimitName>(
  { limits, onChange }: OverrideFieldsProps,
  name: Name,
  value: LimitChange[Name] | undefined,
): void {
  const { [name]: _before, ...others } = limits
  onChange(value === undefined ? others : { ...others, [name]: value })
}
