import type { JsonObject } from '../../core/json.ts'
import type { Usage } from '../../core/usage.ts'
import { shownUsage } from '../answer/shown-usage.ts'
import { dataEvent, KEEP_ALIVE } from '../answer/sse.ts'
import type { ClientContext, StreamEncoder } from '../dialect.ts'
import type { ChatEvent, ChatReply, Finish } from '../neutral.ts'
import { encodeStreamFailure } from '../openai-errors.ts'
import { choice, completionHead, finishWord, writeUsage } from './wire.ts'

/** The text of an answer; thinking has no place here. */
export function encodeReply({ parts, finish, usage }: ChatReply, context: ClientContext): JsonObject {
  const text = parts.map((part) => (part.type === 'text' || part.type === 'refusal' ? part.text : '')).join('')
  return {
    ...completionHead(context),
    choices: [choice(text, finishWord(finish))],
    usage: writeUsage(shownUsage(usage, context, text.length)),
  }
}

/** Events → chunks, each an object of the same shape as a plain reply. */
export class CompletionStreamEncoder implements StreamEncoder {
  readonly #context: ClientContext
  readonly #head: JsonObject
  #usage: Usage | undefined
  #characters = 0
  #failed = false

  constructor(context: ClientContext) {
    this.#context = context
    this.#head = completionHead(context)
  }

  push(event: ChatEvent): string {
    switch (event.type) {
      case 'text-delta':
      case 'refusal-delta':
        this.#characters += event.text.length
        return event.text === '' ? '' : this.#chunk([choice(event.text, null)])
      case 'usage':
        this.#usage = event.usage
        return ''
      case 'finish':
        return this.#finish(event.finish)
      case 'failure':
        this.#failed = true
        return encodeStreamFailure(event.failure)
      case 'ping':
        return KEEP_ALIVE
      case 'end':
        return this.#failed ? '' : 'data: [DONE]\n\n'
      default:
        return ''
    }
  }

  #finish(finish: Finish): string {
    const last = this.#chunk([choice('', finishWord(finish))])
    if (!this.#context.streamUsage) return last
    return last + this.#chunk([], writeUsage(shownUsage(this.#usage, this.#context, this.#characters)))
  }

  #chunk(choices: readonly JsonObject[], usage: JsonObject | null = null): string {
    const shown = this.#context.streamUsage ? { usage } : {}
    return dataEvent({ ...this.#head, choices, ...shown })
  }
}
