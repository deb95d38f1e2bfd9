import { failure } from '../../core/failure.ts'
import type { Frame } from '../../core/framing/frame.ts'
import { asNumber, asObject, asString, type JsonObject, parseJson } from '../../core/json.ts'
import { BlockOrder, TOO_MUCH_WAITS, type BlockEvent } from '../answer/block-order.ts'
import { endedEarly } from '../answer/broken-answer.ts'
import type { ReplyContext, StreamDecoder } from '../dialect.ts'
import type { ChatEvent } from '../neutral.ts'
import { Answer } from './answer.ts'
import { failureInside } from './failure.ts'
import { saysCut } from './wire.ts'

/** Sent by hosts that play this format; the provider itself does not. */
const STREAM_END = '[DONE]'

/** The provider's stream → events. `message-end` names the reason and ends it; without it the answer broke off. */
export class CohereStreamDecoder implements StreamDecoder {
  readonly #answer: Answer
  /** Calls are told apart by their index, whose numbers are not those of the texts. */
  readonly #calls = new BlockOrder()

  constructor(context: ReplyContext) {
    this.#answer = new Answer(context)
  }

  push(frame: Frame): readonly ChatEvent[] {
    const { writer } = this.#answer
    if (writer.ended) return []
    this.#read(frame)
    return writer.take()
  }

  finish(): readonly ChatEvent[] {
    const { writer } = this.#answer
    if (!writer.ended) writer.fail(endedEarly(writer.any))
    return writer.take()
  }

  #read({ event, data }: Frame): void {
    const { writer } = this.#answer
    if (data === '') return writer.ping()
    if (data === STREAM_END) return
    const payload = asObject(parseJson(data))
    if (payload === undefined)
      return writer.fail(failure('server', 'The provider sent an event that is no part of an answer.'))
    this.#event(asString(payload['type']) ?? event, payload)
  }

  #event(type: string, payload: JsonObject): void {
    const delta = asObject(payload['delta']) ?? {}
    const message = asObject(delta['message']) ?? {}
    switch (type) {
      case 'message-start':
        return this.#answer.writer.start(asString(payload['id']))
      case 'tool-plan-delta':
        this.#closeCalls()
        return this.#answer.text(asString(message['tool_plan']) ?? '')
      case 'content-start':
      case 'content-delta':
        this.#closeCalls()
        return this.#answer.say(message['content'])
      case 'tool-call-start':
      case 'tool-call-delta':
      case 'tool-call-end':
        return this.#call(payload, callEvent(type, asObject(message['tool_calls']) ?? {}))
      case 'citation-start':
        return this.#answer.cite(message['citations'])
      case 'message-end':
        return this.#end(delta)
      default:
        return this.#other(type, payload)
    }
  }

  #call({ index }: JsonObject, event: BlockEvent): void {
    for (const one of this.#calls.push(asNumber(index) ?? 0, event)) this.#tell(one, false)
    if (this.#calls.overflowed) this.#answer.writer.fail(TOO_MUCH_WAITS)
  }

  #closeCalls(isCut = false): void {
    for (const one of this.#calls.finish()) this.#tell(one, isCut)
  }

  #tell(event: BlockEvent, isCut: boolean): void {
    if (event.type === 'start') this.#answer.beginCall(event.start)
    else if (event.type === 'delta') this.#answer.callText(event.delta['arguments'])
    else this.#answer.endCall(isCut)
  }

  #end({ finish_reason, error, usage }: JsonObject): void {
    const word = asString(finish_reason)
    this.#closeCalls(word !== undefined && saysCut(word))
    this.#answer.end(word, error, usage)
  }

  /** Events that are not known are left out, unless they are errors. */
  #other(type: string, payload: JsonObject): void {
    const isError = type === 'error' || (type === '' && payload['message'] !== undefined)
    if (isError || (payload['error'] ?? null) !== null) this.#answer.writer.fail(failureInside(payload))
  }
}

function callEvent(type: 'tool-call-start' | 'tool-call-delta' | 'tool-call-end', call: JsonObject): BlockEvent {
  if (type === 'tool-call-start') return { type: 'start', start: call }
  return type === 'tool-call-end' ? { type: 'stop' } : { type: 'delta', delta: asObject(call['function']) ?? {} }
}
