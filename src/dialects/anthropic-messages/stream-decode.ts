/**
 * Events of a provider → ChatEvents. Total: whatever comes in, what goes out is in the legal order and ends. A block that a host
 * never closes is closed at the end.
 */
import type { Failure } from '../../core/failure.ts'
import { asNumber, asObject, asString, isObject, type JsonObject, parseJson } from '../../core/json.ts'
import type { Frame } from '../../core/framing/frame.ts'
import { NO_USAGE } from '../../core/usage.ts'
import { TOO_MUCH_WAITS } from '../answer/block-order.ts'
import { brokenAnswer, endedEarly } from '../answer/broken-answer.ts'
import type { ReplyContext, StreamDecoder } from '../dialect.ts'
import { NAMELESS_CALL } from '../tools/nameless-call.ts'
import type { ChatEvent } from '../neutral.ts'
import { BlockQueue } from './block-queue.ts'
import { failureInside } from './failure.ts'
import { decodeFinish, readStop, type WireStop } from './stop-reason.ts'
import { mergeFigures, usageOf, type Figures } from './usage.ts'

export class MessagesDecoder implements StreamDecoder {
  readonly #blocks: BlockQueue
  #started = false
  #ended = false
  #sawContent = false
  #sawCalls = false
  #figures: Figures | undefined
  #stop: WireStop | undefined

  constructor(context: ReplyContext) {
    this.#blocks = new BlockQueue(context)
  }

  push(frame: Frame): readonly ChatEvent[] {
    if (this.#ended || frame.data === '[DONE]') return []
    if (frame.data === '') return [{ type: 'ping' }]
    const event = parseJson(frame.data)
    return isObject(event)
      ? this.handle(event, frame.event)
      : this.#fail(brokenAnswer('holds an event that is not JSON'))
  }

  /** One event by its own type; `name` is the `event:` line, for hosts that leave the type out. */
  handle(event: JsonObject, name = ''): readonly ChatEvent[] {
    if (this.#ended) return []
    const type = asString(event['type']) ?? name
    const index = asNumber(event['index']) ?? 0
    switch (type) {
      case 'ping':
        return [{ type: 'ping' }]
      case 'message_start':
        return this.#messageStart(asObject(event['message']) ?? {})
      case 'content_block_start':
        return this.#open(index, asObject(event['content_block']) ?? {})
      case 'content_block_delta':
        this.#sawContent = true
        return this.#tell(this.#blocks.delta(index, asObject(event['delta']) ?? {}))
      case 'content_block_stop':
        return this.#tell(this.#blocks.close(index))
      case 'message_delta':
        return this.#messageDelta(event)
      case 'message_stop':
        return this.#finish()
      default:
        return type === 'error' || event['error'] ? this.#fail(failureInside(event)) : []
    }
  }

  finish(): readonly ChatEvent[] {
    if (this.#ended) return []
    if (this.#stop !== undefined) return this.#finish()
    return this.#fail(endedEarly(this.#sawContent))
  }

  /** A second start belongs to an answer that a proxy spliced in: what was already told stays. */
  #messageStart(message: JsonObject): readonly ChatEvent[] {
    return [...this.#start(asString(message['id']), asString(message['model'])), ...this.#usage(message)]
  }

  #start(id?: string, model?: string): readonly ChatEvent[] {
    if (this.#started) return []
    this.#started = true
    return [{ type: 'start', ...(id ? { id } : {}), ...(model ? { model } : {}) }]
  }

  #open(index: number, block: JsonObject): readonly ChatEvent[] {
    if (block['type'] === 'tool_use' && !asString(block['name'])) return this.#fail(NAMELESS_CALL)
    return this.#tell(this.#blocks.open(index, block))
  }

  #tell(events: readonly ChatEvent[]): readonly ChatEvent[] {
    if (this.#blocks.overflowed) return this.#fail(TOO_MUCH_WAITS)
    this.#sawCalls ||= events.some(({ type }) => type === 'tool-call-start')
    this.#sawContent ||= events.some(isContent)
    return [...this.#start(), ...events]
  }

  #messageDelta(event: JsonObject): readonly ChatEvent[] {
    this.#stop = readStop(asObject(event['delta']) ?? {}) ?? this.#stop
    return [...this.#start(), ...this.#usage(event)]
  }

  #usage(holder: JsonObject): readonly ChatEvent[] {
    const usage = asObject(holder['usage'])
    if (usage === undefined) return []
    this.#figures = mergeFigures(this.#figures, usage)
    return [{ type: 'usage', usage: usageOf(this.#figures) }]
  }

  #finish(): readonly ChatEvent[] {
    const told = this.#tell(this.#blocks.closeAll())
    const usage: ChatEvent[] =
      this.#figures === undefined ? [{ type: 'usage', usage: { ...NO_USAGE, estimated: true } }] : []
    this.#ended = true
    return [...told, ...usage, { type: 'finish', finish: decodeFinish(this.#stop, this.#sawCalls) }, { type: 'end' }]
  }

  #fail(failed: Failure): readonly ChatEvent[] {
    this.#ended = true
    return [{ type: 'failure', failure: failed }, { type: 'end' }]
  }
}

function isContent({ type }: ChatEvent): boolean {
  return type === 'text-delta' || type === 'reasoning-delta' || type === 'tool-call-start' || type === 'foreign'
}
