import { ACTIONS, PERIODS } from '../../budget-words.ts'
import { Field } from '../../components/field.tsx'
import { FormGroup } from '../../components/form.tsx'
import { Input } from '../../components/input.tsx'
import { NumberInput } from '../../components/number-input.tsx'
import { Select } from '../../components/select.tsx'
import { Switch } from '../../components/switch.tsx'
import { TagsInput } from '../../components/tags-input.tsx'
import { TargetInput, TargetOptions } from '../../components/target.tsx'
import { TimeZoneInput } from '../../components/time-zone-input.tsx'
import type { FormState } from '../../components/use-form.ts'
import type { BudgetForm } from './budget-draft.ts'
import { ScopeFields } from './scope-fields.tsx'
import { WindowInput } from './window-input.tsx'

interface PartProps {
  readonly form: FormState<BudgetForm>
}

/** Everything that can be said about a budget, for a new one and for one that exists. */
export function BudgetFields({ form, isNew }: PartProps & { isNew: boolean }) {
  return (
    <>
      <Field label="Name" name="name">
        <Input autoFocus={isNew} placeholder="Team, monthly" maxLength={80} {...form.text('name')} />
      </Field>
      <ScopeFields form={form} />
      <AmountFields form={form} />
      <PeriodFields form={form} />
      <ActionFields form={form} />
      <FormGroup title="How it counts" folded>
        <CountFields form={form} />
      </FormGroup>
      {!isNew && (
        <Field label="State" name="enabled" hint="Switched off, nothing is counted or refused.">
          <Switch label="Enabled" checked={form.value.enabled} onChange={(on) => form.set('enabled', on)} />
        </Field>
      )}
    </>
  )
}

function AmountFields({ form }: PartProps) {
  const { amount_usd: usd, amount_tokens: tokens, amount_requests: requests } = form.value
  return (
    <div className="grid items-start gap-4 sm:grid-cols-3">
      <Field label="Dollars" name="amount_usd" hint="One of the three at least; all that are set hold.">
        <NumberInput placeholder="no limit" value={usd} onChange={(most) => form.set('amount_usd', most)} />
      </Field>
      <Field label="Tokens" name="amount_tokens">
        <NumberInput placeholder="no limit" value={tokens} onChange={(most) => form.set('amount_tokens', most)} />
      </Field>
      <Field label="Requests" name="amount_requests">
        <NumberInput placeholder="no limit" value={requests} onChange={(most) => form.set('amount_requests', most)} />
      </Field>
    </div>
  )
}

/** Periods that begin on a day of the month. */
const ANCHORED: ReadonlySet<string> = new Set(['month', 'quarter', 'year'])

function PeriodFields({ form }: PartProps) {
  const { period, rolling_s: seconds, anchor_day: day } = form.value
  const isCalendar = period !== 'rolling' && period !== 'total'
  return (
    <div className="grid items-start gap-4 sm:grid-cols-3">
      <Field label="How often" name="period">
        <Select value={period} options={PERIODS} onChange={(next) => form.set('period', next)} />
      </Field>
      {period === 'rolling' && (
        <Field label="Window" name="rolling_s" hint="What is older no longer counts.">
          <WindowInput seconds={seconds} onChange={(next) => form.set('rolling_s', next)} />
        </Field>
      )}
      {isCalendar && (
        <Field label="Time zone" name="timezone">
          <TimeZoneInput {...form.text('timezone')} />
        </Field>
      )}
      {ANCHORED.has(period) && (
        <Field label="Begins on day" name="anchor_day" hint="Of the month, 1 to 28.">
          <NumberInput value={day} onChange={(next) => form.set('anchor_day', next)} />
        </Field>
      )}
    </div>
  )
}

const MEANINGS: Readonly<Record<BudgetForm['action'], string>> = {
  block: 'What does not fit any more is refused before anything is sent.',
  warn: 'The console says so and answers carry a header; nothing is refused.',
  downgrade: 'Requests are served by another model, which their rows in the log say.',
  throttle: 'From the last warning on, a key has one request under way at a time.',
}

function ActionFields({ form }: PartProps) {
  const { action, downgrade_to: model, thresholds } = form.value
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="At the limit" name="action" hint={MEANINGS[action]}>
          <Select value={action} options={ACTIONS} onChange={(next) => form.set('action', next)} />
        </Field>
        {action === 'downgrade' && (
          <TargetOptions>
            {(list) => (
              <Field label="Served instead by" name="downgrade_to">
                <TargetInput list={list} value={model} onChange={(name) => form.set('downgrade_to', name)} />
              </Field>
            )}
          </TargetOptions>
        )}
      </div>
      <Field label="Warnings at, percent" name="thresholds" group hint="Up to five; each is told once in a period.">
        <TagsInput
          what="warning"
          placeholder="none"
          value={thresholds}
          onChange={(list) => form.set('thresholds', list)}
        />
      </Field>
    </>
  )
}

const RESERVES = [
  { value: 'expected', label: 'what it will probably cost' },
  { value: 'strict', label: 'the most that it can cost' },
] as const
const RESERVE_MEANINGS: Readonly<Record<BudgetForm['reserve'], string>> = {
  expected: 'The budget can be exceeded by what requests under way take beyond that.',
  strict: 'Exceeded at most by the error of the prompt’s estimate. Fewer requests fit at once, and answers are capped.',
}

function CountFields({ form }: PartProps) {
  const { reserve, include_estimates: isIncluded } = form.value
  return (
    <>
      <Field label="A request under way sets aside" name="reserve" hint={RESERVE_MEANINGS[reserve]}>
        <Select
          className="max-w-80"
          value={reserve}
          options={RESERVES}
          onChange={(next) => form.set('reserve', next)}
        />
      </Field>
      <Field
        label="Models without a price"
        name="include_estimates"
        hint="At the price for unknown models of the settings; without one they are refused under this budget."
      >
        <Switch
          label="Count what they are estimated to cost"
          checked={isIncluded}
          onChange={(on) => form.set('include_estimates', on)}
        />
      </Field>
    </>
  )
}
