import { failure, type Failure } from '../../core/failure.ts'
import type { Frame } from '../../core/framing/frame.ts'
import { asObject, asString, type JsonObject } from '../../core/json.ts'
import type { ReplyContext, StreamDecoder } from '../dialect.ts'
import type { ChatEvent } from '../neutral.ts'
import { parseJson } from '../upstream-error.ts'
import { Answer } from './answer.ts'
import { failureInside } from './failure.ts'

/** Sent by hosts that play this format; the provider itself does not. */
const STREAM_END = '[DONE]'

/** The provider's stream → events. `message-end` names the reason and ends it; without it the answer broke off. */
export class CohereStreamDecoder implements StreamDecoder {
  readonly #answer: Answer

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
        return this.#answer.text(asString(message['tool_plan']) ?? '')
      case 'content-start':
      case 'content-delta':
        return this.#answer.say(message['content'])
      case 'tool-call-start':
        return this.#answer.beginCall(asObject(message['tool_calls']) ?? {})
      case 'tool-call-delta':
        return this.#answer.callText(asObject(asObject(message['tool_calls'])?.['function'])?.['arguments'])
      case 'tool-call-end':
        return this.#answer.endCall()
      case 'citation-start':
        return this.#answer.cite(message['citations'])
      case 'message-end':
        return this.#answer.end(asString(delta['finish_reason']), delta['error'], delta['usage'])
      default:
        return this.#other(type, payload)
    }
  }

  /** Events that are not known are left out, unless they are errors. */
  #other(type: string, payload: JsonObject): void {
    const isError = type === 'error' || (type === '' && payload['message'] !== undefined)
    if (isError || (payload['error'] ?? null) !== null) this.#answer.writer.fail(failureInside(payload))
  }
}

function endedEarly(hasContent: boolean): Failure {
  return hasContent
    ? failure('cut', 'The provider ended the stream before its answer was complete.')
    : failure('empty', 'The provider ended its answer without any content.')
}
