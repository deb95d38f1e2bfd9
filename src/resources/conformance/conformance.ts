/**
 * Conformance: whether a provider does what the formats that it speaks promise. A few harmless questions, put as requests would
 * put them; what came back is judged in neutral form by the tables in `checks.ts`, and `trials.ts` finds the quirks with which a
 * host that differs works all the same. Nothing here repeats what a provider wrote: every sentence of a report is ours.
 * Invariant: a built-in provider is never changed, only told about.
 */
import type { DialectId } from '../../catalog/dialect-id.ts'
import type { Quirks } from '../../catalog/provider.ts'
import type { NanoUsd } from '../../core/money.ts'

export const CHECK_IDS = [
  'text',
  'usage',
  'stream',
  'stream_usage',
  'system_prompt',
  'tool',
  'tool_result',
  'tool_without_arguments',
  'parallel_tools',
  'structured_output',
  'stop_sequence',
  'image',
  'unknown_model',
] as const
export type CheckId = (typeof CHECK_IDS)[number]

/** `remedied`: it failed as the provider is described, and works with the quirks that were found. */
export type Outcome = 'passed' | 'failed' | 'remedied' | 'skipped'

export interface CheckResult {
  readonly check: CheckId
  readonly outcome: Outcome
  /** In plain words; null for what passed. */
  readonly why: string | null
}

/** What was found at one of a provider's addresses. */
export interface EndpointResult {
  readonly dialect: DialectId
  /** The provider's own name of the model that was asked. */
  readonly model: string
  readonly checks: readonly CheckResult[]
}

export interface Conformance {
  readonly provider: string
  /** Whose credentials were used. */
  readonly accountId: string
  readonly checkedAtMs: number
  readonly endpoints: readonly EndpointResult[]
  /** Those that were found, beside what is known of the host already. */
  readonly quirks: Quirks
  /** They are part of the provider now. */
  readonly applied: boolean
  readonly calls: number
  readonly tokens: number
  /** Null where no price is known. */
  readonly costNano: NanoUsd | null
}
