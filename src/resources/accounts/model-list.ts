/**
 * The list of models that a provider gives an account, page by page, in the form of the dialect that it speaks first. Facts
 * beside the ids are taken where they are plain; the rest is nobody's promise.
 */
import type { ModelSpec, ProviderEndpoint } from '../../catalog/provider.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { asNumber, asString, type JsonObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { UpstreamDialect } from '../../dialects/dialect.ts'
import { listFormOf, type Listed } from './model-list-form.ts'
import { inOurWords, isSuccess, textOf, type Ask, type ProbeReply, type Question } from './probe-ask.ts'

export interface ModelPage {
  readonly models: readonly ModelSpec[]
  /** The query that asks for the next page; absent on the last one. */
  readonly next?: string
}

const MODELS_MAX = 5_000
const PAGES_MAX = 20
const NAME_MAX = 200
const TOKENS_MAX = 100_000_000

/** What to ask for the first page. */
export function firstPage({ dialect, paths }: ProviderEndpoint): Question {
  const { path, search } = listFormOf(dialect)
  return { path: paths?.models ?? path, search }
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
    if (page.value.next === undefined) break
    question = { ...question, search: page.value.next }
  }
  return ok(models)
}

const UNREADABLE = 'The list of models is not in the format of this provider.'

/** One page. Failures as above. */
export function readPage({ status, headers, body }: ProbeReply, dialect: UpstreamDialect): Result<ModelPage, Failure> {
  const text = textOf(body)
  if (!isSuccess(status)) return err(inOurWords(dialect.decodeFailure(status, headers, text), status))
  const listed = listFormOf(dialect.id).read(parse(text))
  if (listed === undefined) return err(failure('server', UNREADABLE))
  const models = listed.models.slice(0, MODELS_MAX).flatMap(modelOf)
  return ok(listed.next === undefined || models.length === 0 ? { models } : { models, next: listed.next })
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
// https://docs.newapi.pro/zh/docs/api/ai-model/models/list/list-models-gemini (read 2026-11-21)
const NAME_FIELDS = ['display_name', 'displayName', 'name']
const CONTEXT_FIELDS = [
  'max_input_tokens',
  'context_length',
  'context_window',
  'max_context_length',
  'max_model_len',
  'inputTokenLimit',
]
const OUTPUT_FIELDS = ['max_output_tokens', 'max_completion_tokens', 'max_tokens', 'outputTokenLimit']

function modelOf({ id, wire }: Listed): readonly ModelSpec[] {
  if (!/^[\x21-\x7e]{1,200}$/.test(id)) return []
  const name = NAME_FIELDS.map((field) => asString(wire[field])).find((text) => text !== undefined)
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
