import { failure, type Failure } from '../../core/failure.ts'
import type { Frame } from '../../core/framing/frame.ts'
import { asObject, parseJson } from '../../core/json.ts'
import { endedEarly } from '../answer/broken-answer.ts'
import type { ReplyContext, StreamDecoder } from '../dialect.ts'
import { EventWriter } from '../answer/event-writer.ts'
import type { ChatEvent } from '../neutral.ts'
import { readLine } from './answer.ts'

/** A server's lines → events. The last one says `done`; without it the answer broke off. */
export class OllamaStreamDecoder implements StreamDecoder {
  readonly #writer: EventWriter

  constructor(context: ReplyContext) {
    this.#writer = new EventWriter(context)
  }

  push(frame: Frame): readonly ChatEvent[] {
    if (this.#writer.ended) return []
    const line = asObject(parseJson(frame.data))
    if (frame.data === '') this.#writer.ping()
    else if (line === undefined) this.#writer.fail(notALine())
    else readLine(this.#writer, line)
    return this.#writer.take()
  }

  finish(): readonly ChatEvent[] {
    if (!this.#writer.ended) this.#writer.fail(endedEarly(this.#writer.any))
    return this.#writer.take()
  }
}

export function notALine(): Failure {
  return failure('server', 'The provider sent a line that is no part of an answer.')
}
