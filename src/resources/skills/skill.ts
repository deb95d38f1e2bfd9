/** A reusable piece of system prompt. */
export interface Skill {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly content: string
  /** Injected into every request; otherwise only where a key names it. */
  readonly enabled: boolean
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly version: number
}

/** What makes a skill a document. */
export interface SkillDocument {
  readonly name: string
  readonly description: string
  readonly content: string
}

export const NAME_LENGTH_MAX = 64
export const DESCRIPTION_LENGTH_MAX = 1_024
export const CONTENT_BYTES_MAX = 256 * 1024
const CHARACTERS_PER_TOKEN = 4

/** About four characters a token: what it adds to every request that it is injected into. */
export function tokensOf({ content }: Pick<Skill, 'content'>): number {
  return Math.ceil(content.length / CHARACTERS_PER_TOKEN)
}

/** What is wrong with a skill's texts, by field; empty when nothing is. */
export function skillProblems({ name, description, content }: SkillDocument): Readonly<Record<string, string[]>> {
  const problems: Record<string, string[]> = {}
  if (name.trim() === '' || name.length > NAME_LENGTH_MAX)
    problems['name'] = [`must have 1 to ${NAME_LENGTH_MAX} characters`]
  else if (/\p{Cc}/u.test(name)) problems['name'] = ['must be one line without control characters']
  if (description.length > DESCRIPTION_LENGTH_MAX) {
    problems['description'] = [`must have at most ${DESCRIPTION_LENGTH_MAX} characters`]
  }
  const bytes = Buffer.byteLength(content)
  if (bytes === 0 || bytes > CONTENT_BYTES_MAX) problems['content'] = [`must have 1 to ${CONTENT_BYTES_MAX} bytes`]
  for (const [field, text] of Object.entries({ name, description, content })) {
    if (!text.isWellFormed()) problems[field] = ['holds half a character (a lone surrogate)']
  }
  return problems
}
