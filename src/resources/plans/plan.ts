/**
 * Plans: what the keys on them may use, so that many keys are changed by one act. Each limit is per key. Invariant: at most one plan
 * is the default, every key's plan exists, and what a plan names (chain, skills) is there.
 */
import type { ContentLogging } from '../contents/content.ts'
import type { Limits } from './limits.ts'

/** `inherit`: what the settings say. */
export type PlanContentLogging = ContentLogging | 'inherit'

export interface PlanRules {
  readonly name: string
  readonly description: string
  /** Keys that are made without a plan get this one. */
  readonly isDefault: boolean
  readonly limits: Limits
  /** Patterns. */
  readonly modelsAllow: readonly string[]
  /** Beats `modelsAllow`. */
  readonly modelsDeny: readonly string[]
  /** Words of `ENDPOINTS`. */
  readonly endpointsAllow: readonly string[]
  /** What `auto` means; null: what the settings say. */
  readonly defaultModel: string | null
  /** All chats go through this chain; null: where they ask to go. */
  readonly chainId: string | null
  /** Added to the global skills. */
  readonly skillIds: readonly string[]
  /** Who goes first where requests wait for something; the higher the sooner. */
  readonly priority: number
  /** Of which requests the words are kept. */
  readonly logContent: PlanContentLogging
}

export interface Plan extends PlanRules {
  readonly id: string
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly version: number
}
