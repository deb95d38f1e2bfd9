/** Which skills a request gets: the globally enabled ones and the key's own, in creation order, each once. */
import type { Failure } from '../core/failure.ts'
import type { ScannedObject, Splice } from '../core/json-scan.ts'
import { ok, type Result } from '../core/result.ts'
import type { ClientDialect } from '../dialects/dialect.ts'

export interface InjectableSkill {
  readonly id: string
  readonly content: string
  readonly enabled: boolean
}

export interface SkillChoice {
  readonly skillIds: readonly string[]
  /** `add`: global ones and the key's own; `only`: the key's own; `none`: none at all. */
  readonly skillsMode: 'add' | 'only' | 'none'
}

export interface Injection {
  readonly skillIds: readonly string[]
  readonly splices: readonly Splice[]
}

const NOTHING: Injection = { skillIds: [], splices: [] }

/** `all` comes in creation order and so does the answer. */
export function skillsFor<S extends InjectableSkill>(choice: SkillChoice, all: readonly S[]): readonly S[] {
  if (choice.skillsMode === 'none') return []
  return all.filter((skill) => choice.skillIds.includes(skill.id) || (skill.enabled && choice.skillsMode === 'add'))
}

/** The edits that put the skills after the client's own system prompt. Failure: `malformed`, when its prompt has a wrong shape. */
export function inject(
  dialect: ClientDialect,
  body: ScannedObject,
  skills: readonly InjectableSkill[],
): Result<Injection, Failure> {
  if (skills.length === 0) return ok(NOTHING)
  const text = skills.map((skill) => skill.content).join('\n\n')
  const splices = dialect.appendSystem(body, text)
  if (!splices.ok) return splices
  return ok({ skillIds: skills.map((skill) => skill.id), splices: splices.value })
}
