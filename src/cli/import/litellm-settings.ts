/** What of a LiteLLM configuration stands for something here, or might, and is not taken over. */
import { asObject, type JsonObject } from '../../core/json.ts'
import type { LeftOut } from './found.ts'

const ELSEWHERE = ['default_fallbacks', 'context_window_fallbacks', 'content_policy_fallbacks', 'max_budget']

/** The parts of the file, what a person calls their settings, and those that are read or have words of their own. */
const SECTIONS: readonly (readonly [section: string, called: string, known: readonly string[]])[] = [
  ['router_settings', 'its router', ['routing_strategy', 'model_group_alias', 'fallbacks', ...ELSEWHERE]],
  ['litellm_settings', 'its library', ['fallbacks', ...ELSEWHERE]],
  ['general_settings', 'its server', ['master_key', 'database_url', 'pass_through_endpoints']],
]
const PARTS = new Set([
  ...SECTIONS.map(([section]) => section),
  'model_list',
  'credential_list',
  'environment_variables',
  'guardrails',
])

export function unreadIn(root: JsonObject): readonly LeftOut[] {
  const settings = SECTIONS.map(([section, called, known]) => {
    const others = Object.keys(asObject(root[section]) ?? {}).filter((name) => !known.includes(name))
    return [`settings of ${called}`, others, 'what has a place here is set under Settings'] as const
  })
  const parts = Object.keys(root).filter((name) => !PARTS.has(name))
  return [
    ...withWordsOfTheirOwn(root),
    ...[...settings, ['other parts of the file', parts, 'they are not read'] as const].flatMap(([what, names, why]) =>
      names.length === 0 ? [] : [{ what: `${what} (${names.join(', ')})`, why }],
    ),
  ]
}

function withWordsOfTheirOwn(root: JsonObject): readonly LeftOut[] {
  const [router, library, general] = SECTIONS.map(([section]) => asObject(root[section]) ?? {})
  const isSet = (name: string): boolean => [router, library].some((settings) => settings?.[name] !== undefined)
  const found: readonly (readonly [isThere: boolean, what: string, why: string])[] = [
    [isSet('default_fallbacks'), 'default_fallbacks', 'chains here say for themselves what they fall back on'],
    [
      isSet('context_window_fallbacks') || isSet('content_policy_fallbacks'),
      'fallbacks by kind of failure',
      'set fallback_on of a chain',
    ],
    [isSet('max_budget'), 'max_budget', 'add a budget'],
    ['guardrails' in root, 'guardrails', 'they are other programs’'],
    [general?.['pass_through_endpoints'] !== undefined, 'pass_through_endpoints', 'there is nothing like it here'],
    [
      general?.['database_url'] !== undefined,
      'what is in its database',
      'is not in this file; issue keys here, and set plans and budgets',
    ],
  ]
  return found.flatMap(([isThere, what, why]) => (isThere ? [{ what, why }] : []))
}
