/**
 * The list of models that a provider gives an account: `GET {base}/models`, page by page, as OpenAI's and Anthropic's clients
 * read it. Facts beside the ids are taken where they are plain; the rest is nobody's promise.
 */
import type { DialectId } from '../../catalog/dialect-id.ts'
import type { ModelSpec, ProviderEndpoint } from '../../catalog/provider.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { asNumber, asString, isObject, type JsonObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { UpstreamDialect } from '../../dialects/dialect.ts'
import { inOurWords, isSuccess, textOf, type Ask, type ProbeReply, type Question } from './probe-ask.ts'

export interface ModelPage {
  readonly models: readonly ModelSpec[]
  /** Where the next page begins; absent on the last one. */
  readonly after?: string
}

const MODELS_MAX = 5_000
const PAGES_MAX = 20
const NAME_MAX = 200
const TOKENS_MAX = 100_000_000

/**
 * Asks for the largest page where there are pages: 20 is the default.
 * https://docs.anthropic.com/en/api/models-list (read 2026-11-21)
 */
const PAGED: ReadonlySet<DialectId> = new Set(['anthropic-messages'])
const LARGEST_PAGE = '?limit=1000'

/** What to ask for the first page. */
export function firstPage({ dialect, paths }: ProviderEndpoint): Question {
  return { path: paths?.models ?? '/models', search: PAGED.has(dialect) ? LARGEST_PAGE : '' }
}

/** The whole list, each model once, at most 5,000 from 20 pages. Failures: of a call, in our words; `server` for no list. */
export async function listModels(
  ask: Ask,
  endpoint: ProviderEndpoint,
  dialect: UpstreamDialect,
): Promise<Result<ReadonlyMap<string, ModelSpec>, Failure>> {
  const models = new Map<string, ModelSpec>()
  let question = firstPage(endpoint)
  for (let pages = 0; pages < PAGES_MAX && models.size < MODELS_MAX; pages++) {
    const reply = await ask(question)
    const page = reply.ok ? readPage(reply.value, dialect) : reply
    if (!page.ok) return page
    for (const model of page.value.models.slice(0, MODELS_MAX - models.size)) models.set(model.id, model)
    if (page.value.after === undefined) break
    question = { ...question, search: `${LARGEST_PAGE}&after_id=${encodeURIComponent(page.value.after)}` }
  }
  return ok(models)
}

const UNREADABLE = 'The list of models is not in the format of this provider.'

/** One page. Failures as above. */
export function readPage({ status, headers, body }: ProbeReply, dialect: UpstreamDialect): Result<ModelPage, Failure> {
  const text = textOf(body)
  if (!isSuccess(status)) return err(inOurWords(dialect.decodeFailure(status, headers, text), status))
  const parsed = parse(text)
  const data = isObject(parsed) ? parsed['data'] : undefined
  if (!isObject(parsed) || !Array.isArray(data)) return err(failure('server', UNREADABLE))
  const models = data.slice(0, MODELS_MAX).flatMap(modelOf)
  const last = parsed['has_more'] === true ? asString(parsed['last_id']) : undefined
  return ok(last === undefined || models.length === 0 ? { models } : { models, after: last })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // no list, which the caller says
  }
}

// `@anthropic-ai/sdk` 1.11.0: `display_name`, `max_input_tokens`, `max_tokens` (read 2026-11-21)
// https://openrouter.ai/docs/client-sdks/typescript/models/topproviderinfo.md (read 2026-11-21)
// https://github.com/vllm-project/vllm, `ModelCard`: `max_model_len` (read 2026-11-21)
const CONTEXT_FIELDS = ['max_input_tokens', 'context_length', 'context_window', 'max_context_length', 'max_model_len']
const OUTPUT_FIELDS = ['max_output_tokens', 'max_completion_tokens', 'max_tokens']

function modelOf(wire: unknown): readonly ModelSpec[] {
  if (!isObject(wire)) return []
  const id = asString(wire['id'])
  if (id === undefined || !/^[\x21-\x7e]{1,200}$/.test(id)) return []
  const name = asString(wire['display_name']) ?? asString(wire['name'])
  const context = firstCount(wire, CONTEXT_FIELDS)
  const output = firstCount(wire, OUTPUT_FIELDS)
  const model = {
    id,
    ...(name === undefined || name === '' ? {} : { name: name.slice(0, NAME_MAX) }),
    ...(context === undefined ? {} : { contextTokens: context }),
    ...(output === undefined ? {} : { maxOutputTokens: output }),
  }
  return [model]
}

function firstCount(wire: JsonObject, fields: readonly string[]): number | undefined {
  return fields.map((field) => asNumber(wire[field])).find(isCount)
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value > 0 && value <= TOKENS_MAX
}
