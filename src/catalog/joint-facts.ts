import type { Modality, ModelFacts } from './provider.ts'

/** What several models have in common: what a name that stands for all of them can promise. */
export interface JointFacts {
  /** The least of them; undefined when one is not known. */
  readonly contextTokens: number | undefined
  readonly maxOutputTokens: number | undefined
  readonly inputModalities: readonly Modality[]
  readonly tools: boolean
  readonly parallelTools: boolean
  readonly jsonMode: boolean
  readonly jsonSchema: boolean
  readonly thinking: boolean
  readonly streaming: boolean
}

/** Undefined when there are none. */
export function jointFacts(models: readonly ModelFacts[]): JointFacts | undefined {
  if (models.length === 0) return undefined
  const all = (has: (facts: ModelFacts) => boolean): boolean => models.every(has)
  const taken: readonly (readonly [Modality, boolean])[] = [
    ['text', true],
    ['image', all(({ images }) => images)],
    ['audio', all(({ audio }) => audio)],
    ['video', all(({ video }) => video)],
    ['pdf', all(({ documents }) => documents)],
  ]
  return {
    contextTokens: least(models.map(({ contextTokens }) => contextTokens)),
    maxOutputTokens: least(models.map(({ maxOutputTokens }) => maxOutputTokens)),
    inputModalities: taken.flatMap(([modality, takes]) => (takes ? [modality] : [])),
    tools: all(({ tools }) => tools),
    parallelTools: all(({ parallelTools }) => parallelTools),
    jsonMode: all(({ jsonMode }) => jsonMode),
    jsonSchema: all(({ jsonSchema }) => jsonSchema),
    thinking: all(({ thinking }) => thinking !== 'none'),
    streaming: all(({ streaming }) => streaming),
  }
}

function least(counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined)
  return known.length < counts.length ? undefined : Math.min(...known)
}
