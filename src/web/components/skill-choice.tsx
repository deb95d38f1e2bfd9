import { plural } from '../format/count.ts'
import { skills, SKILLS_LIMIT } from '../skills.ts'
import { Checkbox } from './checkbox.tsx'
import { Field } from './field.tsx'
import { Loaded } from './loaded.tsx'

export interface SkillChoiceProps {
  readonly label: string
  readonly chosen: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
}

/** Some of the skills that there are, each with what it costs. */
export function SkillChoice({ label, chosen, onChange }: SkillChoiceProps) {
  const query = skills.useList({ limit: SKILLS_LIMIT })
  const toggle = (id: string, on: boolean): void =>
    onChange(on ? [...chosen, id] : chosen.filter((other) => other !== id))
  return (
    <Field label={label} name="skill_ids" group>
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
  )
}
