/**
 * The client's body → bytes, their top-level members and the facts that later steps ask for. One scan; nothing is parsed here
 * unless a step asks for it, and what is sent on are the client's own bytes.
 */
import { isUtf8 } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { failure, type Failure } from '../core/failure.ts'
import {
  bufferOf,
  type Member,
  memberOf,
  parseRange,
  type ScannedObject,
  scanObject,
  scanObjectAt,
  valueOf,
} from '../core/json-scan.ts'
import { err, ok, type Result } from '../core/result.ts'
import type { RequestFacts } from '../ledger/record.ts'
import { estimateTokens } from './count-tokens.ts'
import type { Addressed, FactFields } from './endpoint.ts'

export interface ReadBody {
  readonly scanned: ScannedObject
  readonly model: string
  readonly stream: boolean
  readonly facts: RequestFacts
}

const MODEL_NAME_CHARACTERS_MAX = 512

/** Failures: `too_large`, `malformed`. */
export async function readChat(
  request: Request,
  fields: FactFields,
  bodyBytesMax: number,
  addressed?: Addressed,
): Promise<Result<ReadBody, Failure>> {
  const scanned = await readJson(request, bodyBytesMax)
  if (!scanned.ok) return scanned
  return describe(scanned.value, fields, addressed)
}

/** The body as a scanned JSON object, whatever its content type says. Failures: `too_large`, `malformed`. */
export async function readJson(request: Request, bodyBytesMax: number): Promise<Result<ScannedObject, Failure>> {
  const bytes = await readBytes(request, bodyBytesMax)
  if (!bytes.ok) return bytes
  if (!isUtf8(bytes.value)) return err(failure('malformed', 'The request body is not valid UTF-8.'))
  return scanObject(bytes.value)
}

function describe(
  scanned: ScannedObject,
  fields: FactFields,
  addressed: Addressed | undefined,
): Result<ReadBody, Failure> {
  const doubled = fields.single.find((name) => scanned.members.filter((member) => member.name === name).length > 1)
  if (doubled !== undefined) return wrong(doubled, `"${doubled}" is given twice.`)
  const model = addressed?.model ?? valueOf(scanned, 'model')
  if (model === undefined) return wrong('model', '"model" is required.')
  if (typeof model !== 'string' || model === '') return wrong('model', '"model" must be a non-empty string.')
  if (model.length > MODEL_NAME_CHARACTERS_MAX) return wrong('model', '"model" is too long.')
  if (model.split('/').some(isDots)) return wrong('model', '"model" must not have "." or ".." between its slashes.')
  const stream = addressed?.stream ?? valueOf(scanned, 'stream') ?? fields.streamsUnlessRefused === true
  if (typeof stream !== 'boolean') return wrong('stream', '"stream" must be true or false.')
  const conversation = checkConversation(scanned, fields)
  if (!conversation.ok) return conversation
  return ok({ scanned, model, stream, facts: factsOf(scanned, fields) })
}

/** Some providers have the model in their paths, where these would lead elsewhere. */
function isDots(part: string): boolean {
  return part === '.' || part === '..'
}

function checkConversation(scanned: ScannedObject, fields: FactFields): Result<undefined, Failure> {
  const name = fields.conversation
  const member = memberOf(scanned, name)
  const first = member && String.fromCharCode(scanned.bytes[member.valueStart] ?? 0)
  if (first === '[' || (first === '"' && fields.conversationMayBeText)) return ok(undefined)
  if (member === undefined && fields.conversationMayBeText) return ok(undefined)
  return wrong(name, member === undefined ? `"${name}" is required.` : `"${name}" must be a list.`)
}

function factsOf(scanned: ScannedObject, fields: FactFields): RequestFacts {
  const bytes = bufferOf(scanned.bytes)
  const has = (names: readonly string[]): boolean => names.some((name) => memberAt(scanned, name) !== undefined)
  return {
    inputTokensEstimate: estimateTokens(scanned),
    tools: memberOf(scanned, 'tools')?.items ?? 0,
    images: count(bytes, IMAGE_MARKS),
    documents: count(bytes, DOCUMENT_MARKS),
    thinking: has(fields.thinking),
    structuredOutput: has(fields.structuredOutput),
    maxTokens: firstInteger(scanned, fields.maxTokens),
  }
}

/** The values of `type` that media have in the dialects, and the names of the members that hold them in Gemini's. */
const IMAGE_MARKS = ['"image"', '"image_url",', '"input_image"', '"inlineData"', '"inline_data"'].map((mark) =>
  Buffer.from(mark),
)
const DOCUMENT_MARKS = ['"document"', '"file",', '"input_file"'].map((mark) => Buffer.from(mark))

/** Native search, a few microseconds per megabyte. A text that merely mentions a mark counts too: facts are for routing hints. */
function count(bytes: Buffer, marks: readonly Buffer[]): number {
  let found = 0
  for (const mark of marks)
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + mark.length)) found++
  return found
}

/** The member at a dotted path. */
export function memberAt(scanned: ScannedObject, path: string): Member | undefined {
  const dot = path.indexOf('.')
  const member = memberOf(scanned, dot < 0 ? path : path.slice(0, dot))
  if (member === undefined || dot < 0) return member
  const inner = scanObjectAt(scanned.bytes, member.valueStart)
  return inner.ok ? memberAt(inner.value, path.slice(dot + 1)) : undefined
}

/** The value at a dotted path; undefined where nothing is that can be read. */
export function valueAt(scanned: ScannedObject, path: string): unknown {
  const member = memberAt(scanned, path)
  return member && parseRange(scanned.bytes, { start: member.valueStart, end: member.valueEnd })
}

function firstInteger(scanned: ScannedObject, names: readonly string[]): number | null {
  for (const name of names) {
    const value = valueAt(scanned, name)
    if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value
  }
  return null
}

async function readBytes(request: Request, bytesMax: number): Promise<Result<Uint8Array, Failure>> {
  const declared = Number(request.headers.get('content-length') ?? Number.NaN)
  if (declared > bytesMax) return tooLarge(bytesMax)
  const raw = Number.isNaN(declared) ? await readUpTo(request.body, bytesMax) : await readWhole(request)
  if (!raw.ok) return raw
  const encoding = request.headers.get('content-encoding')
  return encoding === null || encoding === 'identity' ? raw : decompress(raw.value, encoding, bytesMax)
}

async function readWhole(request: Request): Promise<Result<Uint8Array, Failure>> {
  try {
    return ok(Buffer.from(await request.arrayBuffer()))
  } catch {
    return err(failure('cancelled', 'The client left while sending its request.'))
  }
}

/** Reads a body of unknown length and gives up as soon as it is longer than allowed. */
async function readUpTo(
  body: ReadableStream<Uint8Array> | null,
  bytesMax: number,
): Promise<Result<Uint8Array, Failure>> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of body ?? []) {
      length += chunk.length
      if (length > bytesMax) return tooLarge(bytesMax)
      chunks.push(chunk)
    }
  } catch {
    return err(failure('cancelled', 'The client left while sending its request.'))
  }
  return ok(Buffer.concat(chunks))
}

type Decode = (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array

const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
  ['zstd', zstdDecompressSync],
])

/** The cap holds for the decoded size: a small body cannot unfold into a large one. */
function decompress(bytes: Uint8Array, encoding: string, bytesMax: number): Result<Uint8Array, Failure> {
  const decode = DECODERS.get(encoding.trim().toLowerCase())
  if (decode === undefined) return err(failure('malformed', 'The content-encoding of the request is not supported.'))
  try {
    return ok(decode(bytes, { maxOutputLength: bytesMax }))
  } catch (cause) {
    const isTooLarge = cause instanceof RangeError || (cause instanceof Error && cause.message.includes('larger than'))
    return isTooLarge ? tooLarge(bytesMax) : err(failure('malformed', 'The request body could not be decompressed.'))
  }
}

function tooLarge(bytesMax: number): { readonly ok: false; readonly error: Failure } {
  const mib = Math.floor(bytesMax / 1_048_576)
  return err(failure('too_large', `The request body is larger than ${mib} MiB, the limit set in server.max_body_mib.`))
}

function wrong(param: string, message: string): { readonly ok: false; readonly error: Failure } {
  return err(failure('malformed', message, { param }))
}
