import type { Json, JsonObject } from '../../core/json.ts'
import type { Usage } from '../../core/usage.ts'
import { shownUsage } from '../answer/shown-usage.ts'
import { dataEvent, KEEP_ALIVE } from '../answer/sse.ts'
import type { ClientContext, StreamEncoder } from '../dialect.ts'
import type { ChatEvent, Citation, Finish, TokenOdds } from '../neutral.ts'
import { encodeStreamFailure } from '../openai-errors.ts'
import { writeCitations } from './citations.ts'
import { newCompletionId } from './ids.ts'
import { sealedDetail } from './reasoning-details.ts'
import { tierMember, writeUsage } from './usage.ts'
import { finishWord, STREAM_END, wireLogprobs } from './wire.ts'

interface OpenCall {
  readonly index: number
  readonly kind: 'function' | 'custom'
  empty: boolean
}

/**
 * Events → chunks for the official client, which wants a role first, `type`, `id` and `name` in a call's first fragment alone,
 * dense indices, one reason to stop, and the usage by itself when it asked for it. The first chunk waits for the first content,
 * so that a change of target before it leaves no trace.
 */
export class ChatStreamEncoder implements StreamEncoder {
  readonly #context: ClientContext
  readonly #id: string
  #started = false
  #failed = false
  #usage: Usage | undefined
  #calls = 0
  #call: OpenCall | undefined
  #thought = ''
  #details = 0
  #refusal = false
  #characters = 0
  /** Characters of text before the part that is open, and with it. */
  #textStart = 0
  #text = 0

  constructor(context: ClientContext) {
    this.#context = context
    this.#id = newCompletionId(context.random)
  }

  push(event: ChatEvent): string {
    if ('text' in event) {
      if (event.text === '') return ''
      this.#characters += event.text.length
    }
    switch (event.type) {
      case 'text-delta':
        this.#text += event.text.length
        return this.#delta({ content: event.text })
      case 'text-end':
        return this.#citations(event.citations) + this.#odds(event.odds)
      case 'reasoning-start':
        this.#thought = ''
        return ''
      case 'reasoning-delta':
        this.#thought += event.text
        return this.#delta({ reasoning_content: event.text })
      case 'reasoning-end':
        return this.#state(event)
      case 'refusal-delta':
        this.#refusal = true
        return this.#delta({ refusal: event.text })
      case 'tool-call-start':
        return this.#callStart(event)
      case 'tool-call-delta':
        return this.#callDelta(event.text)
      case 'tool-call-end':
        return this.#callEnd(event.complete)
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
        return this.#failed ? '' : `data: ${STREAM_END}\n\n`
      default:
        return ''
    }
  }

  /** The part that ends began where the one before it had ended. */
  #citations(citations: readonly Citation[] = []): string {
    const annotations = writeCitations(citations, this.#textStart, this.#text)
    this.#textStart = this.#text
    return annotations.length === 0 ? '' : this.#delta({ annotations })
  }

  /** Told of the whole text at once, when it is whole. */
  #odds(odds: readonly TokenOdds[] = []): string {
    return odds.length === 0 ? '' : this.#chunk([{ ...choice({}), logprobs: wireLogprobs(odds) }], null)
  }

  #state({ opaque, redacted }: Extract<ChatEvent, { type: 'reasoning-end' }>): string {
    if (opaque === undefined) return ''
    const detail = sealedDetail({ text: this.#thought, opaque, redacted }, this.#details)
    if (detail === undefined) return ''
    this.#details++
    return this.#delta({ reasoning_details: [detail] })
  }

  #callStart({ id, name, kind }: Extract<ChatEvent, { type: 'tool-call-start' }>): string {
    const index = this.#calls++
    this.#call = { index, kind, empty: true }
    const body = kind === 'custom' ? { custom: { name, input: '' } } : { function: { name, arguments: '' } }
    return this.#delta({ tool_calls: [{ index, id, type: kind, ...body }] })
  }

  #callDelta(text: string): string {
    const call = this.#call
    if (call === undefined) return ''
    call.empty = false
    const body = call.kind === 'custom' ? { custom: { input: text } } : { function: { arguments: text } }
    return this.#delta({ tool_calls: [{ index: call.index, ...body }] })
  }

  /** Clients parse the arguments without looking, so no arguments are an empty object. */
  #callEnd(complete: boolean): string {
    const call = this.#call
    const lacksArguments = call !== undefined && call.empty && complete && call.kind === 'function'
    const text = lacksArguments ? this.#callDelta('{}') : ''
    this.#call = undefined
    return text
  }

  #finish(finish: Finish): string {
    const word = finishWord(finish, { calls: this.#calls > 0, refusal: this.#refusal })
    const last = this.#start() + this.#chunk([{ index: 0, delta: {}, logprobs: null, finish_reason: word }], null)
    if (!this.#context.streamUsage) return last
    return last + this.#chunk([], writeUsage(shownUsage(this.#usage, this.#context, this.#characters)))
  }

  #delta(delta: JsonObject): string {
    return this.#start() + this.#chunk([choice(delta)], null)
  }

  #start(): string {
    if (this.#started) return ''
    this.#started = true
    return this.#chunk([choice({ role: 'assistant', content: '' })], null)
  }

  #chunk(choices: readonly Json[], usage: JsonObject | null): string {
    const chunk: JsonObject = {
      id: this.#id,
      object: 'chat.completion.chunk',
      created: this.#context.createdAtS,
      model: this.#context.model,
      ...(usage === null || this.#usage === undefined ? {} : tierMember(this.#usage)),
      choices,
      ...(this.#context.streamUsage ? { usage } : {}),
    }
    return dataEvent(chunk)
  }
}

function choice(delta: JsonObject): JsonObject {
  return { index: 0, delta, logprobs: null, finish_reason: null }
}
