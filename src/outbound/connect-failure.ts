import { failure, type Failure } from '../core/failure.ts'
import type { Blame } from './exits/tunnel.ts'

/** What a system's error code means to someone who has to fix it. Anything here happens before the request is sent. */
const NOT_SENT: Readonly<Record<string, string>> = {
  ENOTFOUND: "The provider's host name is unknown.",
  EAI_AGAIN: "The provider's host name could not be looked up; the name server does not answer.",
  ECONNREFUSED: 'The provider refused the connection: nothing listens there.',
  ENETUNREACH: 'There is no route to the provider.',
  EHOSTUNREACH: 'There is no route to the provider.',
  EADDRNOTAVAIL: 'This machine has no address or port left to reach the provider from.',
  EMFILE: 'This process has too many files and connections open.',
}

const CERTIFICATE = 'The provider could not prove its identity: its TLS certificate is not valid for this host.'
const HANDSHAKE = 'The TLS handshake with the provider failed. Does it speak TLS on this port?'
const CERTIFICATE_CODES = /CERT|ISSUER|LEAF_SIGNATURE|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED/
const HANDSHAKE_CODES = /^EPROTO$|SSL|TLS/

/**
 * The Failure for a connection's error code. `connect`: the request was not sent. `timeout`: the system gave up connecting.
 * `server`: everything else, since the provider may have received the request and may bill it.
 */
export function connectFailure(code: string, where: string): Failure {
  const detail = `${code} ${where}`
  const notSent = NOT_SENT[code]
  if (notSent !== undefined) return failure('connect', notSent, { detail })
  if (code === 'ETIMEDOUT') return connectTimeout(where)
  if (CERTIFICATE_CODES.test(code)) return failure('connect', CERTIFICATE, { detail })
  if (HANDSHAKE_CODES.test(code)) return failure('connect', HANDSHAKE, { detail })
  if (code === 'ECONNRESET' || code === 'EPIPE') return brokenOff(detail)
  return failure('server', 'The provider did not answer in HTTP.', { detail })
}

export function connectTimeout(where: string): Failure {
  return failure('timeout', 'Connecting to the provider took too long.', { detail: `connect timeout ${where}` })
}

export function brokenOff(detail: string): Failure {
  return failure('server', 'The provider closed the connection before it answered.', { detail })
}

/** Before the TLS handshake ended, so before anything of the request was sent. */
export function brokenOffEarly(detail: string): Failure {
  return failure('connect', 'The provider closed the connection before it could be used.', { detail })
}

/** The reply had begun. */
export function brokenBody(detail: string): Failure {
  return failure('cut', 'The provider closed the connection inside its answer.', { detail })
}

export function cancelled(): Failure {
  return failure('cancelled', 'The request was cancelled.')
}

/** Before anything of the request was sent. */
export function cancelledEarly(): Failure {
  return { ...cancelled(), reason: 'unsent' }
}

/** The code of a thrown error; its message is not used, since it may quote the URL. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : 'unknown error'
}

/** The system's codes at an exit, as the end of "an exit …"; everything else counts as a connection that broke. */
const EXIT_WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'has a host name that is unknown',
  EAI_AGAIN: 'has a host name that could not be looked up',
  ECONNREFUSED: 'refused the connection',
  ENETUNREACH: 'cannot be reached from here',
  EHOSTUNREACH: 'cannot be reached from here',
  ETIMEDOUT: 'did not answer in time',
}

/** What the code of a connection to an exit means, as the end of "an exit …". */
export function exitWords(code: string): string {
  const known = EXIT_WORDS[code]
  if (known !== undefined) return known
  if (CERTIFICATE_CODES.test(code)) return 'could not prove its identity: its TLS certificate is not valid'
  return HANDSHAKE_CODES.test(code) ? 'did not speak TLS' : 'closed the connection'
}

/** The code of the TLS handshake with whoever stands at the end of a tunnel, likewise. */
export function beyondExitWords(code: string): string {
  if (CERTIFICATE_CODES.test(code)) return 'led to a host that could not prove to be the provider'
  return HANDSHAKE_CODES.test(code) ? 'led to a host that does not speak TLS' : 'closed the connection to the provider'
}

/** `by`: what the exit belongs to, as the beginning of a sentence. Nothing of the request was sent. */
export function exitFailure(by: string, words: string, detail: string, blame: Blame): Failure {
  const reason = blame === 'exit' ? ({ reason: 'exit' } as const) : {}
  return failure('connect', `${by} did not reach the provider: an exit ${words}.`, { detail, ...reason })
}
