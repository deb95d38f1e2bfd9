/**
 * Asks an OAuth token endpoint for an access token, through the same guarded way out as every call. What it answers is read by
 * its members alone. https://www.rfc-editor.org/rfc/rfc6749#section-5 (read 2026-11-21)
 */
import { failure, type Failure } from '../../core/failure.ts'
import { asString, isObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { readAll, readerOf } from '../body-reader.ts'
import type { ConnectionPolicy, OutboundReply } from '../transport.ts'
import type { AccessToken } from './access-tokens.ts'
import type { SignerDeps } from './signer.ts'

export interface TokenRequest {
  readonly url: string
  readonly policy: ConnectionPolicy
  readonly form: Readonly<Record<string, string>>
}

const CONNECT_MS = 10_000
/** An exchange as a whole. */
export const EXCHANGE_MS = 15_000
const REPLY_BYTES_MAX = 64 * 1024
/** What a header may hold of it. */
const TOKEN = /^[\x21-\x7e]{1,16384}$/
/** Nothing real lives longer; a token that claims to is asked for again by then. */
const LIFETIME_S_MAX = 24 * 3_600

/**
 * Failures: `auth` when the endpoint refuses the credentials; `server` when it answers with anything else than a token, or not
 * now; `timeout`; `connect`, also for an address that must not be called.
 */
export async function requestToken(request: TokenRequest, deps: SignerDeps): Promise<Result<AccessToken, Failure>> {
  const abort = new AbortController()
  const stopTimer = deps.clock.after(EXCHANGE_MS, () => abort.abort())
  const sent = await deps.send({
    method: 'POST',
    url: request.url,
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(request.form).toString(),
    signal: abort.signal,
    policy: request.policy,
    connectMs: CONNECT_MS,
  })
  const token = sent.ok ? await readToken(sent.value) : err(unreached(sent.error))
  stopTimer()
  return abort.signal.aborted ? err(failure('timeout', 'The token endpoint did not answer in time.')) : token
}

function unreached({ kind, message, detail }: Failure): Failure {
  const shown = kind === 'timeout' || kind === 'server' ? kind : 'connect'
  return failure(shown, 'The token endpoint of the account cannot be reached.', { detail: detail ?? message })
}

async function readToken(reply: OutboundReply): Promise<Result<AccessToken, Failure>> {
  const { status } = reply
  const body = await readAll(readerOf(reply), REPLY_BYTES_MAX)
  const answer = body.ok ? parsed(body.value) : undefined
  if (status < 200 || status > 299) return err(refused(status, answer))
  const value = isObject(answer) ? asString(answer['access_token']) : undefined
  if (!isObject(answer) || value === undefined || !TOKEN.test(value)) return err(noToken(status))
  return ok({ value, lifetimeS: lifetimeOf(answer['expires_in']) })
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined // no token, which the caller says
  }
}

/** Statuses that say "not now"; every other refusal is about who asks. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429])

function refused(status: number, answer: unknown): Failure {
  const isRefusal = status >= 400 && status < 500 && !PASSING.has(status)
  if (!isRefusal) return noToken(status)
  const code = isObject(answer) ? asString(answer['error']) : undefined
  const word = code !== undefined && /^[a-z_]{1,40}$/.test(code) ? ` ${code}` : ''
  return failure('auth', 'The provider does not exchange the credentials of the account for a token.', {
    detail: `token endpoint: ${status}${word}`,
  })
}

function noToken(status: number): Failure {
  const message = 'The token endpoint of the account answered without a token.'
  return failure('server', message, { detail: `token endpoint: ${status}` })
}

/** Some write the number as text. One that says nothing is good for this call alone. */
function lifetimeOf(expiresIn: unknown): number {
  const seconds = Number(expiresIn)
  return Number.isFinite(seconds) ? Math.min(LIFETIME_S_MAX, Math.max(0, seconds)) : 0
}
