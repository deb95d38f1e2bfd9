/** Questions about an answer that a provider keeps, put to the account that issued it and handed back as they are answered. */
import type { ProviderEndpoint, ProviderSpec } from '../../catalog/provider.ts'
import { failure, FAILURE_BODY_BYTES_MAX, type Failure } from '../../core/failure.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { dialectOf } from '../../dialects/index.ts'
import { readAll, readerOf } from '../../outbound/body-reader.ts'
import type { OutboundReply, OutboundRequest } from '../../outbound/transport.ts'
import { behalfOf, chatPathOf, fixedHeaders, pathBelow, upstreamPolicy, upstreamUrl } from '../../outbound/upstream.ts'
import { Cancellation, clientLeft } from '../cancellation.ts'
import type { GatewayAccount, GatewayDeps } from '../deps.ts'
import type { Call } from '../exchange.ts'
import { redact } from '../opened.ts'
import { REPLY_BYTES_MAX } from '../plain.ts'
import type { Issuer } from './response-store.ts'
import { forwardedQuery } from '../translate/translate.ts'

const DIALECT = 'openai-responses'

/** What is asked: the path below the one that takes a request for a response, wherever the host has that. */
export interface Question {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
}

interface Target {
  readonly provider: ProviderSpec
  readonly endpoint: ProviderEndpoint
  readonly account: GatewayAccount
  readonly model: string
}

/** The provider's own words. Failures: `unconnected` when the account is gone; what the provider made of it; `timeout`. */
export async function askIssuer(
  deps: GatewayDeps,
  call: Call,
  issuer: Issuer,
  question: Question,
): Promise<Result<Uint8Array, Failure>> {
  const target = targetOf(deps, issuer)
  if (target === undefined) return err(gone())
  const cancellation = new Cancellation()
  call.request.signal.addEventListener('abort', () => cancellation.cancel(clientLeft()), { once: true })
  let due: Failure | undefined
  const deadline = deps.deadlines.start(deps.settings().timeouts.totalMs, () => {
    due = failure('timeout', 'The provider did not answer in time.')
    cancellation.abortAttempt()
  })
  const answered = await exchange(deps, call, target, question, cancellation.begin())
  deadline.clear()
  return answered.ok ? answered : err(due ?? answered.error)
}

function targetOf(deps: GatewayDeps, { providerId, accountId, model }: Issuer): Target | undefined {
  const provider = deps.directory().provider(providerId)
  const endpoint = provider?.endpoints.find(({ dialect }) => dialect === DIALECT)
  const account = deps.accounts.of(providerId).find(({ id }) => id === accountId)
  return provider && endpoint && account && { provider, endpoint, account, model }
}

async function exchange(
  deps: GatewayDeps,
  call: Call,
  target: Target,
  question: Question,
  signal: AbortSignal,
): Promise<Result<Uint8Array, Failure>> {
  const request = requestFor(deps, call, target, question, signal)
  const signed = await deps.accounts.sign(target.provider, target.account, request)
  if (signed?.ok === false) return signed
  const reply = await deps.send({ ...request, ...signed?.value })
  if (!reply.ok) return reply
  const isAnswer = reply.value.status >= 200 && reply.value.status < 300
  const body = await readAll(readerOf(reply.value), isAnswer ? REPLY_BYTES_MAX : FAILURE_BODY_BYTES_MAX)
  if (!body.ok) return body
  return isAnswer ? ok(body.value) : err(refusal(deps, target, reply.value, body.value))
}

function requestFor(
  deps: GatewayDeps,
  call: Call,
  { provider, endpoint, account, model }: Target,
  { method, path }: Question,
  signal: AbortSignal,
): OutboundRequest {
  const fields = deps.accounts.fieldsFor(provider, account)
  const destination = { ...account, fields }
  const responses = chatPathOf(endpoint, dialectOf(DIALECT), model, false)
  return {
    method,
    url: upstreamUrl(provider, endpoint, destination, pathBelow(responses, `/${path}`), forwardedQuery(call.search)),
    headers: {
      accept: 'application/json',
      ...deps.accounts.headersFor(provider, account),
      ...fixedHeaders(provider, account),
      ...account.headers,
    },
    signal,
    policy: upstreamPolicy(provider, endpoint, destination),
    behalf: behalfOf(provider, account),
    connectMs: deps.settings().timeouts.connectMs,
    ...(method === 'POST' ? { body: '{}' } : {}),
  }
}

function refusal(deps: GatewayDeps, target: Target, { status, headers }: OutboundReply, body: Uint8Array): Failure {
  const text = redact({ deps }, target, Buffer.from(body).toString('utf8'))
  if (status < 400) return failure('server', 'The provider answered with a redirect, which is not followed.')
  return dialectOf(DIALECT).decodeFailure(status, headers, text)
}

function gone(): Failure {
  return failure('unconnected', 'The account that keeps this response is no longer there.')
}
