/**
 * What becomes of what a translation cannot carry, by its wire name. What would change the answer never comes here: it is refused
 * by the dialect, as `unsupported`. A name that is not in the table is one that nobody here knows, or a piece of the conversation
 * that only another vendor understands: it is listed, and never an error, since no client could do without its own history.
 */
import { failure, type Failure } from '../../core/failure.ts'

/**
 * `hint`: the answer is as good as it can be without it; listed, and an error with `routing.strict_params`.
 * `bookkeeping`: nothing about the answer; left out without a word.
 */
type LossClass = 'hint' | 'bookkeeping'

const CLASSES: ReadonlyMap<string, LossClass> = new Map(
  Object.entries<LossClass>({
    max_tokens: 'hint',
    temperature: 'hint',
    top_p: 'hint',
    top_k: 'hint',
    min_p: 'hint',
    seed: 'hint',
    stop: 'hint',
    presence_penalty: 'hint',
    frequency_penalty: 'hint',
    logit_bias: 'hint',
    logprobs: 'hint',
    top_logprobs: 'hint',
    prediction: 'hint',
    verbosity: 'hint',
    response_format: 'hint',
    reasoning: 'hint',
    reasoning_effort: 'hint',
    'reasoning.effort': 'hint',
    'reasoning.summary': 'hint',
    'reasoning.context': 'hint',
    'reasoning.mode': 'hint',
    'thinking.type': 'hint',
    service_tier: 'hint',
    speed: 'hint',
    cache_control: 'hint',
    citations: 'hint',
    detail: 'hint',
    context: 'hint',
    'messages.name': 'hint',
    tool_choice: 'hint',
    parallel_tool_calls: 'hint',
    search_context_size: 'hint',
    user_location: 'hint',
    strict: 'hint',
    'tools.format': 'hint',
    'tools.strict': 'hint',
    'tools.max_uses': 'hint',
    'tools.web_search': 'hint',
    'tools.web_fetch': 'hint',
    'tools.tool_search': 'hint',
    'tools.file_search': 'hint',
    'tools.google_search': 'hint',
    'tools.url_context': 'hint',
    truncation: 'hint',

    metadata: 'bookkeeping',
    user: 'bookkeeping',
    safety_identifier: 'bookkeeping',
    store: 'bookkeeping',
    prompt_cache_key: 'bookkeeping',
    prompt_cache_options: 'bookkeeping',
    prompt_cache_retention: 'bookkeeping',
    stream_options: 'bookkeeping',
  }),
)

/** What the client is told of, each once: everything but book-keeping. */
export function listedLosses(...names: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(names.flat())].filter((name) => classOf(name) !== 'bookkeeping')
}

/** With `routing.strict_params`: `unsupported` for the hints among the names; undefined when there is none. */
export function refusedLosses(names: readonly string[]): Failure | undefined {
  const hints = names.filter((name) => classOf(name) === 'hint')
  const [first] = hints
  if (first === undefined) return undefined
  const message = `The model cannot take ${hints.join(', ')}, and the gateway is set to refuse what it would have to leave out.`
  return failure('unsupported', message, { param: first })
}

/** A part of book-keeping (`metadata.session`) is book-keeping. */
function classOf(name: string): LossClass | undefined {
  const [group = ''] = name.split('.', 1)
  return CLASSES.get(name) ?? (CLASSES.get(group) === 'bookkeeping' ? 'bookkeeping' : undefined)
}
