/** What a person reads of it, and what a program does. */
import type { Found } from './found.ts'
import type { Intent, Outcome } from './intent.ts'

const WORDS = {
  new: 'create',
  there: 'there already',
  clash: 'keep what is there',
  unfit: 'leave out',
} as const satisfies Record<Intent['state'], string>

export function linesOf({ source, leftOut }: Found, intents: readonly Intent[]): readonly string[] {
  if (intents.length === 0 && leftOut.length === 0) return [`It is ${source}.`, 'There is nothing in it to take over.']
  return [
    `It is ${source}.`,
    ...intents.map(({ kind, name, detail, state, problem }) =>
      line(WORDS[state], `${kind} ${name} (${detail})`, problem),
    ),
    ...leftOut.map(({ what, why }) => line(WORDS.unfit, what, why)),
  ]
}

function line(verb: string, what: string, why: string | null): string {
  const width = Math.max(...Object.values(WORDS).map(({ length }) => length))
  return `  ${verb.padEnd(width)}  ${what}${why === null ? '' : `: ${why}`}`
}

/** After it was carried out: only what the list before did not say. */
export function resultLines(outcomes: readonly Outcome[]): readonly string[] {
  const tried = outcomes.filter(({ intent }) => intent.state === 'new')
  const made = tried.filter(({ refusal }) => refusal === null)
  const refused = tried.filter(({ refusal }) => refusal !== null)
  return [
    `created ${made.length}`,
    ...refused.map(({ intent: { kind, name }, refusal }) => line('not created', `${kind} ${name}`, refusal)),
  ]
}

export function toJson({ source, leftOut }: Found, outcomes: readonly Outcome[], isDone: boolean): string {
  return JSON.stringify({
    source,
    items: outcomes.map(({ intent: { kind, name, detail, state }, refusal }) => ({
      kind,
      name,
      detail,
      outcome: outcomeOf(state, refusal, isDone),
      reason: refusal,
    })),
    left_out: leftOut.map(({ what, why }) => ({ what, why })),
  })
}

function outcomeOf(state: Intent['state'], refusal: string | null, isDone: boolean): string {
  if (state === 'there') return 'there_already'
  if (state === 'clash') return 'name_taken'
  if (state === 'unfit') return 'left_out'
  if (!isDone) return 'would_create'
  return refusal === null ? 'created' : 'refused'
}
