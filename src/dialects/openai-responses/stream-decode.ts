/** A provider's streamed response, or a whole one → ChatEvents. Items are told apart by output index; ids rotate on some hosts. */
import { failure, type Failure } from '../../core/failure.ts'
import { asArray, asObject, asString, isObject, type Json, type JsonObject, parseJson } from '../../core/json.ts'
import { err, type Result } from '../../core/result.ts'
import type { Frame } from '../../core/framing/frame.ts'
import { endedEarly } from '../answer/broken-answer.ts'
import type { ReplyContext, StreamDecoder } from '../dialect.ts'
import { foldEvents } from '../answer/fold.ts'
import { NAMELESS_CALL } from '../tools/nameless-call.ts'
import type { ChatEvent, ChatReply, Finish } from '../neutral.ts'
import { idsOf, type ItemDecoder } from './item-decoder.ts'
import { decoderFor } from './items-decode.ts'
import { decodeUsage } from './usage.ts'
import { failureInside } from './vendor-failure.ts'
import { optional, TERMINAL } from './wire.ts'

export function streamDecoder(context: ReplyContext): StreamDecoder {
  return new ResponseDecoder(context)
}

/** A plain reply is the terminal snapshot of a stream without deltas. Failures: what the response says, or `server`. */
export function decodeReply(body: JsonObject, context: ReplyContext): Result<ChatReply, Failure> {
  if ((body['error'] ?? null) !== null) return err(failureInside(isObject(body['error']) ? body['error'] : body))
  if (!Array.isArray(body['output'])) return err(failure('server', 'The provider answered without an output.'))
  return foldEvents(new ResponseDecoder(context).whole(body))
}

class ResponseDecoder implements StreamDecoder {
  readonly #context: ReplyContext
  /** By output index, in the order in which they give out their events. */
  readonly #items = new Map<number, ItemDecoder>()
  /** Items that the snapshot has named. */
  readonly #settled = new Set<ItemDecoder>()
  #events: ChatEvent[] = []
  #started = false
  #sawContent = false
  #ended = false

  constructor(context: ReplyContext) {
    this.#context = context
  }

  push(frame: Frame): readonly ChatEvent[] {
    if (this.#ended) return []
    this.#events = []
    if (frame.data === '' || frame.event === 'keepalive') return [{ type: 'ping' }]
    if (frame.data === '[DONE]') return []
    const data = asObject(parseJson(frame.data))
    if (data === undefined) this.#fail(failure('server', 'The provider sent something that is not an event.'))
    else this.#read(asString(data['type']) ?? frame.event, data)
    return this.#events
  }

  finish(): readonly ChatEvent[] {
    this.#events = []
    if (!this.#ended) this.#fail(endedEarly(this.#sawContent))
    return this.#events
  }

  /** All events of a response that came in one piece. */
  whole(response: JsonObject): readonly ChatEvent[] {
    this.#events = []
    this.#terminal(`response.${asString(response['status']) ?? 'completed'}`, response)
    return this.#events
  }

  #read(type: string, data: JsonObject): void {
    if (type === 'error' || (data['error'] ?? null) !== null) this.#fail(failureInside(data))
    else if (type === 'keepalive') this.#events.push({ type: 'ping' })
    else if (type === 'response.created') this.#start(asObject(data['response']) ?? {})
    else if (TERMINAL.has(type)) this.#terminal(type, asObject(data['response']) ?? {})
    else if (type === 'response.output_item.added') this.#added(indexOf(data), asObject(data['item']) ?? {})
    else if (type === 'response.output_item.done') this.#done(indexOf(data), asObject(data['item']) ?? {})
    else if (type.startsWith('response.')) this.#inside(type.slice('response.'.length), data)
  }

  #start(response: JsonObject): void {
    if (this.#started) return
    this.#started = true
    const id = asString(response['id'])
    const model = asString(response['model'])
    this.#events.push({ type: 'start', ...optional('id', id), ...optional('model', model) })
  }

  #added(index: number, item: JsonObject): ItemDecoder {
    const known = this.#items.get(index)
    if (known !== undefined) return known
    const decoder = decoderFor(item, this.#context)
    this.#items.set(index, decoder)
    this.#flush()
    return decoder
  }

  #inside(event: string, data: JsonObject): void {
    const type = OWNERS.find(([prefix]) => event.startsWith(prefix))?.[1]
    const known = this.#items.get(indexOf(data))
    if (type === undefined || (known?.type ?? type) !== type) return
    // Some hosts send deltas of an item that they never announced.
    const item = known ?? this.#added(indexOf(data), { type })
    if (!item.isDone) item.push(event, data)
    this.#flush()
  }

  #done(index: number, item: JsonObject): void {
    this.#added(index, item).done(item, false)
    this.#flush()
  }

  #terminal(type: string, response: JsonObject): void {
    this.#start(response)
    const isCut = type !== 'response.completed'
    for (const element of asArray(response['output']) ?? []) this.#settle(asObject(element) ?? {}, isCut)
    for (const item of this.#items.values()) item.done({}, isCut)
    this.#flush()
    if (this.#ended) return
    const usage = decodeUsage(response, this.#context.quirks)
    if (usage !== undefined) this.#events.push({ type: 'usage', usage })
    if (type === 'response.completed' || type === 'response.incomplete') this.#finish(type, response)
    else this.#fail(failureInside(failedResponse(response)))
  }

  /** An item of the snapshot: completes the one that was streamed, or stands for itself when none was. */
  #settle(item: JsonObject, isCut: boolean): void {
    const type = asString(item['type']) ?? 'message'
    const same = this.#streamed((streamed) => streamed.ids.some((id) => idsOf(item).includes(id)))
    const streamed = same ?? this.#streamed((candidate) => candidate.type === type)
    const decoder = streamed ?? this.#added(nextIndex(this.#items), item)
    this.#settled.add(decoder)
    decoder.done(item, isCut && item['status'] !== 'completed')
  }

  #streamed(fits: (item: ItemDecoder) => boolean): ItemDecoder | undefined {
    for (const item of this.#items.values()) if (!this.#settled.has(item) && fits(item)) return item
    return undefined
  }

  #finish(type: string, response: JsonObject): void {
    const finish = finishOf(type, response, this.#items.values().toArray())
    this.#events.push({ type: 'finish', finish }, { type: 'end' })
    this.#ended = true
  }

  #fail(failed: Failure): void {
    this.#events.push({ type: 'failure', failure: failed }, { type: 'end' })
    this.#ended = true
  }

  /** Gives out what may be given out: an item's events wait until every item before it is done. */
  #flush(): void {
    for (const item of this.#items.values()) {
      if (this.#ended) return
      const events = item.take()
      if (events.length > 0) {
        this.#start({})
        this.#sawContent = true
        this.#events.push(...events)
      }
      if (item.isNameless) return this.#fail(NAMELESS_CALL)
      if (!item.isDone) return
    }
  }
}

/** Which item an event belongs to, by the beginning of its name. */
const OWNERS: readonly (readonly [prefix: string, type: string])[] = [
  ['output_text.', 'message'],
  ['refusal.', 'message'],
  ['content_part.', 'message'],
  ['reasoning_', 'reasoning'],
  ['function_call_arguments.', 'function_call'],
  ['custom_tool_call_input.', 'custom_tool_call'],
]

function indexOf(data: JsonObject): number {
  const index = data['output_index']
  return typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? index : 0
}

function nextIndex(items: ReadonlyMap<number, ItemDecoder>): number {
  return Math.max(-1, ...items.keys()) + 1
}

/** Calls decide over `completed`; a limit or a filter decides over calls. */
function finishOf(type: string, response: JsonObject, items: readonly ItemDecoder[]): Finish {
  const raw = asString(asObject(response['incomplete_details'])?.['reason'])
  if (type === 'response.incomplete') return incompleteFinish(raw)
  if (items.some((item) => item.isCall)) return { reason: 'tool-calls' }
  return { reason: items.some((item) => item.isRefusal) ? 'refusal' : 'stop' }
}

function incompleteFinish(raw: string | undefined): Finish {
  if (raw === 'max_output_tokens') return { reason: 'length' }
  if (raw === 'content_filter') return { reason: 'refusal' }
  return { reason: 'other', ...optional('raw', raw) }
}

/** The error of a response that did not come to its end, whichever way it says so. */
function failedResponse(response: JsonObject): Json {
  return response['error'] ?? { message: `The response ended as "${String(response['status'])}".` }
}
