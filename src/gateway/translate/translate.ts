/**
 * The client's request for one target. Same dialect: the client's bytes, edited by splices (model, skills, usage). Another
 * dialect: decoded and encoded, with everything that could not be carried named in `dropped`.
 */
import type { ModelFacts, ProviderEndpoint, Quirks } from '../../catalog/provider.ts'
import { vendorOf } from '../../catalog/vendor.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { ACCEPTED, type Framing } from '../../core/framing/frame.ts'
import { applySplices, memberOf, replaceValue, type Splice } from '../../core/json-scan.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type {
  EncodedRequest,
  IsRefused,
  PassThrough,
  ReplyContext,
  TargetContext,
  UpstreamDialect,
} from '../../dialects/dialect.ts'
import { answeringByTool } from '../../dialects/fitting/answer-tool.ts'
import type { FittedRequest } from '../../dialects/fitting/fitted.ts'
import { fitRequest } from '../../dialects/fitting/index.ts'
import { hosted, hostedHeaders, hostEdits } from '../../dialects/host-edits.ts'
import { dialectOf } from '../../dialects/index.ts'
import type { ChatRequest } from '../../dialects/neutral.ts'
import { NO_FIELDS } from '../../outbound/address-template.ts'
import type { ConnectionPolicy } from '../../outbound/transport.ts'
import {
  chatPathOf,
  fixedHeaders,
  pathBelow,
  upstreamPolicy,
  upstreamUrl,
  type Destination,
} from '../../outbound/upstream.ts'
import type { Candidate } from '../../routing/candidates.ts'
import { chooseEndpoint } from './choose-endpoint.ts'
import { isContinuable } from '../streaming/continuable.ts'
import type { GatewayAccount } from '../deps.ts'
import { listedLosses, refusedLosses } from './dropped.ts'
import { parseBody, type Exchange } from '../exchange.ts'
import { lackOf, mustBeFitted, overflowOf } from './lacking.ts'
import { encodeWithLookups } from './lookups.ts'
import { capped, putsParams, withParams } from './params.ts'
import { withoutRefused } from './prefix-change.ts'
import { mediaToFetch } from '../inline-media/request-media.ts'
import { stateEdits, type StateEdits } from './state-edits.ts'

export interface UpstreamCall {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly policy: ConnectionPolicy
  readonly dialect: UpstreamDialect
  /** How the provider's bytes go on as they are; absent: they are translated. */
  readonly passThrough: PassThrough | undefined
  readonly framing: Framing
  /** The stream's usage event is ours alone and must not reach the client. */
  readonly omitUsage: boolean
  readonly dropped: readonly string[]
  /** Thinking was taken out of the conversation, because the target refuses it. */
  readonly withoutState: boolean
  readonly replyContext: ReplyContext
}

type Target = Candidate<GatewayAccount>

/** A promise only when something has to be fetched first. */
export type Translated = Result<UpstreamCall, Failure> | Promise<Result<UpstreamCall, Failure>>

/** Query parameters that could carry a credential stay here. */
const CREDENTIAL_PARAMETERS: readonly string[] = ['key', 'api_key', 'access_token']
/** As `x-gateway-dropped` names what a conversation loses of earlier thinking. */
const THINKING = 'thinking'
const NOTHING_RENAMED = { toolNames: new Map<string, string>() }

/**
 * `isRefused`: the vendor state that must not go to this target. Failures: `malformed`, `unsupported`, `context_too_long`, and
 * `cancelled` while media are fetched.
 */
export function translate(exchange: Exchange, target: Target, isRefused: IsRefused | undefined): Translated {
  const facts = exchange.deps.capabilitiesOf(target.provider, target.model)
  const overflow = overflowOf(exchange, target, facts)
  if (overflow !== undefined) return err(overflow)
  const { endpoint, asWritten } = chooseEndpoint(exchange, target)
  const native = exchange.endpoint.dialect.passThrough
  const isNative =
    asWritten &&
    exchange.answerForm === 'client' &&
    !isContinuable(exchange, target) &&
    !putsParams(target.terms) &&
    native?.dialect === endpoint.dialect &&
    exchange.thread?.needsOurs !== true &&
    native.holdsUnreadable?.(exchange.body.scanned, endpoint.quirks) !== true &&
    !mustBeFitted(exchange, target, facts)
  const cap = exchange.outputTokensMax
  const capping = isNative && cap !== null ? native.capOutput(exchange.body.scanned, cap, endpoint.quirks) : []
  const state = isNative ? stateEdits(exchange, vendorOf(target.provider, target.model), native, isRefused) : undefined
  return isNative && state !== undefined && capping !== undefined
    ? passOn(exchange, target, endpoint, native, state, capping)
    : rewrite(exchange, target, endpoint, isRefused)
}

/** The host's oddities and, for streams, the model's. */
function quirksOf({ quirks }: ProviderEndpoint, { streamUsage }: ModelFacts): Quirks {
  return streamUsage ? quirks : { ...quirks, noStreamUsage: true }
}

function passOn(
  exchange: Exchange,
  target: Target,
  endpoint: ProviderEndpoint,
  native: PassThrough,
  state: StateEdits,
  capping: readonly Splice[],
): Result<UpstreamCall, Failure> {
  const { scanned, stream } = exchange.body
  const facts = exchange.deps.capabilitiesOf(target.provider, target.model)
  if (stream && !facts.streaming)
    return err(failure('unsupported', 'stream: this model does not stream.', { param: 'stream' }))
  const lack = lackOf(exchange, target, facts)
  if (lack !== undefined) return err(lack)
  const asksForUsage = stream && quirksOf(endpoint, facts).noStreamUsage !== true
  const usage = asksForUsage ? native.askForUsage(scanned) : { splices: [], added: false }
  const sent = forwarded(exchange, native)
  const host = hostEdits(endpoint, scanned, sent)
  if (!host.ok) return host
  const refused = exchange.deps.settings().strictParams ? refusedLosses(host.value.dropped) : undefined
  if (refused !== undefined) return err(refused)
  const model = endpoint.quirks.modelInPath === true ? undefined : memberOf(scanned, 'model')
  const named = model === undefined ? [] : [replaceValue(model, JSON.stringify(target.model))]
  const splices = [
    ...named,
    ...exchange.injected,
    ...usage.splices,
    ...state.splices,
    ...capping,
    ...host.value.splices,
  ]
  return ok({
    ...addressOf(exchange, target, endpoint, native),
    headers: headersOf(exchange, target, endpoint, native, hostedHeaders(sent, host.value)),
    body: applySplices(scanned.bytes, splices),
    dialect: dialectOf(endpoint.dialect),
    passThrough: native,
    omitUsage: usage.added,
    dropped: listedLosses(host.value.dropped, state.isLess ? [THINKING] : []),
    withoutState: state.isLess,
    replyContext: replyContext(exchange, target, endpoint, NOTHING_RENAMED),
  })
}

function rewrite(
  exchange: Exchange,
  target: Target,
  endpoint: ProviderEndpoint,
  isRefused: IsRefused | undefined,
): Translated {
  const asked = exchange.toSend()
  if (!asked.ok) return asked
  const kept = isRefused === undefined ? asked.value : withoutRefused(asked.value, isRefused)
  const withoutState = kept !== asked.value
  const asRuled = putsParams(target.terms) ? withParams(kept, target.terms) : kept
  const facts = exchange.deps.capabilitiesOf(target.provider, target.model)
  const { request, capabilities } = capped(asRuled, facts, exchange.outputTokensMax)
  const fitted = fitRequest(request, capabilities)
  if (!fitted.ok) return fitted
  const { model, provider } = target
  const vendor = vendorOf(provider, model)
  const context = { model, vendor, quirks: quirksOf(endpoint, capabilities), capabilities }
  const encode = (whole: ChatRequest) =>
    encoded(exchange, target, endpoint, context, { ...fitted.value, request: whole }, withoutState)
  const fetched = withMedia(exchange, fitted.value.request, dialectOf(endpoint.dialect), context)
  return fetched === undefined
    ? encode(fitted.value.request)
    : fetched.then((whole) => (whole.ok ? encode(whole.value) : whole))
}

/** The request with the bytes of the media that the target does not read by address; undefined when it reads all there are. */
function withMedia(
  exchange: Exchange,
  request: ChatRequest,
  dialect: UpstreamDialect,
  context: TargetContext,
): Promise<Result<ChatRequest, Failure>> | undefined {
  // What the model cannot take at all is refused when it is encoded, without being fetched.
  const takes = { image: context.capabilities.images, document: true, audio: context.capabilities.audio }
  const media = mediaToFetch(request, (kind, url) => !takes[kind] || dialect.takesUrl(kind, url, context))
  if (media.length === 0) return undefined
  const body = () => {
    const parsed = parseBody(exchange.body.scanned.bytes)
    return parsed.ok ? parsed.value : null
  }
  return exchange.inlineMedia().inline(request, media, body, exchange.cancellation.begin())
}

function encoded(
  exchange: Exchange,
  target: Target,
  endpoint: ProviderEndpoint,
  context: TargetContext,
  { request, dropped: unfit, answerTool }: FittedRequest,
  withoutState: boolean,
): Result<UpstreamCall, Failure> {
  const spoken = dialectOf(endpoint.dialect)
  const dialect = answerTool === undefined ? spoken : answeringByTool(spoken, answerTool)
  const wire = encodeWithLookups(dialect, request, context)
  if (!wire.ok) return wire
  const sent = { ...ownHeaders(exchange, endpoint), ...Object.fromEntries(wire.value.headers) }
  const host = hosted(endpoint, Buffer.from(JSON.stringify(wire.value.body), 'utf8'), sent)
  if (!host.ok) return host
  const lost = [...unfit, ...wire.value.dropped, ...host.value.dropped]
  const dropped = listedLosses(request.unknownFields, lost, withoutState ? [THINKING] : [])
  const refused = exchange.deps.settings().strictParams ? refusedLosses(dropped) : undefined
  if (refused !== undefined) return err(refused)
  return ok({
    ...addressOf(exchange, target, endpoint, dialect),
    headers: headersOf(exchange, target, endpoint, dialect, hostedHeaders(sent, host.value)),
    body: host.value.body,
    dialect,
    passThrough: undefined,
    omitUsage: false,
    dropped,
    withoutState,
    replyContext: replyContext(exchange, target, endpoint, wire.value),
  })
}

function addressOf(
  exchange: Exchange,
  target: Target,
  endpoint: ProviderEndpoint,
  dialect: PassThrough | UpstreamDialect,
): Pick<UpstreamCall, 'url' | 'policy' | 'framing'> {
  const { model, provider } = target
  const destination = destinationOf(exchange, target)
  const chatPath = chatPathOf(endpoint, dialect, model, exchange.body.stream)
  const path = 'below' in dialect ? pathBelow(chatPath, dialect.below ?? '') : chatPath
  const search = dialect === exchange.endpoint.dialect.passThrough ? forwardedQuery(exchange.call.search) : ''
  return {
    url: upstreamUrl(provider, endpoint, destination, path, search),
    policy: upstreamPolicy(provider, endpoint, destination),
    framing: endpoint.framing ?? dialect.framing,
  }
}

/** Where the account's calls go, with what it fills into the provider's addresses. */
function destinationOf({ deps }: Exchange, { account, provider }: Target): Destination | null {
  if (account === null) return null
  const fields = deps.accounts.fieldsFor(provider, account)
  return fields === NO_FIELDS ? account : { ...account, fields }
}

/** The client's query, which goes on only to its own dialect. */
export function forwardedQuery(search: string): string {
  if (search === '') return ''
  const query = new URLSearchParams(search)
  for (const name of CREDENTIAL_PARAMETERS) query.delete(name)
  return query.size === 0 ? '' : `?${query.toString()}`
}

/**
 * The provider's fixed headers give way to what the request itself says (its dialect's version), and all of them to the
 * operator's own. A forwarded header is never a credential, so none can replace the account's.
 */
function headersOf(
  exchange: Exchange,
  target: Target,
  endpoint: ProviderEndpoint,
  { framing }: Pick<UpstreamDialect, 'framing'>,
  ofRequest: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const accept = exchange.body.stream ? ACCEPTED[endpoint.framing ?? framing] : 'application/json'
  const fixed = exchange.deps.accounts.headersFor(target.provider, target.account)
  const ofProvider = fixedHeaders(target.provider, target.account)
  return {
    'content-type': 'application/json',
    accept,
    ...fixed,
    ...ofRequest,
    ...ofProvider,
    ...target.account?.headers,
  }
}

function forwarded(exchange: Exchange, native: PassThrough): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  for (const name of native.forwardedHeaders) {
    const value = exchange.call.request.headers.get(name)
    if (value !== null) headers[name] = value
  }
  return headers
}

/** What a client says in headers to a provider of its own format (betas), when its body has to be written anew for it. */
function ownHeaders(exchange: Exchange, { dialect }: ProviderEndpoint): Readonly<Record<string, string>> {
  const native = exchange.endpoint.dialect.passThrough
  return native?.dialect === dialect ? forwarded(exchange, native) : {}
}

function replyContext(
  exchange: Exchange,
  target: Target,
  endpoint: ProviderEndpoint,
  { toolNames, customTools }: Pick<EncodedRequest, 'toolNames' | 'customTools'>,
): ReplyContext {
  const vendor = vendorOf(target.provider, target.model)
  const context = { vendor, quirks: endpoint.quirks, toolNames, random: exchange.deps.random }
  return customTools === undefined ? context : { ...context, customTools }
}
