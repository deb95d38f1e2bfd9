/** One client request under way: what its steps have found out so far and how it can be ended. */
import { applySplices, checkNesting, textOf, type Splice } from '../core/json-scan.ts'
import { failure, type Failure } from '../core/failure.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { err, ok, type Result } from '../core/result.ts'
import type { ChatRequest } from '../dialects/neutral.ts'
import type { Choosing, Considered } from '../routing/candidates.ts'
import type { Route } from '../routing/route.ts'
import type { Allowance } from './allowance.ts'
import type { Begun } from './streaming/begun.ts'
import type { Cancellation } from './cancellation.ts'
import type { GatewayAccount, GatewayDeps, GatewayKey, Waiter } from './deps.ts'
import type { ChatEndpoint } from './endpoint.ts'
import type { NamedRequest } from '../ledger/named-requests.ts'
import type { InlineMedia } from './inline-media/inline-media.ts'
import type { Meter } from './meter/meter.ts'
import type { ReadBody } from './read.ts'
import type { Wants } from './spend/spend.ts'
import type { Thread } from './routes/thread.ts'

/** A request as the server hands it over. */
export interface Call {
  readonly id: string
  readonly request: Request
  /** Raw, nothing decoded. */
  readonly path: string
  /** With its `?`; empty when there is none. */
  readonly search: string
  /** The client's address after trusted proxies; null when it cannot be known. */
  readonly address: string | null
  /** When it came, by the wall clock and by the monotonic one. */
  readonly atMs: number
  readonly startedMs: number
  /** The wall clock. */
  readonly nowMs: () => number
  /** The body is read: from here on our own timers bound the request, not the server's for slow uploads. */
  readonly bodyRead: () => void
  /** The answer is over: the server's timer holds again, for a connection that is only kept open. */
  readonly answered: () => void
}

export const BODY_DEPTH_MAX = 128
export const BODY_NODES_MAX = 200_000

/** What a model's name comes to. */
export interface Choice {
  /** What the name meant. */
  readonly route: Route
  readonly choosing: Choosing<GatewayAccount>
  /** The choice as it is now, best first; made as it is read, so each is read once. */
  readonly candidates: () => Iterable<Considered<GatewayAccount>>
}

export interface Exchange extends Choice {
  readonly deps: GatewayDeps
  readonly endpoint: ChatEndpoint
  readonly call: Call
  readonly key: GatewayKey
  readonly body: ReadBody
  /** Undefined when its client gave it no name. */
  readonly named: NamedRequest | undefined
  readonly injected: readonly Splice[]
  /** The same request, asked for another name. Failures: those of choosing a model. */
  readonly choose: (name: string) => Result<Choice, Failure>
  /** Budgets of this action have done what they do, and refuse it no more. */
  readonly waives?: 'downgrade'
  /** Its place in the line for what others have reserved; left before it is sent. */
  readonly spendWaiter?: Waiter
  readonly meter: Meter
  readonly cancellation: Cancellation
  readonly allowance: Allowance
  readonly wants: () => Wants
  /** No answer may be longer, in tokens; null: as the request says. */
  readonly outputTokensMax: number | null
  /** Undefined for dialects whose clients always send the whole conversation. */
  readonly thread: Thread | undefined
  /** The client's request in neutral form, decoded once when a translation asks for it. */
  readonly decoded: () => Result<ChatRequest, Failure>
  /** What targets are asked, where it has to be written anew for them: the client's request, unless the gateway asks on its behalf. */
  readonly toSend: () => Result<ChatRequest, Failure>
  /** `neutral`: the answer is for the gateway itself, which then decides what becomes of it. */
  readonly answerForm: 'client' | 'neutral'
  /** The answer that was cut and is to be gone on with. */
  readonly begun?: Begun
  /** What is fetched for this request, once for all its attempts; made when the first one needs it. */
  readonly inlineMedia: () => InlineMedia
}

/** The same request, counted as that much longer: by accounts' limits, and where a context may be too short. */
export function withMoreInput(exchange: Exchange, tokens: number): Exchange {
  const { body, choosing } = exchange
  const { view } = choosing
  const inputTokensEstimate = body.facts.inputTokensEstimate + tokens
  return {
    ...exchange,
    body: { ...body, facts: { ...body.facts, inputTokensEstimate } },
    choosing: { ...choosing, view: { ...view, inputTokens: inputTokensEstimate } },
  }
}

/** Decodes the body with the skills in it, and with the conversation that it goes on from. Failures: `malformed`, `unsupported`. */
export function decodeBody(
  endpoint: ChatEndpoint,
  body: ReadBody,
  injected: readonly Splice[],
  thread: Thread | undefined,
  headers: Headers,
): Result<ChatRequest, Failure> {
  const parsed = parseBody(applySplices(body.scanned.bytes, injected))
  if (!parsed.ok) return parsed
  if (thread?.needsOurs !== true) return asAsked(endpoint.dialect.decodeRequest(parsed.value, headers), body)
  const before = thread.from?.kind === 'kept' ? thread.from : undefined
  const whole = thread.threads.whole(parsed.value, before?.items ?? [], thread.find)
  const request = endpoint.dialect.decodeRequest(whole, headers)
  return request.ok && before !== undefined ? ok({ ...request.value, previousAnswerId: before.id }) : request
}

/** Some formats say in the path what others say in the body. */
function asAsked(request: Result<ChatRequest, Failure>, { model, stream }: ReadBody): Result<ChatRequest, Failure> {
  return request.ok ? ok({ ...request.value, model, stream }) : request
}

/** Refuses what would make parsing or walking expensive. Failure: `malformed`. */
export function checkNestingOf(bytes: Uint8Array): Result<undefined, Failure> {
  return checkNesting(bytes, BODY_DEPTH_MAX, BODY_NODES_MAX)
}

/** Parses bytes whose nesting is checked first. Failure: `malformed`. */
export function parseBody(bytes: Uint8Array): Result<JsonObject, Failure> {
  const nesting = checkNestingOf(bytes)
  if (!nesting.ok) return nesting
  const value = parse(bytes)
  return isObject(value) ? ok(value) : err(failure('malformed', 'The request body is not valid JSON.'))
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(bytes, 0, bytes.length))
  } catch {
    return undefined // the caller answers `malformed`
  }
}
