/** The head of a reply, and what it says about the body that follows. https://www.rfc-editor.org/rfc/rfc9112 (read 2026-11-21) */
import { err, ok, type Result } from '../../core/result.ts'

export interface ReplyHead {
  readonly status: number
  /** In the order in which they came, names in lower case; values hold no control characters. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly framing: Framing
  /** Whether the connection may carry another request once this reply has ended. */
  readonly keepAlive: boolean
  /** How long the provider says it keeps an idle connection, in seconds. */
  readonly idleSeconds: number | undefined
}

export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until-close' }

const HEADERS_MAX = 256

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Reads a head, given without its empty line, one character per byte. The error says what is wrong and quotes nothing.
 * Stricter than some clients: lines end with CRLF, no value is folded, and two lengths must agree.
 */
export function parseReplyHead(text: string): Result<ReplyHead, string> {
  const [statusLine = '', ...lines] = text.split('\r\n')
  const parts = STATUS_LINE.exec(statusLine)
  if (parts === null) return err('no status line')
  if (lines.length > HEADERS_MAX) return err(`more than ${HEADERS_MAX} headers`)
  const headers: [string, string][] = []
  for (const line of lines) {
    const header = parseHeader(line)
    if (header === undefined) return err('a malformed header')
    headers.push(header)
  }
  return describeReply(Number(parts[2]), parts[1] === '1', headers)
}

function parseHeader(line: string): [string, string] | undefined {
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(0, colon))
  if (!NAME.test(name)) return undefined
  const value = line.slice(colon + 1)
  return VALUE.test(value) ? [name.toLowerCase(), value.trim()] : undefined
}

function describeReply(
  status: number,
  isHttp11: boolean,
  headers: readonly (readonly [string, string])[],
): Result<ReplyHead, string> {
  let length: string | undefined
  let coding: string | undefined
  let connection = ''
  let keepAliveHint = ''
  for (const [name, value] of headers) {
    if (name === 'content-length') {
      if (length !== undefined && length !== value) return err('two lengths')
      length = value
    } else if (name === 'transfer-encoding') coding = coding === undefined ? value : `${coding}, ${value}`
    else if (name === 'connection') connection += `,${value.toLowerCase()}`
    else if (name === 'keep-alive') keepAliveHint = value
  }
  const framing = framingOf(status, length, coding)
  if (!framing.ok) return framing
  const persists = isHttp11 ? !/\bclose\b/.test(connection) : /\bkeep-alive\b/.test(connection)
  // A reply with both a length and a coding may have been tampered with on its way: what follows it is not believed.
  const keepAlive = persists && framing.value.kind !== 'until-close' && (coding === undefined || length === undefined)
  return ok({ status, headers, framing: framing.value, keepAlive, idleSeconds: idleSecondsOf(keepAliveHint) })
}

function framingOf(status: number, length: string | undefined, coding: string | undefined): Result<Framing, string> {
  if (status < 200 || status === 204 || status === 304) return ok({ kind: 'none' })
  if (coding !== undefined) {
    return coding.toLowerCase() === 'chunked' ? ok({ kind: 'chunked' }) : err('a transfer coding other than chunked')
  }
  if (length === undefined) return ok({ kind: 'until-close' })
  const bytes = /^\d{1,15}$/.test(length) ? Number(length) : agreedLength(length)
  return bytes === undefined ? err('a length that is not a number') : ok({ kind: 'length', bytes })
}

/** `5, 5`: what becomes of a repeated header on its way through a proxy. */
function agreedLength(list: string): number | undefined {
  const [first = '', ...others] = list.split(',').map((item) => item.trim())
  return /^\d{1,15}$/.test(first) && others.every((item) => item === first) ? Number(first) : undefined
}

function idleSecondsOf(hint: string): number | undefined {
  const seconds = /(?:^|[,\s])timeout\s*=\s*(\d{1,6})/i.exec(hint)?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}
