import { AccessFields } from '../../components/access-fields.tsx'
import { Field } from '../../components/field.tsx'
import { FormGroup } from '../../components/form.tsx'
import { Input } from '../../components/input.tsx'
import { Select } from '../../components/select.tsx'
import { SkillChoice } from '../../components/skill-choice.tsx'
import { Switch } from '../../components/switch.tsx'
import { TargetInput, TargetOptions } from '../../components/target.tsx'
import type { FormState } from '../../components/use-form.ts'
import { CONTENT_LOGGING, contentText } from '../../content-words.ts'
import { useNames } from '../../names.tsx'
import { LimitFields } from './limit-fields.tsx'
import type { PlanForm } from './plan-draft.ts'

interface PartProps {
  readonly form: FormState<PlanForm>
}

/** Everything that can be said about a plan, for a new one and for one that exists. */
export function PlanFields({ form, folded }: PartProps & { folded: boolean }) {
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-[1fr_2fr]">
        <Field label="Name" name="name">
          <Input autoFocus={folded} placeholder="Team" maxLength={80} {...form.text('name')} />
        </Field>
        <Field label="Description" name="description" aside="optional">
          <Input maxLength={500} {...form.text('description')} />
        </Field>
      </div>
      <Field label="New keys" name="is_default" hint="No other plan is the default then.">
        <Switch
          label="Keys that are made without a plan get this one"
          checked={form.value.is_default}
          onChange={(on) => form.set('is_default', on)}
        />
      </Field>
      <FormGroup title="Limits of every key">
        <LimitFields form={form} />
      </FormGroup>
      <FormGroup title="Models and endpoints" folded={folded}>
        <AccessFields
          rules={form.value}
          set={{
            models_allow: (list) => form.set('models_allow', list),
            models_deny: (list) => form.set('models_deny', list),
            endpoints_allow: (list) => form.set('endpoints_allow', list),
          }}
          empty={EMPTY}
        />
      </FormGroup>
      <FormGroup title="Routing" folded={folded}>
        <RoutingFields form={form} />
      </FormGroup>
      <FormGroup title="Skills and what is kept" folded={folded}>
        <SkillChoice
          label="Skills beside the key’s own"
          chosen={form.value.skill_ids}
          onChange={(ids) => form.set('skill_ids', ids)}
        />
        <Field label="Keep what requests say" name="log_content" hint="Sealed, and deleted when its time is over.">
          <Select
            className="max-w-80"
            value={form.value.log_content}
            options={LOGGING}
            onChange={(logging) => form.set('log_content', logging)}
          />
        </Field>
      </FormGroup>
    </>
  )
}

const EMPTY = { allow: 'all models', deny: 'none', endpoints: 'all of them' } as const
const LOGGING = [{ value: 'inherit', label: contentText('inherit') } as const, ...CONTENT_LOGGING]

function RoutingFields({ form }: PartProps) {
  const { chain_id: chain, default_model: model, priority } = form.value
  return (
    <>
      <Field label="Chain" name="chain_id" hint="Where all chats go, whatever model they ask for.">
        <ChainSelect value={chain} onChange={(id) => form.set('chain_id', id)} />
      </Field>
      <TargetOptions>
        {(list) => (
          <Field
            label="Auto"
            name="default_model"
            hint={
              <>
                What the model <code>auto</code> means. Empty: as the settings say.
              </>
            }
          >
            <TargetInput list={list} value={model} onChange={(name) => form.set('default_model', name)} />
          </Field>
        )}
      </TargetOptions>
      <Field
        label="Priority"
        name="priority"
        hint="From −10 to 10: who goes first where requests wait for an account. The higher the sooner."
      >
        <Select
          className="max-w-32"
          value={String(priority ?? 0)}
          options={PRIORITIES}
          onChange={(next) => form.set('priority', Number(next))}
        />
      </Field>
    </>
  )
}

const PRIORITY_MAX = 10
const PRIORITIES = Array.from({ length: 2 * PRIORITY_MAX + 1 }, (_, at) => PRIORITY_MAX - at).map((priority) => ({
  value: String(priority),
  label: String(priority).replace('-', '−'),
}))

/** One that is gone by now stays what it is until something else is chosen. */
function ChainSelect({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const chains = useNames('/v1/chains').map(({ id, name }) => ({ value: id, label: name }))
  const isListed = value === '' || chains.some((chain) => chain.value === value)
  const options = [{ value: '', label: 'None: where they ask to go' }, ...chains]
  return (
    <Select
      className="max-w-80"
      value={value}
      options={isListed ? options : [...options, { value, label: value }]}
      onChange={onChange}
    />
  )
}
