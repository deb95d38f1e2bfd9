/** The wire shapes of skills. */
import { type Static, Type } from '@sinclair/typebox'
import { CLOSED } from '../../http/closed.ts'
import { CONTENT_BYTES_MAX, DESCRIPTION_LENGTH_MAX, NAME_LENGTH_MAX, type Skill, tokensOf } from './skill.ts'

const Name = Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX })
const Description = Type.String({ maxLength: DESCRIPTION_LENGTH_MAX })
const Content = Type.String({ minLength: 1, maxLength: CONTENT_BYTES_MAX })

export const CreateSkillBody = Type.Object(
  { name: Name, description: Type.Optional(Description), content: Content },
  CLOSED,
)

export const PatchSkillBody = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean()),
    name: Type.Optional(Name),
    description: Type.Optional(Description),
    content: Type.Optional(Content),
  },
  CLOSED,
)
export type SkillPatch = Static<typeof PatchSkillBody>

export const SkillWire = Type.Object(
  {
    id: Type.String(),
    created_at: Type.String(),
    updated_at: Type.String(),
    version: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    content: Type.String(),
    enabled: Type.Boolean(),
    url: Type.String({ description: 'the public document' }),
    tokens: Type.Integer({ description: 'an estimate of what it adds to a request' }),
  },
  CLOSED,
)

export const DocumentWire = Type.Object(
  { name: Type.String(), description: Type.String(), content: Type.String() },
  CLOSED,
)

export function skillToWire(skill: Skill, baseUrl: string): Static<typeof SkillWire> {
  return {
    id: skill.id,
    created_at: new Date(skill.createdAtMs).toISOString(),
    updated_at: new Date(skill.updatedAtMs).toISOString(),
    version: skill.version,
    name: skill.name,
    description: skill.description,
    content: skill.content,
    enabled: skill.enabled,
    url: `${baseUrl}/skills/${skill.id}/SKILL.md`,
    tokens: tokensOf(skill),
  }
}
