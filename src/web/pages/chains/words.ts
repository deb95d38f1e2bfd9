/** The words of the API about chains, as people say them. */
import { skipText } from '../../skip-words.ts'
import type { Chain, ChainSimulation } from '../../wire.ts'

export type StepTrial = NonNullable<ChainSimulation['request']>['steps'][number]

export const KIND_WORDS: Readonly<Record<Chain['kind'], string>> = {
  chat: 'Chat',
  embeddings: 'Embeddings',
  image: 'Images',
  tts: 'Speech',
  stt: 'Transcription',
  search: 'Search',
  fetch: 'Fetch',
  rerank: 'Rerank',
}

/** Kinds of failure, each with what it means for the one who decides whether to move on. */
export const FAILURE_WORDS = {
  rate_limit: 'Rate limit',
  overloaded: 'Overloaded',
  server: 'Provider error',
  connect: 'Not reachable',
  timeout: 'No answer in time',
  empty: 'Empty answer',
  auth: 'Sign-in refused',
  billing: 'Out of money',
  not_entitled: 'Not allowed for the account',
  context_too_long: 'Context too long',
  unsupported: 'Not supported by the model',
  refused_content: 'Content refused',
} as const

/** `steps.0.when: never holds` → what stands at the step with this place, from 0. Other warnings are about none. */
export function warningsOf(warnings: readonly string[], at: number): readonly string[] {
  return warnings.flatMap((warning) => {
    const [, place, part = '', why] = WARNING.exec(warning) ?? []
    return Number(place) === at && why !== undefined ? [`${SUBJECTS[part] ?? ''}${why}.`] : []
  })
}

const WARNING = /^steps\.(\d+)(?:\.(\w+))?: (.*)$/s
/** By the part of a step that a warning is about; one about its model names it. */
const SUBJECTS: Readonly<Record<string, string>> = { '': 'It ', when: 'Its condition ' }

/** Would it be asked at once, whatever becomes of the others? */
export function isAsked({ tried }: Pick<StepTrial, 'tried'>): boolean {
  return tried === 'first' || tried === 'panel' || tried === 'judge'
}

/** What would become of a step, in a few words. */
export function trialText(trial: StepTrial): string {
  if (trial.tried === 'first') return 'Would answer'
  if (trial.tried === 'panel') return 'Asked with the others'
  if (trial.tried === 'judge') return 'Judges their answers'
  if (trial.tried === 'after_failure') return 'Next, if those before it fail'
  return `${trial.tried === 'unknown' ? 'Not known' : 'Skipped'}: ${skipText(trial)}`
}
