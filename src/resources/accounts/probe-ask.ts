/** One call of a probe, made as an inference request would make it and read whole, and what its refusals mean in our words. */
import type { AuthScheme, ProviderEndpoint, ProviderSpec } from '../../catalog/provider.ts'
import type { Clock } from '../../core/clock.ts'
import { failure, type Failure, type FailureKind } from '../../core/failure.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { readAll, readerOf } from '../../outbound/body-reader.ts'
import type { Signer } from '../../outbound/credentials/signer.ts'
import type { Credentials } from '../../outbound/credentials/api-key.ts'
import type { OutboundReply, OutboundRequest, Send } from '../../outbound/transport.ts'
import { behalfOf, fixedHeaders, upstreamPolicy, upstreamUrl, type ExitUser } from '../../outbound/upstream.ts'
import { openAccess } from './access.ts'

/** What is tried: an account's fields, saved or not. */
export interface ProbeTarget extends ExitUser {
  readonly provider: ProviderSpec
  readonly authType: AuthScheme
  readonly credentials: Credentials
  readonly baseUrlOverride: string | null
  readonly allowPrivateNetwork: boolean
  readonly headers: Readonly<Record<string, string>>
}

/** The answer to one call, read whole. */
export interface ProbeReply {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
}

/** A path under the base, perhaps with a query (`?a=b`); a body makes it a POST. */
export interface Question {
  readonly path: string
  readonly search?: string
  /** JSON. */
  readonly body?: string
  /** Names in lower case; what the operator fixed for the provider or the account beats them. */
  readonly headers?: Readonly<Record<string, string>>
}

export type Ask = (question: Question) => Promise<Result<ProbeReply, Failure>>

export interface AskDeps {
  readonly send: Send
  readonly clock: Clock
}

const CONNECT_MS = 10_000
const STEP_MS = 30_000
const REPLY_BYTES_MAX = 8 * 1024 * 1024

/** Calls as an inference request would, within bounds of time and size. What it signs with lasts as long as it. */
export function asker(target: ProbeTarget, endpoint: ProviderEndpoint, deps: AskDeps): Ask {
  const { provider } = target
  const { headers: usual, fields, signer } = openAccess(target, deps)
  const destination = { ...target, fields }
  const fixed = { ...fixedHeaders(provider, target), ...target.headers }
  const policy = upstreamPolicy(provider, endpoint, destination)
  const behalf = behalfOf(provider, target)
  return async ({ path, search, body, headers }) => {
    const abort = new AbortController()
    const stopTimer = deps.clock.after(STEP_MS, () => abort.abort())
    const posted = body === undefined ? undefined : ({ method: 'POST', body } as const)
    const request: OutboundRequest = {
      method: 'GET',
      ...posted,
      url: upstreamUrl(provider, endpoint, destination, path, search),
      headers: {
        accept: 'application/json',
        ...(posted && { 'content-type': 'application/json' }),
        ...usual,
        ...headers,
        ...fixed,
      },
      signal: abort.signal,
      policy,
      behalf,
      connectMs: CONNECT_MS,
    }
    const reply = await asked(request, signer, deps.send)
    stopTimer()
    return abort.signal.aborted ? err(failure('timeout', 'The provider did not answer in time.')) : reply
  }
}

async function asked(
  request: OutboundRequest,
  signer: Signer | undefined,
  send: Send,
): Promise<Result<ProbeReply, Failure>> {
  const signed = await signer?.sign(request)
  if (signed?.ok === false) return signed
  const sent = await send({ ...request, ...signed?.value })
  return sent.ok ? await wholeReply(sent.value) : sent
}

async function wholeReply(reply: OutboundReply): Promise<Result<ProbeReply, Failure>> {
  const body = await readAll(readerOf(reply), REPLY_BYTES_MAX)
  return body.ok ? ok({ status: reply.status, headers: reply.headers, body: body.value }) : body
}

/** What a kind means to someone who set up an account. */
const SENTENCES: Readonly<Partial<Record<FailureKind, string>>> = {
  auth: 'The provider does not accept these credentials.',
  billing: 'The provider says that the account is out of money or quota.',
  not_entitled: 'The provider does not allow this account what was asked for, or there is nothing at this address.',
  rate_limit: 'The provider says that the account has reached a limit for now.',
  overloaded: 'The provider is overloaded.',
  server: 'The provider answered with an error or with something that is not its format.',
  empty: 'The provider answered without content.',
  rejected: 'The provider refused the request.',
}

/** The failure without a word of the provider's. */
export function inOurWords({ kind, retryAfterMs }: Failure, status: number): Failure {
  const message = `${SENTENCES[kind] ?? 'The provider refused the request.'} (status ${status})`
  return failure(kind, message, retryAfterMs === undefined ? {} : { retryAfterMs })
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

export function textOf(body: Uint8Array): string {
  return new TextDecoder().decode(body)
}
