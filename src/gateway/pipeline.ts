/**
 * One chat request from start to finish: authenticate, read, admit, inject, attempt, output. Each step is a file beside this one
 * and each may end the request with a Failure, which is answered in the client's own envelope and written down.
 */
import type { Failure } from '../core/failure.ts'
import { err, ok, type Result } from '../core/result.ts'
import { once } from '../core/once.ts'
import { candidatesOf } from '../routing/choose.ts'
import type { RequestView } from '../routing/request-view.ts'
import type { Route } from '../routing/route.ts'
import { admit, admitSize } from './admit.ts'
import { Allowance } from './allowance.ts'
import { answerOf } from './answer.ts'
import { keyOf } from './authenticate.ts'
import { Cancellation, clientLeft } from './cancellation.ts'
import { askedBy, chooseModel, choosingOf } from './choose-model.ts'
import { userTagOf } from './client-names.ts'
import { withContentKept } from './copies/content.ts'
import type { GatewayDeps, GatewayKey } from './deps.ts'
import type { Addressed, ChatEndpoint } from './endpoint.ts'
import { decodeBody, type Call, type Choice, type Exchange } from './exchange.ts'
import type { NamedRequest } from '../ledger/named-requests.ts'
import { inject, type InjectableSkill, skillsFor } from './inject.ts'
import { InlineMedia } from './inline-media/inline-media.ts'
import { tellLimits } from './limits/limit-headers.ts'
import { Meter } from './meter/meter.ts'
import { failureResponse, respond } from './output.ts'
import { pausedBy } from './paused.ts'
import { readChat, type ReadBody } from './read.ts'
import { withRemembered } from './translate/remember.ts'
import { keptUnder, namedIn, replayed } from './copies/repeatable.ts'
import { budgetLeftPct, viewOf } from './request-view.ts'
import { wantsOf } from './spend/spend.ts'
import { candidatesOn, onlyKeeper, type Thread, threadOf, withConversation } from './routes/thread.ts'
import { withinLimits } from './limits/within-limits.ts'

/** With a tick of the deadlines, the provider is let go well within 250 ms of the client's leaving. */
const FOLLOW_AFTER_MS = 50

/** `addressed`: for endpoints whose path says which model is asked and whether for a stream. */
export async function chat(
  deps: GatewayDeps,
  endpoint: ChatEndpoint,
  call: Call,
  addressed?: Addressed,
): Promise<Response> {
  const cancellation = new Cancellation()
  const entered = deps.live.enter(cancellation)
  if (!entered.ok) return failureResponse(endpoint.dialect, entered.error, call)
  const leave = (): void => {
    entered.value()
    call.answered()
  }
  try {
    return await admitted(deps, endpoint, call, addressed, cancellation, leave)
  } catch (bug) {
    leave() // whatever went wrong, the request is no longer under way
    throw bug
  }
}

async function admitted(
  deps: GatewayDeps,
  endpoint: ChatEndpoint,
  call: Call,
  addressed: Addressed | undefined,
  cancellation: Cancellation,
  leave: () => void,
): Promise<Response> {
  const refuse = (cause: Failure): Response => failureResponse(endpoint.dialect, cause, call)
  const key = keyOf(deps, call)
  if (!key.ok) return leaveWith(leave, refuse(key.error))
  const body = await readChat(call.request, endpoint.fields, deps.settings().bodyBytesMax, addressed)
  call.bodyRead()
  const prepared = body.ok ? prepare(deps, endpoint, call, key.value, body.value, cancellation) : body
  if (!prepared.ok) {
    recordRefusal(deps, endpoint, call, key.value, body.ok ? body.value : undefined, prepared.error)
    return leaveWith(leave, withLimitsTold(deps, endpoint, key.value, refuse(prepared.error)))
  }
  const { named } = prepared.value
  const response = await (named === undefined
    ? answer(prepared.value, leave)
    : answerOnce(prepared.value, named, leave))
  return withLimitsTold(deps, endpoint, key.value, response)
}

/** Every answer to a key with limits says how they stand. */
function withLimitsTold(
  { limits, clock }: GatewayDeps,
  { dialect }: ChatEndpoint,
  key: GatewayKey,
  response: Response,
): Response {
  tellLimits(response.headers, limits.gauges(key), dialect.id, clock.nowMs())
  return response
}

async function answer(exchange: Exchange, leave: () => void): Promise<Response> {
  const { deps, call, body, cancellation } = exchange
  const unfollow = followClient(deps, call, body.stream, cancellation)
  const response = await respond(exchange, withinLimits(exchange, answerOf), () => {
    unfollow()
    leave()
  })
  return withContentKept(exchange, response)
}

/** A request whose client gave it a name is answered once. */
async function answerOnce(exchange: Exchange, named: NamedRequest, leave: () => void): Promise<Response> {
  const { deps, body, call, meter } = exchange
  const { idempotency } = deps.memory
  const begun = idempotency.begin(named, deps.clock.monotonicMs())
  if (!begun.ok) return respond(exchange, Promise.resolve(begun), leave)
  if (begun.value !== undefined) {
    meter.close('ok', 200, null, null)
    return leaveWith(leave, replayed(begun.value, call))
  }
  const ended = (): void => {
    leave()
    if (meter.status !== undefined && meter.status !== 'ok') idempotency.forget(named, deps.clock.monotonicMs())
  }
  try {
    return await keptUnder(deps, named, await answer(exchange, ended), body.stream, meter)
  } catch (bug) {
    idempotency.forget(named, deps.clock.monotonicMs())
    throw bug
  }
}

/** Everything that is decided before a provider is asked. */
function prepare(
  deps: GatewayDeps,
  endpoint: ChatEndpoint,
  call: Call,
  key: GatewayKey,
  read: ReadBody,
  cancellation: Cancellation,
): Result<Exchange, Failure> {
  const paused = pausedBy(deps.settings())
  if (paused !== undefined) return err(paused)
  const admitted = admit(key, { endpoint: endpoint.name, address: call.address, nowMs: call.atMs })
  if (!admitted.ok) return admitted
  const named = namedIn(call, key, read)
  if (!named.ok) return named
  const asked = askedBy(deps, key, read.model)
  const isNamed = chooseModel(deps, key, asked)
  if (!isNamed.ok) return isNamed
  const thread = endpoint.dialect.threads && threadOf(deps, endpoint.dialect.threads, key, read)
  if (thread?.ok === false) return thread
  const body = withConversation(read, thread?.value)
  const outputTokensMax = admitSize(key, body, endpoint.fields)
  if (!outputTokensMax.ok) return outputTokensMax
  const injection = inject(endpoint.dialect, body.scanned, skillsOf(deps, endpoint, key))
  if (!injection.ok) return injection
  const { skillIds, splices } = injection.value
  const decoded = once(() => {
    const request = decodeBody(endpoint, body, splices, thread?.value, call.request.headers)
    return request.ok ? ok(withRemembered(deps, key, endpoint.dialect, request.value)) : request
  })
  const view = viewOf(endpoint, call, key, body, decoded, () => budgetLeftPct(deps, key))
  const choose = (name: string) => choiceOf(deps, key, name, view, thread?.value)
  const choice = choose(asked)
  if (!choice.ok) return choice
  deps.keys.touch(key.id, call.atMs, call.address)
  return ok({
    deps,
    endpoint,
    call,
    key,
    body,
    named: named.value,
    injected: splices,
    ...choice.value,
    choose,
    meter: openMeter(deps, endpoint, call, key, body, skillIds, choice.value.route, named.value),
    cancellation,
    outputTokensMax: outputTokensMax.value,
    thread: thread?.value,
    allowance: new Allowance(),
    wants: once(() => wantsOf(body.scanned)),
    decoded,
    toSend: decoded,
    answerForm: 'client',
    inlineMedia: once(() => new InlineMedia({ ...deps, bytesMax: deps.settings().bodyBytesMax })),
  })
}

/** Failures: those of `chooseModel`, and that nobody can go on with the conversation. */
function choiceOf(
  deps: GatewayDeps,
  key: GatewayKey,
  name: string,
  view: RequestView,
  thread: Thread | undefined,
): Result<Choice, Failure> {
  const route = chooseModel(deps, key, name)
  if (!route.ok) return route
  const choosing = { ...choosingOf(deps, key, name, view), ...onlyKeeper(thread) }
  const choose = () => candidatesOn(thread, route.value, candidatesOf(route.value, choosing))
  const candidates = choose()
  if (!candidates.ok) return candidates
  return ok({ route: route.value, choosing, candidates: firstThen(candidates.value, choose) })
}

/** The choice that was made, and a new one each time after. */
function firstThen<T>(first: Iterable<T>, choose: () => Result<Iterable<T>, Failure>): () => Iterable<T> {
  let ready: Iterable<T> | undefined = first
  return () => {
    const chosen = ready === undefined ? choose() : ok(ready)
    ready = undefined
    return chosen.ok ? chosen.value : []
  }
}

function skillsOf({ skills }: GatewayDeps, { fields }: ChatEndpoint, key: GatewayKey): readonly InjectableSkill[] {
  return fields.injectsSkills === false ? [] : skillsFor(key, skills.all())
}

/**
 * When the client leaves, everything that runs for it upstream ends. Listening for that costs a third of a short request, so for a
 * plain answer it begins after a moment: a client that has left by then is found gone all the same, and most are answered before.
 * The returned function ends the waiting.
 */
function followClient(deps: GatewayDeps, call: Call, stream: boolean, cancellation: Cancellation): () => void {
  const leave = (): void => cancellation.cancel(clientLeft())
  const listen = (): void => {
    const { signal } = call.request
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  }
  if (!stream) return deps.deadlines.start(FOLLOW_AFTER_MS, listen).clear
  listen()
  return () => undefined
}

function openMeter(
  deps: GatewayDeps,
  endpoint: ChatEndpoint,
  call: Call,
  key: GatewayKey,
  body: ReadBody | undefined,
  skillIds: readonly string[],
  route?: Route,
  named?: NamedRequest,
): Meter {
  return new Meter(deps, call, {
    keyId: key.id,
    planId: key.planId,
    tags: key.tags,
    userTag: body === undefined ? null : userTagOf(body.scanned),
    endpoint: endpoint.name,
    dialectIn: endpoint.dialect.id,
    modelAsked: body?.model ?? '',
    stream: body?.stream ?? false,
    facts: body?.facts ?? NO_FACTS,
    skillIds,
    ...(named === undefined ? {} : { named }),
    rule: route?.kind === 'rule' ? route.rule : null,
  })
}

const NO_FACTS: ReadBody['facts'] = {
  inputTokensEstimate: 0,
  tools: 0,
  images: 0,
  documents: 0,
  thinking: false,
  structuredOutput: false,
  maxTokens: null,
}

/** A request that no provider was asked for is written down too: its owner wants to see why a tool does not work. */
function recordRefusal(
  deps: GatewayDeps,
  endpoint: ChatEndpoint,
  call: Call,
  key: GatewayKey,
  body: ReadBody | undefined,
  cause: Failure,
): void {
  const { status } = endpoint.dialect.encodeFailure(cause, call.id)
  openMeter(deps, endpoint, call, key, body, []).close(endOf(cause), status, cause, null)
}

function endOf({ kind }: Failure): 'blocked' | 'cancelled' | 'error' {
  if (kind === 'forbidden') return 'blocked'
  return kind === 'cancelled' ? 'cancelled' : 'error'
}

function leaveWith(leave: () => void, response: Response): Response {
  leave()
  return response
}
