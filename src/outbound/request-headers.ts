import { failure, type Failure } from '../core/failure.ts'

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

/** Whether a header of this name, in lower case, may be given to a call. */
export function isSendable(name: string): boolean {
  return TOKEN.test(name) && !OURS.has(name)
}

/** The header's name as it is sent; undefined for one that belongs to the connection. */
function sendableName(name: string): string | undefined {
  const lower = name.toLowerCase()
  return OURS.has(lower) ? undefined : lower
}

/**
 * Calls `add` for each header that may be sent, its name in lower case. Failure: `connect` for a name or value that would
 * break out of its line; another account may have better ones.
 */
export function eachSendable(
  headers: Readonly<Record<string, string>>,
  add: (name: string, value: string) => void,
): Failure | undefined {
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined) continue
    if (!TOKEN.test(name)) return failure('connect', 'A header to be sent has a name that HTTP does not allow.')
    if (!VALUE.test(value)) return failure('connect', `The header ${name} holds characters that HTTP does not allow.`)
    const sendable = sendableName(name)
    if (sendable !== undefined) add(sendable, value)
  }
  return undefined
}
