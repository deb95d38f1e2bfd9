/**
 * A conversation that goes on by the id of its last answer. The vendor keeps such conversations; for models of others the gateway
 * does, as the items that a client would have sent again. https://platform.openai.com/docs/guides/conversation-state
 * (read 2026-11-21)
 */
import type { Failure } from '../../core/failure.ts'
import { asArray, asString, isObject, type Json, type JsonObject } from '../../core/json.ts'
import { bufferOf, memberOf, valueOf, type ScannedObject } from '../../core/json-scan.ts'
import type { Random } from '../../core/random.ts'
import { ok, type Result } from '../../core/result.ts'
import type { FindItem, Threads } from '../dialect.ts'
import { malformed } from '../system-splices.ts'
import { newItemId } from './response.ts'

const PREVIOUS = 'previous_response_id'
const REFERENCE = 'item_reference'
const REFERENCE_MARK = Buffer.from(`"${REFERENCE}"`)

export const threads: Threads = {
  previousId,
  mayKeep: (body) => valueOf(body, 'store') !== false,
  refersToItems: (body) => bufferOf(body.bytes).includes(REFERENCE_MARK),
  itemsOf,
  answerItems: (answer) => objectsIn(answer['output']),
  whole,
}

function previousId(body: ScannedObject): Result<string | undefined, Failure> {
  const id = valueOf(body, PREVIOUS) ?? undefined
  if (id === undefined || (typeof id === 'string' && id !== '')) return ok(id)
  return malformed(PREVIOUS, 'must be a string that is not empty')
}

/** What an answer is made of was announced with ids; what a client wrote gets them here, as the vendor gives them. */
function itemsOf(body: ScannedObject, random: Random, find: FindItem): readonly JsonObject[] {
  const input = memberOf(body, 'input') === undefined ? [] : valueOf(body, 'input')
  const items = typeof input === 'string' ? textItems(input) : objectsIn(input as Json)
  return items.map((item) => withId(resolved(item, find), random))
}

function textItems(text: string): readonly JsonObject[] {
  return text === '' ? [] : [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }]
}

function withId(item: JsonObject, random: Random): JsonObject {
  return typeof item['id'] === 'string' ? item : { ...item, id: newItemId('msg', random) }
}

/** A reference to an item that nobody here knows stays, and is refused when the request is read. */
function resolved(item: JsonObject, find: FindItem): JsonObject {
  if (item['type'] !== REFERENCE) return item
  return find(asString(item['id']) ?? '') ?? item
}

/** The items before come first, references give way to what they mean, and the id goes. */
function whole(body: JsonObject, before: readonly JsonObject[], find: FindItem): JsonObject {
  const { [PREVIOUS]: _answered, ...rest } = body
  const input = body['input'] ?? []
  const own = typeof input === 'string' ? textItems(input) : asArray(input)
  // The reader of the request says what is wrong with it.
  if (own === undefined) return rest
  return { ...rest, input: [...before, ...own.map((item) => (isObject(item) ? resolved(item, find) : item))] }
}

function objectsIn(list: Json | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}
