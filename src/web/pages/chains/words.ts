/** The words of the API about chains, as people say them. */
import type { SkipReason } from '../../../routing/skip.ts'
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

/** Why a step is passed over. A reason that is not here is shown as the API says it. */
const SKIPS: Readonly<Partial<Record<SkipReason, string>>> = {
  disabled: 'switched off',
  no_account: 'its provider has no account',
  no_credentials: 'the account has no credentials',
  expired: 'the account has expired',
  auth_error: 'the provider refuses the sign-in',
  exhausted: 'the account is out of money or quota',
  cooldown: 'the account rests',
  model_not_allowed: 'the account does not allow this model',
  not_this_account: 'the step names other accounts',
  not_permitted: 'the key may not use this model',
  unknown_target: 'nothing has this name',
  other_capability: 'it is for requests of another kind',
  cycle: 'it leads back to where it came from',
  too_deep: 'it is nested too deep',
  condition_false: 'its condition does not hold',
  condition_unknown: 'nothing tells whether its condition holds',
  too_expensive: 'it costs more than the chain allows',
  price_unknown: 'its price is not known',
  no_tools: 'it cannot call tools',
  no_images: 'it cannot read images',
  no_documents: 'it cannot read documents',
  no_audio: 'it cannot hear audio',
  no_json_schema: 'its answers cannot be held to a schema',
  no_thinking: 'it cannot think',
  context_too_short: 'the request does not fit',
  at_rate: 'the account has reached its rate',
  at_concurrency: 'the account is busy',
  quota_spent: 'a quota is used up',
  quota_reserved: 'the rest of the quota is reserved',
  circuit_open: 'the provider fails too often',
  retries_spent: 'enough has been tried again already',
  not_for_failure: 'the chain does not move on after that failure',
  budget_of_attempts: 'the attempts would be used up',
}

interface Skip {
  readonly reason: string | null
  readonly detail: string | null
}

export function skipText({ reason, detail }: Skip): string {
  const known = (SKIPS as Readonly<Record<string, string>>)[reason ?? '']
  return known ?? detail ?? reason?.replaceAll('_', ' ') ?? 'no reason is known'
}

/** What would become of a step, in a few words. */
export function trialText(trial: StepTrial): string {
  if (trial.tried === 'first') return 'Would answer'
  if (trial.tried === 'after_failure') return 'Next, if those before it fail'
  return `${trial.tried === 'unknown' ? 'Not known' : 'Skipped'}: ${skipText(trial)}`
}
