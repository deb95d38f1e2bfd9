/**
 * What the family of a model decides within this format: Converse unites what models have in common and hands the rest on under
 * each maker's own names. Ids say who made a model (`us.anthropic.claude-…`); of one that does not, nothing special is assumed.
 */

export interface ModelTraits {
  /** Whose names the fields have that go to the model itself. */
  readonly extras: 'claude' | 'nova' | 'effort' | 'none'
  /** Where cache points may stand; elsewhere they are an error. */
  readonly cachePoints: 'everywhere' | 'not-in-tools' | 'nowhere'
  /** Whether they may last an hour. */
  readonly longCache: boolean
  /** Whether the results of tools may say that they are errors. */
  readonly resultStatus: boolean
  /** Whether answers and calls can be held to a schema; of others it is an error to ask that. */
  readonly schemas: boolean
  /** Ids of calls are nine letters and digits. */
  readonly shortCallIds: boolean
}

const PLAIN: ModelTraits = {
  extras: 'none',
  cachePoints: 'nowhere',
  longCache: false,
  resultStatus: false,
  schemas: false,
  shortCallIds: false,
}

// https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters.html,
// https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html,
// https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html and
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolResultBlock.html (read 2026-11-21)
const TRAITS: readonly (readonly [name: RegExp, traits: Partial<ModelTraits>])[] = [
  [
    /\banthropic\.|\bclaude-/,
    { extras: 'claude', cachePoints: 'everywhere', longCache: true, resultStatus: true, schemas: true },
  ],
  [/\bamazon\.nova-/, { extras: 'nova', cachePoints: 'not-in-tools', resultStatus: true }],
  [/\bopenai\./, { extras: 'effort', schemas: true }],
  [/\b(?:qwen|deepseek|google|minimax|moonshot|moonshotai|nvidia)\./, { schemas: true }],
  [/\bmistral\./, { shortCallIds: true }],
]

export function traitsOf(model: string): ModelTraits {
  return { ...PLAIN, ...TRAITS.find(([name]) => name.test(model))?.[1] }
}
