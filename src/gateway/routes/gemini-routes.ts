/**
 * Gemini's API, for clients that speak nothing else: chats, a local estimate of tokens, and the models in the shape that Google's
 * libraries list. https://ai.google.dev/api/models (read 2026-11-21)
 */
import { failure, type Failure } from '../../core/failure.ts'
import type { JsonObject } from '../../core/json.ts'
import { memberOf, scanObjectAt, type ScannedObject } from '../../core/json-scan.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { gemini, geminiArray } from '../../dialects/gemini/index.ts'
import { aboutModel } from './about-model.ts'
import { Cancellation } from '../cancellation.ts'
import { countTokens } from '../count-tokens.ts'
import type { GatewayDeps, GatewayKey } from '../deps.ts'
import { GEMINI_FIELDS, type ChatEndpoint } from '../endpoint.ts'
import { checkNestingOf, type Call } from '../exchange.ts'
import { geminiAddress, modelIdOf, type GeminiMethod } from './gemini-path.ts'
import { modelsFor } from './models.ts'
import { failureResponse } from '../output.ts'
import { chat } from '../pipeline.ts'
import { readJson } from '../read.ts'
import { authenticateCall, jsonResponse, type GatewayRoute, type Handler } from './route.ts'

/** The word in `endpoints_allow`. */
const WORD = 'gemini'
const EVENTS: ChatEndpoint = { name: WORD, dialect: gemini, fields: GEMINI_FIELDS }
const ARRAY: ChatEndpoint = { ...EVENTS, dialect: geminiArray }

const BETA = '/v1beta/'
const MODELS = `${BETA}models`

export const GEMINI_ROUTES: readonly GatewayRoute[] = [
  ...['/v1beta/models/*', '/v1/models/*'].flatMap((prefix) => [
    route('POST', `${prefix}:generateContent`, 'Generate content (Gemini)', generate),
    route('POST', `${prefix}:streamGenerateContent`, 'Generate content as a stream (Gemini)', generate),
    route('POST', `${prefix}:countTokens`, 'Estimate the tokens of a request (Gemini); no provider is asked', count),
  ]),
  route('GET', MODELS, 'List the models that the calling key may use (Gemini)', (deps, call) =>
    geminiModels(deps, call, WORD),
  ),
  route('GET', `${MODELS}/*`, 'One model by its id, slashes raw or encoded (Gemini)', (deps, call) =>
    geminiModel(deps, call, WORD, call.path.slice(MODELS.length + 1)),
  ),
]

/** Methods of the vendor that are none of ours. A model's own name may well hold a colon. */
const NOT_SERVED = /:(?:async|batch|embed|predict)[A-Za-z]*$/

/** The rows of a path; none when it is not Gemini's. */
export function geminiRoutes(path: string): readonly GatewayRoute[] {
  const address = geminiAddress(path)
  if (address !== undefined) return rowsOf(`${path.startsWith(BETA) ? MODELS : '/v1/models'}/*:${address.method}`)
  if (NOT_SERVED.test(path)) return []
  return path.startsWith(`${MODELS}/`) ? rowsOf(`${MODELS}/*`) : rowsOf(path)
}

function rowsOf(pattern: string): readonly GatewayRoute[] {
  return GEMINI_ROUTES.filter(({ path }) => path === pattern)
}

function route(method: 'GET' | 'POST', path: string, summary: string, handle: Handler): GatewayRoute {
  return { method, path, summary, dialect: gemini, handle }
}

function generate(deps: GatewayDeps, call: Call): Promise<Response> {
  const { model, method } = addressOf(call)
  const stream = method === 'streamGenerateContent'
  const isEvents = !stream || new URLSearchParams(call.search).get('alt') === 'sse'
  return chat(deps, isEvents ? EVENTS : ARRAY, call, { model, stream })
}

function addressOf({ path }: Call): { readonly model: string; readonly method: GeminiMethod | undefined } {
  return geminiAddress(path) ?? { model: '', method: undefined }
}

/** Counted among the requests under way: its body takes as much memory as that of any other, and a drain waits for it. */
async function count(deps: GatewayDeps, call: Call): Promise<Response> {
  const entered = deps.live.enter(new Cancellation())
  if (!entered.ok) return failureResponse(gemini, entered.error, call)
  try {
    const key = authenticateCall(deps, call, WORD)
    const body = key.ok ? await readJson(call.request, deps.settings().bodyBytesMax) : key
    call.bodyRead()
    const prompt = body.ok ? promptOf(body.value) : body
    if (!prompt.ok) return failureResponse(gemini, prompt.error, call)
    return jsonResponse(call, { totalTokens: countTokens(prompt.value) })
  } finally {
    entered.value()
    call.answered()
  }
}

const PROMPT: ReadonlySet<string> = new Set(['contents', 'systemInstruction', 'system_instruction', 'tools'])

/** What a model would read, of the request itself or of the one that it holds. Failure: `malformed`. */
function promptOf(body: ScannedObject): Result<ScannedObject, Failure> {
  const nesting = checkNestingOf(body.bytes)
  if (!nesting.ok) return nesting
  const held = memberOf(body, 'generateContentRequest') ?? memberOf(body, 'generate_content_request')
  const inner = held === undefined ? ok(body) : scanObjectAt(body.bytes, held.valueStart)
  if (!inner.ok) return inner
  const members = inner.value.members.filter(({ name }) => PROMPT.has(name))
  if (members.some(({ name }) => name === 'contents')) return ok({ ...inner.value, members })
  return err(failure('malformed', '"contents" is required.', { param: 'contents' }))
}

/** Whether a request for models comes from one of Google's libraries, which ask the path of all others, too. */
export function isGoogleClient({ request: { headers } }: Call): boolean {
  return headers.has('x-goog-api-key') || headers.has('x-goog-api-client')
}

/** `word` is the one of `endpoints_allow` that the path belongs to. */
export function geminiModels(deps: GatewayDeps, call: Call, word: string): Promise<Response> {
  return answered(deps, call, word, (key) => listModels(deps, key, new URLSearchParams(call.search)))
}

/** `encoded` is the id as it stands in the path. */
export function geminiModel(deps: GatewayDeps, call: Call, word: string, encoded: string): Promise<Response> {
  return answered(deps, call, word, (key) => getModel(deps, key, modelIdOf(encoded)))
}

async function answered(
  deps: GatewayDeps,
  call: Call,
  word: string,
  answer: (key: GatewayKey) => Result<JsonObject, Failure>,
): Promise<Response> {
  const key = authenticateCall(deps, call, word)
  const found = key.ok ? answer(key.value) : key
  return found.ok ? jsonResponse(call, found.value) : failureResponse(gemini, found.error, call)
}

const PAGE_SIZE_DEFAULT = 50
const PAGE_SIZE_MAX = 1_000

/** Pages by `pageSize` (1–1000, larger counts as that) and `pageToken`, the id of the last model seen. Failure: `malformed`. */
function listModels(deps: GatewayDeps, key: GatewayKey, query: URLSearchParams): Result<JsonObject, Failure> {
  const size = Number(query.get('pageSize') ?? query.get('page_size') ?? PAGE_SIZE_DEFAULT)
  if (!Number.isInteger(size) || size < 0)
    return err(failure('malformed', 'pageSize: must be an integer of at least 0.', { param: 'pageSize' }))
  const all = modelsFor(deps, key)
  const token = query.get('pageToken') ?? query.get('page_token')
  const from = token === null || token === '' ? 0 : all.indexOf(token) + 1
  if (token !== null && token !== '' && from === 0)
    return err(failure('malformed', 'pageToken: is not one of this list.', { param: 'pageToken' }))
  const page = all.slice(from, from + Math.min(size === 0 ? PAGE_SIZE_DEFAULT : size, PAGE_SIZE_MAX))
  const last = page.at(-1)
  const more = last !== undefined && from + page.length < all.length ? { nextPageToken: last } : {}
  return ok({ models: page.map((id) => modelObject(deps, id)), ...more })
}

/** Failure: `unknown_model`, also for one that the key may not use. */
function getModel(deps: GatewayDeps, key: GatewayKey, id: string): Result<JsonObject, Failure> {
  if (modelsFor(deps, key).includes(id)) return ok(modelObject(deps, id))
  return err(failure('unknown_model', `There is no model "${id.slice(0, 200)}" here.`, { param: 'model' }))
}

function modelObject(deps: GatewayDeps, id: string): JsonObject {
  const { name, contextTokens, maxOutputTokens } = aboutModel(deps, id)
  return {
    name: `models/${id}`,
    baseModelId: id,
    version: '',
    displayName: name,
    description: '',
    ...known('inputTokenLimit', contextTokens),
    ...known('outputTokenLimit', maxOutputTokens),
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  }
}

function known(name: string, value: number | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value }
}
