/**
 * The inference surface: which path is which endpoint, and what clients' probes and neighbours that we do not have are told.
 * Nothing here reads a body; a request that matches no row is not ours.
 */
import type { ScannedObject } from '../../core/json-scan.ts'
import { failure, type Failure } from '../../core/failure.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Result } from '../../core/result.ts'
import { anthropicMessages } from '../../dialects/anthropic-messages/index.ts'
import type { ClientDialect } from '../../dialects/dialect.ts'
import { gemini } from '../../dialects/gemini/index.ts'
import { ollama } from '../../dialects/ollama/index.ts'
import { openaiChat } from '../../dialects/openai-chat/index.ts'
import { openaiCompletions } from '../../dialects/openai-completions/index.ts'
import { openaiResponses } from '../../dialects/openai-responses/index.ts'
import { Cancellation } from '../cancellation.ts'
import { countTokens } from '../count-tokens.ts'
import type { GatewayDeps, GatewayKey } from '../deps.ts'
import { CHAT_FIELDS, COMPLETIONS_FIELDS, MESSAGES_FIELDS, RESPONSES_FIELDS, type ChatEndpoint } from '../endpoint.ts'
import { checkNestingOf, type Call } from '../exchange.ts'
import { isGeminiPath, modelIdOf } from './gemini-path.ts'
import { GEMINI_ROUTES, geminiModel, geminiModels, geminiRoutes, isGoogleClient } from './gemini-routes.ts'
import { getModel, listModels } from './models.ts'
import { failureResponse } from '../output.ts'
import { OLLAMA_ROUTES } from './ollama-routes.ts'
import { readJson } from '../read.ts'
import { RESPONSES_ROUTES, responsesRoutes } from './responses-routes.ts'
import { authenticateCall, chatRoute, jsonResponse, type GatewayRoute } from './route.ts'

const MESSAGES: ChatEndpoint = { name: 'messages', dialect: anthropicMessages, fields: MESSAGES_FIELDS }
const CHAT: ChatEndpoint = { name: 'chat', dialect: openaiChat, fields: CHAT_FIELDS }
const COMPLETIONS: ChatEndpoint = { name: 'chat', dialect: openaiCompletions, fields: COMPLETIONS_FIELDS }
const RESPONSES: ChatEndpoint = { name: 'responses', dialect: openaiResponses, fields: RESPONSES_FIELDS }

export const GATEWAY_ROUTES: readonly GatewayRoute[] = [
  chatRoute('/v1/messages', 'Create a message (Anthropic Messages)', MESSAGES),
  chatRoute('/v1/chat/completions', 'Create a chat completion (OpenAI Chat Completions)', CHAT),
  chatRoute('/v1/responses', 'Create a response (OpenAI Responses)', RESPONSES),
  ...RESPONSES_ROUTES,
  chatRoute('/v1/completions', 'Create a completion of a text (OpenAI, legacy)', COMPLETIONS),
  {
    method: 'POST',
    path: '/v1/messages/count_tokens',
    summary: 'Estimate the tokens of a message request; no provider is asked',
    dialect: anthropicMessages,
    handle: count,
  },
  {
    method: 'GET',
    path: '/v1/models',
    summary: 'List the models that the calling key may use',
    dialect: openaiChat,
    handle: (deps, call) =>
      isGoogleClient(call)
        ? geminiModels(deps, call, 'models')
        : withKey(deps, call, (key) => listModels(deps, key, new URLSearchParams(call.search))),
  },
  {
    method: 'GET',
    path: '/v1/models/*',
    summary: 'One model by its id, slashes raw or encoded',
    dialect: openaiChat,
    handle: (deps, call) => {
      const id = call.path.slice(MODELS_PREFIX.length)
      if (isGoogleClient(call)) return geminiModel(deps, call, 'models', id)
      return withKey(deps, call, (key) => getModel(deps, key, modelIdOf(id)))
    },
  },
  ...GEMINI_ROUTES,
  ...OLLAMA_ROUTES,
]

const MODELS_PREFIX = '/v1/models/'
/** No model: a path of the dashboard. */
const ALIASES = '/v1/models/alias'
const EXACT: ReadonlyMap<string, GatewayRoute> = new Map(GATEWAY_ROUTES.map((route) => [route.path, route]))
const ONE_MODEL = GATEWAY_ROUTES.filter(({ path }) => path === '/v1/models/*')

/** Paths of the vendors' APIs that this gateway does not serve, with the dialect in which it says so. */
const NEIGHBOURS: readonly (readonly [string, ClientDialect])[] = [
  ['/v1/messages/', anthropicMessages],
  ['/v1/organizations', anthropicMessages],
  ['/v1/complete', anthropicMessages],
  ['/v1/batches', openaiChat],
  ['/v1/files', openaiChat],
  ['/v1/uploads', openaiChat],
  ['/v1/realtime', openaiChat],
  ['/v1/threads', openaiChat],
  ['/v1/assistants', openaiChat],
  ['/v1/vector_stores', openaiChat],
  ['/v1/fine_tuning', openaiChat],
  ['/v1/moderations', openaiChat],
  ['/v1/containers', openaiChat],
  ['/v1/conversations', openaiChat],
  ['/v1/evals', openaiChat],
  ['/v1/videos', openaiChat],
  ['/v1/responses/', openaiResponses],
  ['/v1/chat/', openaiChat],
  ['/v1/completions', openaiChat],
  ['/v1/embeddings', openaiChat],
  ['/v1/images/', openaiChat],
  ['/v1/audio/', openaiChat],
  ['/v1/search', openaiChat],
  ['/v1/web/fetch', openaiChat],
  ['/v1beta', gemini],
  ['/api/', ollama],
]

/** The dialect in which a path of the inference surface answers; undefined when the path is not ours. */
export function dialectOfPath(path: string): ClientDialect | undefined {
  if (isGeminiPath(path)) return gemini
  if (path.startsWith(MODELS_PREFIX)) return openaiChat
  return EXACT.get(path)?.dialect ?? neighbour(path)
}

/** Answers a request of the inference surface; undefined when the path is not ours. */
export function handleGateway(deps: GatewayDeps, call: Call): Promise<Response> | Response | undefined {
  const { path } = call
  const { method } = call.request
  if (isProbe(path) && (method === 'HEAD' || (method === 'GET' && path !== '/'))) return probed(call)
  const [first, ...others] = routesOf(path)
  if (first === undefined) return refuseNeighbour(call, path)
  const route = [first, ...others].find((one) => method === one.method || (method === 'HEAD' && one.method === 'GET'))
  return route === undefined ? wrongMethod(call, first, others) : route.handle(deps, call)
}

/** The rows of a path, one for each method. */
function routesOf(path: string): readonly GatewayRoute[] {
  const exact = EXACT.get(path)
  if (exact !== undefined) return [exact]
  if (path === ALIASES) return []
  if (isGeminiPath(path)) return geminiRoutes(path)
  return path.startsWith(MODELS_PREFIX) ? ONE_MODEL : responsesRoutes(path)
}

/** Counted among the requests under way: its body takes as much memory as that of any other, and a drain waits for it. */
async function count(deps: GatewayDeps, call: Call): Promise<Response> {
  const entered = deps.live.enter(new Cancellation())
  if (!entered.ok) return failureResponse(anthropicMessages, entered.error, call)
  try {
    return await counted(deps, call)
  } finally {
    entered.value()
  }
}

/** Local and free: neither a limit nor a provider is involved, but the key has to be one of ours. */
async function counted(deps: GatewayDeps, call: Call): Promise<Response> {
  const key = authenticateCall(deps, call, 'count_tokens')
  if (!key.ok) return failureResponse(anthropicMessages, key.error, call)
  const body = await readJson(call.request, deps.settings().bodyBytesMax)
  const checked = body.ok ? checkCountable(body.value) : body
  if (!checked.ok) return failureResponse(anthropicMessages, checked.error, call)
  return jsonResponse(call, { input_tokens: countTokens(checked.value) })
}

function checkCountable(body: ScannedObject): Result<ScannedObject, Failure> {
  const nesting = checkNestingOf(body.bytes)
  if (!nesting.ok) return nesting
  const missing = ['model', 'messages'].find((name) => !body.members.some((member) => member.name === name))
  if (missing === undefined) return { ok: true, value: body }
  return { ok: false, error: failure('malformed', `"${missing}" is required.`, { param: missing }) }
}

/** Answers in the dialect that the caller's key header suggests: Anthropic's clients send a version with every call. */
async function withKey(
  deps: GatewayDeps,
  call: Call,
  answer: (key: GatewayKey) => Result<JsonObject, Failure>,
): Promise<Response> {
  const dialect = call.request.headers.has('anthropic-version') ? anthropicMessages : openaiChat
  const key = authenticateCall(deps, call, 'models')
  if (!key.ok) return failureResponse(dialect, key.error, call)
  const answered = answer(key.value)
  return answered.ok ? jsonResponse(call, answered.value) : failureResponse(dialect, answered.error, call)
}

/** Claude Code asks these before it starts. */
function isProbe(path: string): boolean {
  return path === '/' || path === '/api/hello'
}

function probed(call: Call): Response {
  return new Response(null, { status: 200, headers: { 'x-request-id': call.id } })
}

function neighbour(path: string): ClientDialect | undefined {
  return NEIGHBOURS.find(
    ([prefix]) => path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`),
  )?.[1]
}

function refuseNeighbour(call: Call, path: string): Response | undefined {
  const dialect = neighbour(path)
  if (dialect === undefined) return undefined
  return failureResponse(dialect, failure('unknown_route', `This gateway does not serve ${path}.`), call)
}

function wrongMethod(call: Call, route: GatewayRoute, others: readonly GatewayRoute[]): Response {
  const methods = [route, ...others].map(({ method }) => method)
  const cause = failure('unknown_route', `${route.path} takes ${methods.join(' and ')}, not ${call.request.method}.`)
  const { headers, body } = route.dialect.encodeFailure(cause, call.id)
  const response = new Response(body, { status: 405, headers: { 'content-type': 'application/json' } })
  for (const [name, value] of headers) response.headers.set(name, value)
  response.headers.set('allow', methods.join(', '))
  response.headers.set('x-request-id', call.id)
  return response
}
