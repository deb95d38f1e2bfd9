/**
 * What belongs to the Responses format beside the creating of a response: those that are kept, the estimate of a request's tokens,
 * and compaction. Kept answers are ours or those of the account that issued them; which, the id says. A key sees its own alone.
 */
import { failure, type Failure } from '../../core/failure.ts'
import type { JsonObject } from '../../core/json.ts'
import type { ScannedObject } from '../../core/json-scan.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { ClientDialect } from '../../dialects/dialect.ts'
import { openaiResponses } from '../../dialects/openai-responses/index.ts'
import { threads } from '../../dialects/openai-responses/thread.ts'
import { Cancellation } from '../cancellation.ts'
import { countTokens } from '../count-tokens.ts'
import type { GatewayDeps, GatewayKey } from '../deps.ts'
import { RESPONSES_FIELDS, type ChatEndpoint } from '../endpoint.ts'
import { checkNestingOf, type Call } from '../exchange.ts'
import { askIssuer, type Question } from './issued-responses.ts'
import { failureResponse } from '../output.ts'
import { chat } from '../pipeline.ts'
import { readJson } from '../read.ts'
import type { Issuer, KeptAnswer } from './response-store.ts'
import { authenticateCall, type GatewayRoute } from './route.ts'
import { keptAnswer, unknownAnswer } from './thread.ts'

const PREFIX = '/v1/responses/'
const ENDPOINT = 'responses'

/** Only the vendor can read what its compaction makes, so nothing is ever translated, and skills have no business in it. */
const COMPACTING: ClientDialect = {
  ...openaiResponses,
  decodeRequest: () =>
    err(
      failure('unsupported', 'Only models of a provider that speaks the Responses format can compact.', {
        param: 'model',
      }),
    ),
  appendSystem: () => ok([]),
  // What is made is no answer, and has no length that one could ask for.
  passThrough: { ...openaiResponses.passThrough, below: '/compact', capOutput: () => [] },
}
const COMPACT: ChatEndpoint = {
  name: ENDPOINT,
  dialect: COMPACTING,
  fields: { ...RESPONSES_FIELDS, injectsSkills: false },
}

/** In the order in which they are matched; `*` is the id. */
export const RESPONSES_ROUTES: readonly GatewayRoute[] = [
  route('POST', 'input_tokens', 'Estimate the tokens of a request for a response; no provider is asked', countInput),
  route('POST', 'compact', 'Compact a conversation (OpenAI Responses)', (deps, call) => chat(deps, COMPACT, call)),
  route('GET', '*', 'A response that is kept', (deps, call) => answered(deps, call, get)),
  route('DELETE', '*', 'Forget a response that is kept', (deps, call) => answered(deps, call, remove)),
  route('GET', '*/input_items', 'What a kept response had as its input', (deps, call) =>
    answered(deps, call, inputItems),
  ),
  route('POST', '*/cancel', 'Cancel a response that its provider makes in the background', (deps, call) =>
    answered(deps, call, cancel),
  ),
]

/** The routes of a path below `/v1/responses/`; none when it is no such path. */
export function responsesRoutes(path: string): readonly GatewayRoute[] {
  if (!path.startsWith(PREFIX)) return []
  const exact = RESPONSES_ROUTES.filter((candidate) => candidate.path === path)
  if (exact.length > 0) return exact
  const [id = '', ...rest] = path.slice(PREFIX.length).split('/')
  const pattern = `${PREFIX}${['*', ...rest].join('/')}`
  return id === '' ? [] : RESPONSES_ROUTES.filter((candidate) => candidate.path === pattern)
}

function route(
  method: GatewayRoute['method'],
  path: string,
  summary: string,
  handle: GatewayRoute['handle'],
): GatewayRoute {
  return { method, path: PREFIX + path, summary, dialect: openaiResponses, handle }
}

/** A kept answer and who asks about it. */
interface Asked {
  readonly deps: GatewayDeps
  readonly call: Call
  readonly key: GatewayKey
  readonly id: string
}

type Answered = Result<JsonObject | Uint8Array, Failure>

/** Counted among the requests under way, so that a drain waits for it. */
async function answered(
  deps: GatewayDeps,
  call: Call,
  answer: (asked: Asked) => Answered | Promise<Answered>,
): Promise<Response> {
  const entered = deps.live.enter(new Cancellation())
  if (!entered.ok) return failureResponse(openaiResponses, entered.error, call)
  try {
    const key = authenticateCall(deps, call, ENDPOINT)
    const id = call.path.slice(PREFIX.length).split('/')[0] ?? ''
    const found = key.ok ? await answer({ deps, call, key: key.value, id }) : key
    return found.ok ? json(call, found.value) : failureResponse(openaiResponses, found.error, call)
  } finally {
    entered.value()
    call.answered()
  }
}

function json(call: Call, body: JsonObject | Uint8Array): Response {
  const bytes = body instanceof Uint8Array ? body : JSON.stringify(body)
  const headers = { 'content-type': 'application/json', 'x-request-id': call.id, 'cache-control': 'no-store' }
  return new Response(bytes, { headers })
}

/** Asks us, or the account that issued the answer. Failure: `unknown_route` for an id that this key has never been given. */
function ask(
  asked: Asked,
  ours: (kept: KeptAnswer) => Answered,
  theirs: (issuer: Issuer) => Promise<Answered>,
): Answered | Promise<Answered> {
  const { deps, key, id } = asked
  const kept = keptAnswer(deps, key, id)
  if (kept !== undefined) return ours(kept)
  const issuer = deps.memory.issued.find(key.id, id, deps.clock.monotonicMs())
  return issuer === undefined ? err(unknownAnswer(id)) : theirs(issuer)
}

function forward({ deps, call, id }: Asked, issuer: Issuer, question: Question): Promise<Answered> {
  return askIssuer(deps, call, issuer, { ...question, path: `${encodeURIComponent(id)}${question.path}` })
}

function get(asked: Asked): Answered | Promise<Answered> {
  if (new URLSearchParams(asked.call.search).get('stream') === 'true')
    return err(
      failure('unsupported', 'stream: a kept response is answered whole, not as a stream.', { param: 'stream' }),
    )
  return ask(
    asked,
    ({ answer }) => ok(answer),
    (issuer) => forward(asked, issuer, { method: 'GET', path: '' }),
  )
}

function remove(asked: Asked): Answered | Promise<Answered> {
  const { deps, key, id } = asked
  return ask(
    asked,
    () => {
      deps.memory.responses.remove(key.id, id)
      return ok({ id, object: 'response', deleted: true })
    },
    async (issuer) => {
      const removed = await forward(asked, issuer, { method: 'DELETE', path: '' })
      if (removed.ok) deps.memory.issued.remove(key.id, id)
      return removed
    },
  )
}

function cancel(asked: Asked): Answered | Promise<Answered> {
  return ask(
    asked,
    () => err(failure('unsupported', 'Only a response that is made in the background can be cancelled.')),
    (issuer) => forward(asked, issuer, { method: 'POST', path: '/cancel' }),
  )
}

const ITEMS_DEFAULT = 20
const ITEMS_MAX = 100

// https://platform.openai.com/docs/api-reference/responses/input-items (read 2026-11-21)
function inputItems(asked: Asked): Answered | Promise<Answered> {
  return ask(
    asked,
    ({ input }) => page(input, new URLSearchParams(asked.call.search)),
    (issuer) => forward(asked, issuer, { method: 'GET', path: '/input_items' }),
  )
}

function page(input: readonly JsonObject[], query: URLSearchParams): Answered {
  const limit = Number(query.get('limit') ?? ITEMS_DEFAULT)
  if (!Number.isInteger(limit) || limit < 1 || limit > ITEMS_MAX)
    return err(failure('malformed', `limit: must be an integer from 1 to ${ITEMS_MAX}.`, { param: 'limit' }))
  const ordered = query.get('order') === 'asc' ? input : input.toReversed()
  const after = query.get('after')
  const start = after === null ? 0 : ordered.findIndex(({ id }) => id === after) + 1
  if (after !== null && start === 0)
    return err(failure('malformed', 'after: names no item of this response.', { param: 'after' }))
  const data = ordered.slice(start, start + limit)
  const ends = { first_id: data[0]?.['id'] ?? null, last_id: data.at(-1)?.['id'] ?? null }
  return ok({ object: 'list', data, ...ends, has_more: start + limit < ordered.length })
}

/** Local and free. A conversation that a provider keeps is not known here, so the request alone is counted then. */
function countInput(deps: GatewayDeps, call: Call): Promise<Response> {
  return answered(deps, call, async ({ key }) => {
    const body = await readJson(call.request, deps.settings().bodyBytesMax)
    call.bodyRead()
    if (!body.ok) return body
    const nesting = checkNestingOf(body.value.bytes)
    if (!nesting.ok) return nesting
    const before = tokensBefore(deps, key, body.value)
    return before.ok ? ok(inputTokens(countTokens(body.value) + before.value)) : before
  })
}

function tokensBefore(deps: GatewayDeps, key: GatewayKey, body: ScannedObject): Result<number, Failure> {
  const id = threads.previousId(body)
  if (!id.ok) return id
  return ok((id.value === undefined ? undefined : keptAnswer(deps, key, id.value))?.tokens ?? 0)
}

function inputTokens(tokens: number): JsonObject {
  return { object: 'response.input_tokens', input_tokens: tokens }
}
