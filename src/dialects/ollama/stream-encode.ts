import { type JsonObject, parseJson } from '../../core/json.ts'
import type { Usage } from '../../core/usage.ts'
import { shownUsage } from '../answer/shown-usage.ts'
import { argumentsObject } from '../tools/call-arguments.ts'
import type { ClientContext, StreamEncoder } from '../dialect.ts'
import type { ChatEvent, Finish, TokenOdds } from '../neutral.ts'
import { writeOdds } from '../answer/token-odds.ts'
import { encodeStreamFailure } from './failure.ts'
import { headOf } from './reply.ts'
import { writeCounters } from './usage.ts'
import { type AnswerForm, doneReason, type Said, wireCall } from './wire.ts'

/**
 * White space before a line is none of its JSON: every client skips it, and a connection that is silent otherwise shows life. An
 * empty line would be logged as broken by the official client. `ollama` 0.6.4 (read 2026-11-21)
 */
export const KEEP_ALIVE = ' '

interface OpenCall {
  readonly id: string
  readonly name: string
  readonly kind: 'function' | 'custom'
  argumentsText: string
}

/** Events → lines. A call is written when it is whole, since its arguments are an object. */
export class OllamaStreamEncoder implements StreamEncoder {
  readonly #context: ClientContext
  readonly #form: AnswerForm
  readonly #head: JsonObject
  #call: OpenCall | undefined
  #calls = 0
  #usage: Usage | undefined
  #characters = 0
  #firstMs: number | undefined

  constructor(context: ClientContext, form: AnswerForm) {
    this.#context = context
    this.#form = form
    this.#head = headOf(context)
  }

  push(event: ChatEvent): string {
    switch (event.type) {
      case 'text-delta':
      case 'refusal-delta':
        return this.#say({ text: event.text })
      case 'reasoning-delta':
        return this.#say({ text: '', thinking: event.text })
      case 'text-end':
        return event.odds === undefined ? '' : this.#odds(event.odds)
      case 'tool-call-start':
        this.#call = { ...event, argumentsText: '' }
        return ''
      case 'tool-call-delta':
        if (this.#call !== undefined) this.#call.argumentsText += event.text
        return ''
      case 'tool-call-end':
        return this.#callEnd(event.complete)
      case 'usage':
        this.#usage = event.usage
        return ''
      case 'finish':
        return this.#finish(event.finish)
      case 'failure':
        return encodeStreamFailure(event.failure)
      case 'ping':
        return KEEP_ALIVE
      default:
        return ''
    }
  }

  #say(said: Said): string {
    const characters = said.text.length + (said.thinking?.length ?? 0)
    if (characters === 0 && said.calls === undefined) return ''
    this.#characters += characters
    this.#firstMs ??= this.#elapsedMs()
    return this.#line({ ...this.#form.write(said), done: false })
  }

  /** Told of the whole text at once, when it is whole. */
  #odds(odds: readonly TokenOdds[]): string {
    return this.#line({ ...this.#form.write({ text: '' }), logprobs: writeOdds(odds), done: false })
  }

  /** A call that a limit cut has no arguments that could be written. */
  #callEnd(complete: boolean): string {
    const call = this.#call
    this.#call = undefined
    if (call === undefined || (!complete && parseJson(call.argumentsText) === undefined)) return ''
    this.#characters += call.argumentsText.length
    return this.#say({ text: '', calls: [wireCall(call.id, call.name, this.#calls++, argumentsObject(call))] })
  }

  #finish(finish: Finish): string {
    const endMs = this.#elapsedMs()
    const usage = shownUsage(this.#usage, this.#context, this.#characters)
    return this.#line({
      ...this.#form.write({ text: '' }),
      done: true,
      done_reason: doneReason(finish),
      ...writeCounters(usage, { firstMs: this.#firstMs ?? endMs, endMs }),
    })
  }

  #elapsedMs(): number {
    return this.#context.elapsedMs?.() ?? 0
  }

  #line(more: JsonObject): string {
    return `${JSON.stringify({ ...this.#head, ...more })}\n`
  }
}
