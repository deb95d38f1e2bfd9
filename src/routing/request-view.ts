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
  readonly tags: Readonly<Record<string, string>> | undefined
  /** Null: the client did not send it. */
  readonly header: (name: string) => string | null | undefined
  readonly dialect: string | null | undefined
  /** The calling program. */
  readonly client: string | null | undefined
  readonly affinity: AffinityFacts
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
