/**
 * A request as rules see it: the facts that conditions, requirements and affinity read. Undefined always means that nobody kept
 * the fact, as with rows of the past; null and zero mean that the request has none of it.
 */
export interface RequestView {
  /** UTC, milliseconds since 1970. */
  readonly atMs: number
  /** An estimate. */
  readonly inputTokens: number | undefined
  /** What the request asks for at most; null: it does not say. */
  readonly maxTokens: number | null | undefined
  readonly tools: number | undefined
  /** Asked once for each medium that a model lacks, so it may look closely. */
  readonly media: (kind: Medium) => boolean | undefined
  readonly thinking: boolean | undefined
  readonly structuredOutput: boolean | undefined
  readonly stream: boolean | undefined
  readonly keyId: string | null | undefined
  /** Null: the key is on no plan. */
  readonly planId: string | null | undefined
  readonly tags: Readonly<Record<string, string>> | undefined
  /** Of the budgets that could refuse it, the least that is left, in percent; 100 where there is none. Made when a rule asks. */
  readonly budgetLeftPct: () => number | undefined
  /** Null: the client did not send it. */
  readonly header: (name: string) => string | null | undefined
  readonly dialect: string | null | undefined
  /** The calling program. */
  readonly client: string | null | undefined
  /** Of the key, −10 to 10: the higher, the sooner it is served where accounts are scarce. */
  readonly priority: number
  readonly affinity: AffinityFacts
}

/** The priority of a request of whose key nothing is known. */
export const USUAL_PRIORITY = 0

/** For whom what a quota keeps back is: `preferred` are keys above the usual priority. */
export type KeyRank = 'ordinary' | 'preferred'

export function rankOf({ priority }: Pick<RequestView, 'priority'>): KeyRank {
  return priority > USUAL_PRIORITY ? 'preferred' : 'ordinary'
}

export type Medium = 'image' | 'document' | 'audio'

/** What tells that two requests belong together; each is null where the request does not say. */
export interface AffinityFacts {
  /** `prompt_cache_key` and its like. */
  readonly cacheKey: string | null
  readonly sessionId: string | null
  /** The client's own name of its end user. */
  readonly user: string | null
  /** A digest of the system prompt and the first turn; made when first asked for. */
  readonly prefix: () => string | null
}

export const NO_AFFINITY: AffinityFacts = { cacheKey: null, sessionId: null, user: null, prefix: () => null }
