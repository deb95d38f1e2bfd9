/** Rules for reading what providers say when they refuse, shared by all dialects: wordings, waits, and what must not be repeated. */
import { FAILURE_BODY_BYTES_MAX, type Failure, type FailureKind, type UpstreamAnswer } from '../core/failure.ts'
import { asNumber, asObject, asString, isObject, type Json, type JsonObject } from '../core/json.ts'
import { redacted } from '../core/redacted.ts'

/** An error as most providers shape it, whatever envelope it came in. */
export interface ErrorFacts {
  readonly type: string
  readonly code: string
  /** The provider's sentence, secrets redacted; empty when it gave none. */
  readonly message: string
}

/** An answer whose status says that it is an error. */
export interface RefusedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

const MESSAGE_LENGTH_MAX = 2_000

/** What is kept of an answer that is handed on. Cut before it is redacted, so that the work is bounded. */
export function upstreamAnswer({ status, headers, body }: RefusedAnswer): UpstreamAnswer {
  const kept = Buffer.byteLength(body) > FAILURE_BODY_BYTES_MAX ? cutBytes(body, FAILURE_BODY_BYTES_MAX) : body
  return { status, contentType: headers.get('content-type') ?? 'application/json', body: redacted(kept) }
}

function cutBytes(text: string, bytesMax: number): string {
  return Buffer.from(text).subarray(0, bytesMax).toString('utf8')
}

/** A page of HTML comes from a server in between, not from who knows the request. */
export function looksLikePage(body: string): boolean {
  return body.trimStart().startsWith('<')
}

/** The error inside `{error: {…}}`, `{error: "…"}`, `[{error}]`, `{message}` or `{detail}`. */
export function errorFacts(body: Json | undefined): ErrorFacts {
  const outer = asObject(Array.isArray(body) ? (body[0] as Json | undefined) : body) ?? {}
  const inner = isObject(outer['error']) ? outer['error'] : outer
  const sentence = [inner['message'], outer['error'], outer['message'], outer['detail']].find(
    (value) => typeof value === 'string' && value !== '',
  )
  return {
    type: asString(inner['type']) ?? asString(inner['status']) ?? '',
    code: codeOf(inner),
    message: redacted((asString(sentence) ?? '').slice(0, MESSAGE_LENGTH_MAX)),
  }
}

function codeOf(error: JsonObject): string {
  const code = error['code'] ?? asObject(error['details'])?.['error_code']
  return asString(code) ?? (asNumber(code) === undefined ? '' : String(code))
}

const TOO_LONG =
  /context[_ ]length|prompt is too long|maximum context|context (?:window|limit)|too many (?:input )?tokens|input token count|reduce the length|input is too long/i
const UNPAID =
  /insufficient[_ ](?:quota|balance|funds|credit)|credit balance|billing[_ ](?:error|hard[_ ]limit|not[_ ]active)|payment required|out of credits|exceeded your current quota|spend[_ ]limit/i
const REFUSED = /content[_ ]policy|content[_ ]filter|content management policy|safety system|policy[_ ]violation/i
const KEY_IS_BAD = /api[_ -]?key|credential|authenticat|unauthori[sz]ed|access token|invalid token|expired|revoked/i

export function saysTooLong(facts: ErrorFacts): boolean {
  return TOO_LONG.test(`${facts.code} ${facts.message}`)
}

export function saysUnpaid(facts: ErrorFacts): boolean {
  return UNPAID.test(`${facts.type} ${facts.code} ${facts.message}`)
}

export function saysRefusedContent(facts: ErrorFacts): boolean {
  return REFUSED.test(`${facts.type} ${facts.code} ${facts.message}`)
}

export function saysBadKey(facts: ErrorFacts): boolean {
  return KEY_IS_BAD.test(`${facts.type} ${facts.code} ${facts.message}`)
}

/**
 * How Anthropic, OpenAI and Google say that thinking in the conversation does not fit it: made for another prefix, account or
 * model, changed on the way, or missing where it is due. Without any of it the rest of the request may be accepted.
 * https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/fix-bound-to-a-different-conversation,
 * https://github.com/anthropics/claude-code/issues/63246, https://github.com/openai/codex/issues/8119,
 * https://github.com/google-gemini/gemini-cli/issues/13467 (read 2026-11-21)
 */
const STATE_REFUSED: readonly RegExp[] = [
  /invalid `?(?:signature|data)`? in `?(?:redacted_)?thinking/i,
  /`?thinking`? (?:or `?redacted_thinking`? )?blocks?\b.{0,60}\bcannot be modified/i,
  /expected `?thinking`? or `?redacted_thinking`?/i,
  /block is bound to a different/i,
  /invalid_encrypted_content|encrypted content .{0,200}could not be (?:verified|decrypted)/i,
  /without its required (?:following item|'?reasoning'? item)/i,
  /items are not persisted when/i,
  /thought[_ ]?signature/i,
]

function saysStateRefused({ code, message }: ErrorFacts): boolean {
  return STATE_REFUSED.some((words) => words.test(`${code} ${message}`))
}

/** What such a refusal adds to the Failure; nothing for any other. */
export function stateReason(kind: FailureKind, facts: ErrorFacts): Pick<Failure, 'reason'> {
  return kind === 'rejected' && saysStateRefused(facts) ? { reason: 'opaque-state' } : {}
}

/**
 * How long the provider asks to wait, in milliseconds; undefined when it does not say. A point in time is compared with the
 * answer's own `date`, the only clock there is here.
 */
export function retryAfterMs(headers: Headers): number | undefined {
  const milliseconds = readNumber(headers.get('retry-after-ms'))
  if (milliseconds !== undefined) return Math.max(0, milliseconds)
  const after = headers.get('retry-after')
  const seconds = readNumber(after)
  if (seconds !== undefined) return Math.max(0, seconds * 1000)
  return after === null ? undefined : untilMs(after, headers)
}

/** Milliseconds from the answer's `date` to `moment` (an HTTP or RFC 3339 date). */
export function untilMs(moment: string, headers: Headers): number | undefined {
  const until = Date.parse(moment)
  const now = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(until) || Number.isNaN(now) ? undefined : Math.max(0, until - now)
}

function readNumber(text: string | null): number | undefined {
  if (text === null || text.trim() === '') return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}
