import { Checkbox } from '../../components/checkbox.tsx'
import { Field } from '../../components/field.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Select, type SelectOption } from '../../components/select.tsx'
import type { FormState } from '../../components/use-form.ts'
import { plural } from '../../format/count.ts'
import { skills, SKILLS_LIMIT } from './data.ts'
import type { KeyForm, SkillsMode } from './key-draft.ts'

export const MODES: readonly SelectOption<SkillsMode>[] = [
  { value: 'add', label: 'Everybody’s skills, and these' },
  { value: 'only', label: 'These alone' },
  { value: 'none', label: 'No skills' },
]

/** Which skills go into the system prompt of this key's requests. */
export function SkillFields({ form }: { form: FormState<KeyForm> }) {
  const query = skills.useList({ limit: SKILLS_LIMIT })
  const { skill_ids: chosen, skills_mode: mode } = form.value
  const toggle = (id: string, on: boolean): void =>
    form.set('skill_ids', on ? [...chosen, id] : chosen.filter((other) => other !== id))
  return (
    <>
      <Field label="Which skills" name="skills_mode">
        <Select className="max-w-80" value={mode} options={MODES} onChange={(next) => form.set('skills_mode', next)} />
      </Field>
      {mode !== 'none' && (
        <Field label="Skills of this key" name="skill_ids" group>
          <Loaded query={query} what="The skills could not be read">
            {({ data }) =>
              data.length === 0 ? (
                <p className="text-dense text-muted">No skills. A skill is text added to the system prompt.</p>
              ) : (
                <div className="grid gap-2">
                  {data.map(({ id, name, tokens, enabled }) => (
                    <Checkbox
                      key={id}
                      label={name}
                      hint={`${plural(tokens, 'token')} in every request${enabled ? '' : ', switched off now'}`}
                      checked={chosen.includes(id)}
                      onChange={(on) => toggle(id, on)}
                    />
                  ))}
                </div>
              )
            }
          </Loaded>
        </Field>
      )}
    </>
  )
}
