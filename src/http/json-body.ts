import { err, ok, type Result } from '../core/result.ts'
import { type Refusal, refusal } from './refusal.ts'

/** Bodies of dashboard calls. Nothing an operator sends comes near; an upload of a skill has its own bound. */
export const DASHBOARD_BODY_BYTES_MAX = 1024 * 1024
export const JSON_DEPTH_MAX = 128
export const JSON_NODES_MAX = 200_000

/**
 * The JSON of a dashboard call; `{}` when it has no body, so that the schema names what is missing. Refusals: `too_large`,
 * `media_type`, `malformed` for bytes that are not UTF-8, not JSON, too deep or of too many values.
 */
export async function readJsonBody(
  request: Request,
  bytesMax = DASHBOARD_BODY_BYTES_MAX,
): Promise<Result<unknown, Refusal>> {
  const read = await readBytes(request, bytesMax)
  if (!read.ok) return read
  const bytes = read.value
  // Some clients name a type with every call; only where a body is meant is its absence a mistake.
  const meansBody = request.method !== 'DELETE' && request.headers.get('content-type') !== null
  if (bytes.length === 0 && !meansBody) return ok({})
  if (!isJson(request.headers.get('content-type'))) {
    return err(refusal('media_type', 'the content type of the body must be application/json'))
  }
  if (exceedsBounds(bytes)) return err(refusal('malformed', 'the body is nested too deeply or holds too many values'))
  return parse(bytes)
}

/** Reads a body up to a bound, without trusting what it declares. Refusals: `too_large`, `malformed` when it breaks off. */
export async function readBytes(request: Request, bytesMax: number): Promise<Result<Uint8Array, Refusal>> {
  const tooLarge = refusal('too_large', `the body is larger than ${bytesMax} bytes`)
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) return err(tooLarge)
  if (request.body === null) return ok(new Uint8Array())
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request.body) {
      length += chunk.length
      if (length > bytesMax) return err(tooLarge)
      chunks.push(chunk)
    }
  } catch {
    return err(refusal('malformed', 'the body broke off')) // the client went away or sent broken framing
  }
  return ok(Buffer.concat(chunks, length))
}

function isJson(contentType: string | null): boolean {
  return contentType !== null && /^application\/json\s*(?:;|$)/i.test(contentType.trim())
}

function parse(bytes: Uint8Array): Result<unknown, Refusal> {
  try {
    return ok(JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)))
  } catch {
    return err(refusal('malformed', 'the body is not JSON')) // the parser's own words would repeat what was sent
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENERS: ReadonlySet<number> = new Set([0x5b, 0x7b])
const CLOSERS: ReadonlySet<number> = new Set([0x5d, 0x7d])

/** One pass over the bytes before the parser sees them: a million levels or a million keys would block or crash it. */
export function exceedsBounds(bytes: Uint8Array): boolean {
  let depth = 0
  let nodes = 1
  let inString = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (inString) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) inString = true
    else if (byte === COMMA) nodes++
    else if (OPENERS.has(byte)) {
      depth++
      nodes++
    } else if (CLOSERS.has(byte)) depth--
    if (depth > JSON_DEPTH_MAX || nodes > JSON_NODES_MAX) return true
  }
  return false
}
