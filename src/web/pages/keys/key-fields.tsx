import { AccessFields } from '../../components/access-fields.tsx'
import { Field } from '../../components/field.tsx'
import { FormGroup } from '../../components/form.tsx'
import { Input } from '../../components/input.tsx'
import { KeyValueEditor } from '../../components/key-value-editor.tsx'
import { Select } from '../../components/select.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TagsInput } from '../../components/tags-input.tsx'
import type { FormState } from '../../components/use-form.ts'
import { CONTENT_LOGGING } from '../../content-words.ts'
import type { Plan } from '../../wire.ts'
import { AccountField } from './account-field.tsx'
import type { KeyForm } from './key-draft.ts'
import { OverrideFields } from './override-fields.tsx'
import { PlanField, usePlanOf } from './plan-field.tsx'
import { SkillFields } from './skill-fields.tsx'
import { SuggestedCeiling } from './suggested-ceiling.tsx'

/** Everything that can be said about a key, for a new one and for one that exists. */
export function KeyFields({ form, folded }: { form: FormState<KeyForm>; folded: boolean }) {
  const { plan, isPending } = usePlanOf(form.value.plan_id)
  if (isPending) return <Skeleton rows={8} />
  return (
    <>
      <Field label="Name" name="name" hint="Who or what uses it: laptop, ci-bot, home-assistant.">
        <Input autoFocus={folded} {...form.text('name')} />
      </Field>
      <PlanField value={form.value.plan_id} onChange={(id) => form.set('plan_id', id)} />
      {folded && (
        <SuggestedCeiling limits={form.value.limits} plan={plan} onChange={(limits) => form.set('limits', limits)} />
      )}
      <FormGroup title="Limits of its own" folded={folded}>
        <OverrideFields limits={form.value.limits} plan={plan} onChange={(limits) => form.set('limits', limits)} />
      </FormGroup>
      <FormGroup title="Models and endpoints" folded={folded}>
        <KeyAccess form={form} plan={plan} />
      </FormGroup>
      <FormGroup title="Where from and how long" folded={folded}>
        <Field
          label="Addresses"
          name="ip_allowlist"
          group
          hint="Only clients at these addresses or in these blocks, such as 10.0.0.0/8. Empty: from anywhere."
        >
          <TagsInput
            what="address"
            placeholder="10.0.0.0/8"
            value={form.value.ip_allowlist}
            onChange={(list) => form.set('ip_allowlist', list)}
          />
        </Field>
        <Field label="Expires" name="expires_at" hint="In your time zone. Empty: never.">
          <Input type="datetime-local" className="max-w-60" {...form.text('expires_at')} />
        </Field>
        <Field
          label="Remind to rotate, days"
          name="rotation"
          hint="Only a reminder: the secret changes when you rotate it."
        >
          <Input inputMode="numeric" className="max-w-32" placeholder="90" {...form.text('rotation')} />
        </Field>
      </FormGroup>
      <FormGroup title="Accounts" folded={folded}>
        <AccountField chosen={form.value.account_ids} onChange={(ids) => form.set('account_ids', ids)} />
      </FormGroup>
      <FormGroup title="Skills and what is kept" folded={folded}>
        <SkillFields form={form} />
        <Field label="Keep what requests say" name="log_content" hint="Sealed, and deleted when its time is over.">
          <Select
            className="max-w-80"
            value={form.value.log_content}
            options={LOGGING}
            onChange={(logging) => form.set('log_content', logging)}
          />
        </Field>
      </FormGroup>
      <FormGroup title="Tags" folded={folded}>
        <Field label="Tags" name="tags" group hint="To group requests and their cost by, such as team = platform.">
          <KeyValueEditor
            what="Tag"
            keyPlaceholder="team"
            valuePlaceholder="platform"
            value={form.value.tags}
            onChange={(tags) => form.set('tags', tags)}
          />
        </Field>
      </FormGroup>
    </>
  )
}

const LOGGING = [{ value: '', label: 'as its plan says' } as const, ...CONTENT_LOGGING]

const EMPTY = {
  allow: 'as its plan says',
  deny: 'as its plan says',
  endpoints: 'as its plan says',
} as const
/** What the plan of a key says, or that there is none. */
const NO_PLAN = { allow: 'all models', deny: 'none', endpoints: 'all of them' } as const

function KeyAccess({ form, plan }: { form: FormState<KeyForm>; plan: Plan | undefined }) {
  return (
    <AccessFields
      rules={form.value}
      set={{
        models_allow: (list) => form.set('models_allow', list),
        models_deny: (list) => form.set('models_deny', list),
        endpoints_allow: (list) => form.set('endpoints_allow', list),
      }}
      {...(plan && { otherwise: { allow: plan.models_allow, deny: plan.models_deny } })}
      empty={plan === undefined ? NO_PLAN : EMPTY}
    />
  )
}
