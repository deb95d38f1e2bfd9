import { failure } from '../../core/failure.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../../core/json.ts'
import type { Frame } from '../../core/framing/frame.ts'
import type { ReplyContext, StreamDecoder } from '../dialect.ts'
import type { ChatEvent } from '../neutral.ts'
import { Answer } from './answer.ts'
import { readChunk } from './chunk.ts'
import { failureOfEvent } from './failure.ts'
import { STREAM_END } from './wire.ts'

const LF = 0x0a
const CR = 0x0d

/**
 * A host's stream → events. Reasons to stop and usage may come anywhere, so the end waits for `[DONE]` or the end of the bytes;
 * what follows `[DONE]` is ignored.
 */
export class ChatStreamDecoder implements StreamDecoder {
  readonly #context: ReplyContext
  readonly #answer: Answer

  constructor(context: ReplyContext) {
    this.#context = context
    this.#answer = new Answer(context)
  }

  push(frame: Frame): readonly ChatEvent[] {
    if (this.#answer.ended) return []
    this.#read(frame)
    return this.#answer.take()
  }

  finish(): readonly ChatEvent[] {
    this.#answer.end('unmarked')
    return this.#answer.take()
  }

  #read(frame: Frame): void {
    const data = frame.data.trim()
    if (data === '') return this.#answer.ping()
    if (data === STREAM_END) return this.#answer.end('marked')
    const chunk = chunkOf(data)
    if (chunk === undefined) return isWholeFrame(frame) ? this.#refuse() : undefined
    if (frame.event === 'error') return this.#answer.fail(failureOfEvent(chunk))
    readChunk(this.#answer, chunk, this.#context, 'delta')
  }

  #refuse(): void {
    this.#answer.fail(failure('server', 'The provider sent an event that is not a chunk of an answer.'))
  }
}

/** The chunk in `data`; some hosts wrap an error in an array. Undefined when it is not an object. */
export function chunkOf(data: string): JsonObject | undefined {
  const value: Json | undefined = parseJson(data)
  const first: Json | undefined = Array.isArray(value) ? (value[0] as Json | undefined) : value
  return isObject(first) ? first : undefined
}

/** Whether the frame came with the blank line that ends it: without, the stream was cut inside. */
export function isWholeFrame({ bytes }: Frame): boolean {
  const last = bytes.at(-1)
  const before = bytes.at(-2)
  if (last === CR) return before === CR || before === LF
  return last === LF && (before === LF || (before === CR && [LF, CR].includes(bytes.at(-3) ?? 0)))
}
