/**
 * ChatEvents → the event stream of a client. The official client is strict: every event has its `event:` line, indices leave no
 * gap, both usages are there, a thinking block ends with its signature, and no block is opened that would stay empty.
 * https://github.com/anthropics/anthropic-sdk-typescript `MessageStream` (read 2026-11-21)
 */
import type { JsonObject } from '../../core/json.ts'
import { NO_USAGE, type Usage } from '../../core/usage.ts'
import type { ClientContext, StreamEncoder } from '../dialect.ts'
import type { ChatEvent, Citation, Finish, ForeignPart } from '../neutral.ts'
import { carrier, messageId, messageSkeleton, showsText, showsThinking } from './answer.ts'
import { writeCitations } from './citations.ts'
import { encodeStreamFailure } from './failure.ts'
import { encodeStop } from './stop-reason.ts'
import { encodeUsage } from './usage.ts'
import { ID, sse, type WireBlock } from './wire.ts'

export const PING = sse('ping', {})

type CallStart = Extract<ChatEvent, { type: 'tool-call-start' }>
type ReasoningEnd = Extract<ChatEvent, { type: 'reasoning-end' }>

export class MessagesEncoder implements StreamEncoder {
  readonly #context: ClientContext
  #id: string | undefined
  #usage: Usage | undefined
  #started = false
  /** Dense, whatever the provider counted. */
  #nextIndex = 0
  #isOpen = false
  #callKind: CallStart['kind'] = 'function'
  #seen = { calls: false, refusal: false }

  constructor(context: ClientContext) {
    this.#context = context
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
        return this.#started ? PING : ''
      case 'finish':
        return this.#finish(event.finish)
      case 'failure':
        return encodeStreamFailure(event.failure, this.#context.requestId)
      case 'foreign':
        return event.part.origin === ID ? this.#foreign(event.part) : ''
      case 'end':
        return ''
      default:
        return this.#content(event)
    }
  }

  #content(
    event: Exclude<ChatEvent, { type: 'start' | 'usage' | 'ping' | 'finish' | 'failure' | 'foreign' | 'end' }>,
  ): string {
    switch (event.type) {
      case 'text-start':
      case 'refusal-start':
      case 'reasoning-start':
        return ''
      case 'refusal-delta':
        this.#seen.refusal = true
        return this.#text(event.text)
      case 'text-delta':
        return this.#text(event.text)
      case 'text-end':
        return this.#textEnd(event.citations)
      case 'refusal-end':
        return this.#textEnd(undefined)
      case 'reasoning-delta':
        return showsText(this.#context.request) ? this.#thinking(event.text) : ''
      case 'reasoning-end':
        return this.#reasoningEnd(event)
      case 'tool-call-start':
        return this.#callStart(event)
      case 'tool-call-delta':
        return this.#callDelta(event.text)
      case 'tool-call-end':
        return this.#callEnd()
    }
  }

  #text(text: string): string {
    if (text === '') return ''
    return this.#open({ type: 'text', text: '' }) + this.#delta({ type: 'text_delta', text })
  }

  #textEnd(citations: readonly Citation[] | undefined): string {
    if (!this.#isOpen) return ''
    const cited = writeCitations(citations).map((citation) => this.#delta({ type: 'citations_delta', citation }))
    return cited.join('') + this.#close()
  }

  #thinking(text: string): string {
    if (text === '') return ''
    return this.#openThinking() + this.#delta({ type: 'thinking_delta', thinking: text })
  }

  #openThinking(): string {
    return this.#open({ type: 'thinking', thinking: '', signature: '' })
  }

  #reasoningEnd({ opaque, redacted }: ReasoningEnd): string {
    const isShown = showsThinking({ text: '', ...(opaque && { opaque }) }, this.#context.request)
    if (redacted && isShown) return this.#whole({ type: 'redacted_thinking', data: carrier(opaque) })
    if (!this.#isOpen && !isShown) return ''
    return this.#openThinking() + this.#delta({ type: 'signature_delta', signature: carrier(opaque) }) + this.#close()
  }

  #callStart({ id, name, kind }: CallStart): string {
    this.#seen.calls = true
    this.#callKind = kind
    const opened = this.#open({ type: 'tool_use', id, name, input: {} })
    return kind === 'custom' ? opened + this.#argumentsDelta('{"input":"') : opened
  }

  /** Free text travels as the one string of an object; a piece of a JSON string is a JSON string's inside. */
  #callDelta(text: string): string {
    if (text === '') return ''
    return this.#argumentsDelta(this.#callKind === 'custom' ? JSON.stringify(text).slice(1, -1) : text)
  }

  #callEnd(): string {
    return (this.#callKind === 'custom' ? this.#argumentsDelta('"}') : '') + this.#close()
  }

  #argumentsDelta(fragment: string): string {
    return this.#delta({ type: 'input_json_delta', partial_json: fragment })
  }

  #foreign({ kind, raw }: ForeignPart): string {
    return this.#whole({ ...raw, type: kind })
  }

  /** A block that is complete when it starts. */
  #whole(block: WireBlock): string {
    return this.#open(block) + this.#close()
  }

  #open(block: WireBlock): string {
    if (this.#isOpen) return ''
    this.#isOpen = true
    return this.#start() + sse('content_block_start', { index: this.#nextIndex, content_block: block })
  }

  #delta(delta: JsonObject): string {
    return sse('content_block_delta', { index: this.#nextIndex, delta })
  }

  #close(): string {
    this.#isOpen = false
    return sse('content_block_stop', { index: this.#nextIndex++ })
  }

  /** Written with the first content, not before: until then another target may still answer. */
  #start(): string {
    if (this.#started) return ''
    this.#started = true
    const { model, random, inputTokensEstimate } = this.#context
    const usage = this.#usage ?? { ...NO_USAGE, inputUncached: inputTokensEstimate }
    const message = {
      ...messageSkeleton(messageId(this.#id, random), model),
      usage: { ...encodeUsage(usage), output_tokens: Math.max(1, usage.output) },
    }
    return sse('message_start', { message }) + PING
  }

  #finish(finish: Finish): string {
    const { inputTokensEstimate } = this.#context
    const usage = this.#usage ?? { ...NO_USAGE, inputUncached: inputTokensEstimate }
    const delta = { ...encodeStop(finish, this.#seen), container: null }
    return this.#start() + sse('message_delta', { delta, usage: encodeUsage(usage) }) + sse('message_stop', {})
  }
}
