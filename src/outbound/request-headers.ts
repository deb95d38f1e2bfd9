import { failure, type Failure } from '../core/failure.ts'
import { err, ok, type Result } from '../core/result.ts'

/** They belong to the connection or to the framing of the body, so only a client may set them. */
const OURS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
])

// https://www.rfc-editor.org/rfc/rfc9110#section-5.5 (read 2026-11-21); beyond ASCII there is no agreement, so none is sent.
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const VALUE = /^[\t\x20-\x7e]*$/

/**
 * The headers that may be sent, by lower-case name; those that belong to the connection are left out.
 * Failure: `connect` for a name or value that would break out of its line; another account may have better ones.
 */
export function sendableHeaders(headers: Readonly<Record<string, string>>): Result<Record<string, string>, Failure> {
  const sendable: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined) continue
    if (!TOKEN.test(name)) return err(failure('connect', 'A header to be sent has a name that HTTP does not allow.'))
    if (!VALUE.test(value))
      return err(failure('connect', `The header ${name} holds characters that HTTP does not allow.`))
    const lower = name.toLowerCase()
    if (!OURS.has(lower)) sendable[lower] = value
  }
  return ok(sendable)
}
