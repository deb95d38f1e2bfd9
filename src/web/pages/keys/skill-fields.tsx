import { Field } from '../../components/field.tsx'
import { Select, type SelectOption } from '../../components/select.tsx'
import { SkillChoice } from '../../components/skill-choice.tsx'
import type { FormState } from '../../components/use-form.ts'
import type { KeyForm, SkillsMode } from './key-draft.ts'

export const MODES: readonly SelectOption<SkillsMode>[] = [
  { value: 'add', label: 'Everybody’s skills, and these' },
  { value: 'only', label: 'These alone' },
  { value: 'none', label: 'No skills' },
]

/** Which skills go into the system prompt of this key's requests. */
export function SkillFields({ form }: { form: FormState<KeyForm> }) {
  const { skill_ids: chosen, skills_mode: mode } = form.value
  return (
    <>
      <Field label="Which skills" name="skills_mode">
        <Select className="max-w-80" value={mode} options={MODES} onChange={(next) => form.set('skills_mode', next)} />
      </Field>
      {mode !== 'none' && (
        <SkillChoice label="Skills of this key" chosen={chosen} onChange={(ids) => form.set('skill_ids', ids)} />
      )}
    </>
  )
}
