/** When a target may be used: typed facts of a request, compared and joined. No code, so that a rule can be shown and tried. */

export const CONDITION_DEPTH_MAX = 4
export const CONDITION_NODES_MAX = 32

export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | Comparison

export type NumberFact = 'input_tokens' | 'hour' | 'weekday' | 'budget_left_pct'
export type FlagFact = 'has_tools' | 'has_images' | 'has_thinking' | 'stream'
export type WordFact = 'key_id' | 'plan_id' | 'dialect' | 'client' | `tag.${string}` | `header.${string}`

export type Comparison =
  | { readonly fact: NumberFact; readonly op: 'lt' | 'lte' | 'gt' | 'gte' | 'eq'; readonly value: number }
  | { readonly fact: FlagFact; readonly op: 'is'; readonly value: boolean }
  | { readonly fact: WordFact; readonly op: 'eq' | 'ne' | 'matches'; readonly value: string }

/** `unknown`: the request does not say, as with rows of the past that did not keep the fact. */
export type Verdict = 'yes' | 'no' | 'unknown'
