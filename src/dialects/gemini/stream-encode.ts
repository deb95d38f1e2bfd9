/**
 * ChatEvents → the chunks of a client. The official client takes nothing but `data:` lines with JSON in them: no names of events,
 * no mark at the end. Clients that do not ask for events get one JSON array.
 * https://github.com/googleapis/js-genai `_api_client.ts` (read 2026-11-21)
 */
import type { Failure } from '../../core/failure.ts'
import type { JsonObject } from '../../core/json.ts'
import { NO_USAGE, type Usage } from '../../core/usage.ts'
import { dataEvent, KEEP_ALIVE } from '../answer/sse.ts'
import type { ClientContext, StreamEncoder } from '../dialect.ts'
import type { ChatEvent } from '../neutral.ts'
import { AnswerParts } from './answer-parts.ts'
import { responseOf } from './answer.ts'
import { envelope } from './failure.ts'
import { encodeFinish } from './stop-reason.ts'
import { encodeUsage } from './usage.ts'
import type { WirePart } from './wire.ts'

/** How chunks stand in a stream. */
export interface ChunkForm {
  chunk(chunk: JsonObject, isFirst: boolean): string
  end(isEmpty: boolean): string
  /** What may stand between two chunks without being one. */
  readonly pause: string
}

export const EVENTS: ChunkForm = {
  chunk: dataEvent,
  end: () => '',
  pause: KEEP_ALIVE,
}

export const ARRAY: ChunkForm = {
  chunk: (chunk, isFirst) => `${isFirst ? '[' : ',\n'}${JSON.stringify(chunk)}`,
  end: (isEmpty) => (isEmpty ? '[]' : ']'),
  pause: '\n',
}

/** `started`: whether any chunk was written before. The array is closed, so that what came is still JSON. */
export function streamFailure(form: ChunkForm, failed: Failure, started: boolean): string {
  return form.chunk(envelope(failed), !started) + form.end(false)
}

export class GeminiEncoder implements StreamEncoder {
  readonly #context: ClientContext
  readonly #form: ChunkForm
  readonly #parts: AnswerParts
  #id: string | undefined
  #usage: Usage | undefined
  #started = false
  #failed = false

  constructor(context: ClientContext, form: ChunkForm) {
    this.#context = context
    this.#form = form
    this.#parts = new AnswerParts(context.request)
  }

  push(event: ChatEvent): string {
    switch (event.type) {
      case 'start':
        this.#id = event.id
        return ''
      case 'usage':
        this.#usage = event.usage
        return ''
      case 'ping':
        return this.#form.pause
      case 'failure':
        this.#failed = true
        return streamFailure(this.#form, event.failure, this.#started)
      case 'finish':
        return this.#finish(event)
      case 'end':
        return this.#failed ? '' : this.#form.end(!this.#started)
      default:
        return this.#parts
          .push(event)
          .map((part) => this.#chunk([part], {}))
          .join('')
    }
  }

  #finish(event: Extract<ChatEvent, { type: 'finish' }>): string {
    const loose = this.#parts.push(event)
    const grounding = this.#parts.grounding()
    const usage = this.#usage ?? { ...NO_USAGE, inputUncached: this.#context.inputTokensEstimate }
    return this.#chunk(
      loose.length === 0 ? [{ text: '' }] : loose,
      {
        finishReason: encodeFinish(event.finish),
        ...(grounding === undefined ? {} : { groundingMetadata: grounding }),
      },
      { usageMetadata: encodeUsage(usage) },
    )
  }

  #chunk(parts: readonly WirePart[], candidate: JsonObject, more: JsonObject = {}): string {
    const isFirst = !this.#started
    this.#started = true
    this.#id = this.#id ?? this.#context.requestId
    return this.#form.chunk(responseOf(this.#context, this.#id, parts, candidate, more), isFirst)
  }
}
