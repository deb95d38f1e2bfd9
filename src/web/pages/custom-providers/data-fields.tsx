import { Field } from '../../components/field.tsx'
import { NumberInput } from '../../components/number-input.tsx'
import { Select } from '../../components/select.tsx'
import { TagsInput } from '../../components/tags-input.tsx'
import type { FormState } from '../../components/use-form.ts'
import type { CustomFields } from './custom-draft.ts'

/** What the operator knows of the host and no program can find out: chains may ask for it. */
export function DataFields({ form }: { form: FormState<CustomFields> }) {
  const { regions, data_policy: policy } = form.value
  const put = (part: Partial<CustomFields['data_policy']>): void => form.set('data_policy', { ...policy, ...part })
  return (
    <>
      <p className="text-caption text-faint">
        Chains can keep requests to some regions, and from hosts that may train on them. What nobody says here does not
        hold for them.
      </p>
      <Field
        label="Regions"
        name="regions"
        group
        hint="Where it works on requests. The region of an account goes before it."
      >
        <TagsInput what="region" value={regions} placeholder="eu" onChange={(value) => form.set('regions', value)} />
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-3">
        <Field label="Models learn from requests" name="data_policy.trains">
          <Select
            value={wordOf(policy.trains)}
            options={ANSWERS}
            onChange={(word) => put({ trains: answerOf(word) })}
          />
        </Field>
        <Field label="Keeps none of them" name="data_policy.zdr">
          <Select value={wordOf(policy.zdr)} options={ANSWERS} onChange={(word) => put({ zdr: answerOf(word) })} />
        </Field>
        <Field label="Keeps them for, days" name="data_policy.retention_days" aside="at most">
          <NumberInput
            value={policy.retention_days}
            placeholder="nobody says"
            onChange={(days) => put({ retention_days: days })}
          />
        </Field>
      </div>
    </>
  )
}

const ANSWERS = [
  { value: 'unsaid', label: 'nobody says' },
  { value: 'no', label: 'no' },
  { value: 'yes', label: 'yes' },
] as const
type Answer = (typeof ANSWERS)[number]['value']

function wordOf(answer: boolean | null): Answer {
  return answer === null ? 'unsaid' : answer ? 'yes' : 'no'
}

function answerOf(word: Answer): boolean | null {
  return word === 'unsaid' ? null : word === 'yes'
}
