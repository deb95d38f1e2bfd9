import { Field } from '../../components/field.tsx'
import { NumberInput } from '../../components/number-input.tsx'
import { Select } from '../../components/select.tsx'
import { TimeZoneInput } from '../../components/time-zone-input.tsx'
import type { FormState } from '../../components/use-form.ts'
import { BUDGET_PERIODS, LIMIT_LABELS, NO_LIMITS, OUTPUT_OVER } from '../../limit-words.ts'
import type { PlanForm } from './plan-draft.ts'

interface PartProps {
  readonly form: FormState<PlanForm>
}

type NumberName = {
  [Name in keyof PlanForm]: PlanForm[Name] extends number | null ? Name : never
}[keyof PlanForm]

/** How much and how fast. Each limit is for every single key on the plan. */
export function LimitFields({ form }: PartProps) {
  return (
    <>
      <p className="text-dense text-muted">
        Every key on the plan has these limits for itself. Empty is no limit, 0 is nothing at all.
      </p>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Amount form={form} name="rpm" />
        <Amount form={form} name="rpd" />
        <Amount form={form} name="tpm" hint="Input and output." />
        <Amount form={form} name="tpd" hint="Input and output." />
      </div>
      {(form.value.tpm !== null || form.value.tpd !== null) && <CacheWeight form={form} />}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Amount form={form} name="max_concurrency" hint="Requests under way: 64 are plenty for most tools." />
        <Field label={`${LIMIT_LABELS.queue_ms}, ms`} name="queue_ms" hint="0: refused at once. At most 60000.">
          <NumberInput value={form.value.queue_ms} onChange={(ms) => form.set('queue_ms', ms ?? NO_LIMITS.queue_ms)} />
        </Field>
      </div>
      <SizeFields form={form} />
      <MoneyFields form={form} />
      <Field
        label={LIMIT_LABELS.budget_timezone}
        name="budget_timezone"
        hint="Where days, and the periods of money, begin at midnight."
      >
        <TimeZoneInput {...form.text('budget_timezone')} />
      </Field>
    </>
  )
}

function Amount({ form, name, hint }: PartProps & { name: NumberName & keyof typeof LIMIT_LABELS; hint?: string }) {
  return (
    <Field label={LIMIT_LABELS[name]} name={name} hint={hint}>
      <NumberInput placeholder="no limit" value={form.value[name]} onChange={(most) => form.set(name, most)} />
    </Field>
  )
}

function CacheWeight({ form }: PartProps) {
  return (
    <Field
      label={LIMIT_LABELS.cache_read_weight}
      name="cache_read_weight"
      hint="From 0, not at all, to 1, in full: input that the provider had in its cache."
    >
      <NumberInput
        className="max-w-32"
        value={form.value.cache_read_weight}
        onChange={(weight) => form.set('cache_read_weight', weight ?? NO_LIMITS.cache_read_weight)}
      />
    </Field>
  )
}

function SizeFields({ form }: PartProps) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Amount form={form} name="max_input_tokens" hint="Tokens of one request, by an estimate." />
      <Amount form={form} name="max_output_tokens" hint="Tokens of one answer." />
      {form.value.max_output_tokens !== null && (
        <Field label={LIMIT_LABELS.on_output_over} name="on_output_over">
          <Select
            value={form.value.on_output_over}
            options={OUTPUT_OVER}
            onChange={(over) => form.set('on_output_over', over)}
          />
        </Field>
      )}
    </div>
  )
}

function MoneyFields({ form }: PartProps) {
  const { budget_usd: usd, budget_period: period } = form.value
  return (
    <div className="grid items-start gap-4 sm:grid-cols-3">
      <Field label={`${LIMIT_LABELS.budget_usd}, dollars`} name="budget_usd" hint="Then it is refused.">
        <NumberInput placeholder="no limit" value={usd} onChange={(most) => form.set('budget_usd', most)} />
      </Field>
      {usd !== null && (
        <>
          <Field label={LIMIT_LABELS.budget_period} name="budget_period">
            <Select value={period} options={BUDGET_PERIODS} onChange={(next) => form.set('budget_period', next)} />
          </Field>
          <Field label={LIMIT_LABELS.soft_threshold} name="soft_threshold" hint="A share of it, such as 0.8.">
            <NumberInput
              value={form.value.soft_threshold}
              onChange={(share) => form.set('soft_threshold', share ?? NO_LIMITS.soft_threshold)}
            />
          </Field>
        </>
      )}
    </div>
  )
}
