/** Skills, for the pages of those who carry them. */
import { resource } from './resource.ts'
import type { NewSkill, Skill, SkillChange } from './wire.ts'

export const skills = resource<Skill, NewSkill, SkillChange>('/v1/skills')

/** As many skills as a form offers. */
export const SKILLS_LIMIT = 100
