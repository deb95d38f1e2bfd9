/** When a target may be used: typed facts of a request, compared and joined. No code, so that a rule can be shown and tried. */

export const CONDITION_DEPTH_MAX = 4
export const CONDITION_NODES_MAX = 32

export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | Comparison

export type NumberFact = 'input_tokens' | 'hour' | 'weekday' | 'budget_left_pct'
/**
 * What a fact that is a number may be, both ends included, and how near two values can be that differ. Hours and days are UTC; day 0
 * is Sunday.
 */
export const FACT_RANGES = {
  input_tokens: { min: 0, max: 1_000_000_000, step: 1 },
  hour: { min: 0, max: 23, step: 1 },
  weekday: { min: 0, max: 6, step: 1 },
  /** Compared with whole numbers, between which there are others. */
  budget_left_pct: { min: 0, max: 100, step: 0.5 },
} as const satisfies Record<NumberFact, { min: number; max: number; step: number }>

export type FlagFact = 'has_tools' | 'has_images' | 'has_thinking' | 'stream'
export type WordFact = 'key_id' | 'plan_id' | 'dialect' | 'client' | `tag.${string}` | `header.${string}`

export type Comparison =
  | { readonly fact: NumberFact; readonly op: 'lt' | 'lte' | 'gt' | 'gte' | 'eq'; readonly value: number }
  | { readonly fact: FlagFact; readonly op: 'is'; readonly value: boolean }
  | { readonly fact: WordFact; readonly op: 'eq' | 'ne' | 'matches'; readonly value: string }

/** `unknown`: the request does not say, as with rows of the past that did not keep the fact. */
export type Verdict = 'yes' | 'no' | 'unknown'
