/** One item of a streamed response each: message, reasoning, call. An item that turns out to hold nothing is never announced. */
import type { JsonObject } from '../../core/json.ts'
import type { ClientContext } from '../dialect.ts'
import type { ChatEvent, Opaque } from '../neutral.ts'
import { sealOpaque } from '../opaque.ts'
import { callee, newItemId, type Callee } from './response.ts'
import { HOME_VENDOR, optional, type WireEvent } from './wire.ts'

/** Writes an event under the item's output index. */
export type Announce = (event: WireEvent) => void

export interface Item {
  push(event: ChatEvent): void
  /** The finished item, announced as done; undefined when it never came to be. */
  close(): JsonObject | undefined
  /** The item as far as it came, for an answer that failed. */
  abandon(): JsonObject | undefined
}

/** Holds back half a character at the end of a delta: clients in some languages cannot put the halves together. */
class Halves {
  #held = ''

  join(text: string): string {
    const whole = this.#held + text
    const last = whole.charCodeAt(whole.length - 1)
    const isHalf = last >= 0xd800 && last <= 0xdbff
    this.#held = isHalf ? whole.slice(-1) : ''
    return isHalf ? whole.slice(0, -1) : whole
  }

  rest(): string {
    const held = this.#held
    this.#held = ''
    return held
  }
}

type MessagePart = { readonly type: 'output_text' | 'refusal'; text: string; annotations: readonly JsonObject[] }

export class MessageItem implements Item {
  readonly #announce: Announce
  readonly #id: string
  readonly #halves = new Halves()
  readonly #content: JsonObject[] = []
  #announced = false
  #part: MessagePart | undefined

  constructor(announce: Announce, { random }: ClientContext) {
    this.#announce = announce
    this.#id = newItemId('msg', random)
  }

  push(event: ChatEvent): void {
    if (event.type === 'text-delta') this.#delta('output_text', this.#halves.join(event.text))
    else if (event.type === 'refusal-delta') this.#delta('refusal', this.#halves.join(event.text))
    else if (event.type === 'text-end') this.#endPart('output_text', event.annotations ?? [])
    else if (event.type === 'refusal-end') this.#endPart('refusal', [])
  }

  close(): JsonObject | undefined {
    if (!this.#announced) return undefined
    const item = this.#item('completed')
    this.#announce({ type: 'response.output_item.done', item })
    return item
  }

  abandon(): JsonObject | undefined {
    if (this.#part !== undefined) this.#content.push(wirePart(this.#part))
    return this.#announced ? this.#item('incomplete') : undefined
  }

  #delta(type: MessagePart['type'], delta: string): void {
    if (delta === '') return
    const part = (this.#part ??= this.#startPart(type))
    part.text += delta
    const place = { item_id: this.#id, content_index: this.#content.length }
    if (type === 'refusal') this.#announce({ type: 'response.refusal.delta', ...place, delta })
    else this.#announce({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })
  }

  #startPart(type: MessagePart['type']): MessagePart {
    if (!this.#announced) this.#announce({ type: 'response.output_item.added', item: this.#item('in_progress') })
    this.#announced = true
    const part: MessagePart = { type, text: '', annotations: [] }
    const place = { item_id: this.#id, content_index: this.#content.length }
    this.#announce({ type: 'response.content_part.added', ...place, part: wirePart(part) })
    return part
  }

  #endPart(type: MessagePart['type'], annotations: readonly JsonObject[]): void {
    this.#delta(type, this.#halves.rest())
    const part = this.#part
    this.#part = undefined
    if (part === undefined) return
    part.annotations = annotations
    const place = { item_id: this.#id, content_index: this.#content.length }
    for (const [index, annotation] of annotations.entries()) {
      const type = 'response.output_text.annotation.added'
      this.#announce({ type, ...place, annotation_index: index, annotation })
    }
    if (type === 'refusal') this.#announce({ type: 'response.refusal.done', ...place, refusal: part.text })
    else this.#announce({ type: 'response.output_text.done', ...place, text: part.text, logprobs: [] })
    const done = wirePart(part)
    this.#announce({ type: 'response.content_part.done', ...place, part: done })
    this.#content.push(done)
  }

  #item(status: 'in_progress' | 'completed' | 'incomplete'): JsonObject {
    return { id: this.#id, type: 'message', status, role: 'assistant', content: [...this.#content] }
  }
}

function wirePart({ type, text, annotations }: MessagePart): JsonObject {
  return type === 'refusal' ? { type, refusal: text } : { type, text, annotations, logprobs: [] }
}

/** Thinking is shown as a summary of one part; the vendor's state goes with the item that is done. */
export class ReasoningItem implements Item {
  readonly #announce: Announce
  readonly #id: string
  readonly #halves = new Halves()
  #announced = false
  #text = ''
  #opaque: Opaque | undefined

  constructor(announce: Announce, { random }: ClientContext) {
    this.#announce = announce
    this.#id = newItemId('rs', random)
  }

  push(event: ChatEvent): void {
    if (event.type === 'reasoning-delta') this.#delta(this.#halves.join(event.text))
    else if (event.type === 'reasoning-end') {
      this.#delta(this.#halves.rest())
      this.#opaque = event.opaque
    }
  }

  close(): JsonObject | undefined {
    if (this.#text !== '') this.#endSummary()
    else if (this.#opaque === undefined) return undefined
    else this.#announceItem()
    const item = this.#item()
    this.#announce({ type: 'response.output_item.done', item })
    return item
  }

  abandon(): JsonObject | undefined {
    return this.#announced ? this.#item() : undefined
  }

  #delta(delta: string): void {
    if (delta === '') return
    if (this.#text === '') {
      this.#announceItem()
      this.#announce({ type: 'response.reasoning_summary_part.added', ...this.#place(), part: summaryPart('') })
    }
    this.#text += delta
    this.#announce({ type: 'response.reasoning_summary_text.delta', ...this.#place(), delta })
  }

  #endSummary(): void {
    this.#announce({ type: 'response.reasoning_summary_text.done', ...this.#place(), text: this.#text })
    this.#announce({ type: 'response.reasoning_summary_part.done', ...this.#place(), part: summaryPart(this.#text) })
  }

  #announceItem(): void {
    this.#announced = true
    this.#announce({ type: 'response.output_item.added', item: { id: this.#id, type: 'reasoning', summary: [] } })
  }

  #place(): JsonObject {
    return { item_id: this.#id, summary_index: 0 }
  }

  #item(): JsonObject {
    const summary = this.#text === '' ? [] : [summaryPart(this.#text)]
    return { id: this.#id, type: 'reasoning', summary, ...optional('encrypted_content', encrypted(this.#opaque)) }
  }
}

function summaryPart(text: string): JsonObject {
  return { type: 'summary_text', text }
}

/** The home vendor's own state stays as it is, so that it may later pass through to it; any other travels in our envelope. */
function encrypted(opaque: Opaque | undefined): string | undefined {
  if (opaque === undefined) return undefined
  return opaque.vendor === HOME_VENDOR && opaque.kind === 'encrypted' ? opaque.blob : sealOpaque(opaque)
}

type CallStart = Extract<ChatEvent, { type: 'tool-call-start' }>

export class CallItem implements Item {
  readonly #announce: Announce
  readonly #id: string
  readonly #callId: string
  readonly #callee: Callee
  readonly #isCustom: boolean
  /** A custom tool that was offered as a function of one string: its text comes out only when the whole is there. */
  readonly #isWrapped: boolean
  #argumentsText = ''
  #complete = false

  constructor(announce: Announce, { random, request }: ClientContext, { id, name, kind }: CallStart) {
    this.#announce = announce
    this.#callId = id
    this.#callee = callee(name, request.tools)
    this.#isWrapped = kind === 'function' && this.#callee.isCustom
    this.#isCustom = kind === 'custom' || this.#isWrapped
    this.#id = newItemId(this.#isCustom ? 'ctc' : 'fc', random)
  }

  push(event: ChatEvent): void {
    if (event.type === 'tool-call-start') {
      this.#announce({ type: 'response.output_item.added', item: this.#item('in_progress', '') })
    }
    if (event.type === 'tool-call-end') this.#complete = event.complete
    if (event.type !== 'tool-call-delta' || event.text === '') return
    this.#argumentsText += event.text
    if (!this.#isWrapped) this.#announceDelta(event.text)
  }

  /** Arguments that a limit cut are never announced as done: a client would run the tool with them. */
  close(): JsonObject {
    const text = this.#finalText()
    const item = this.#item(this.#complete ? 'completed' : 'incomplete', text)
    if (this.#isWrapped && text !== '') this.#announceDelta(text)
    if (this.#complete) this.#announceDone(text)
    this.#announce({ type: 'response.output_item.done', item })
    return item
  }

  abandon(): JsonObject {
    return this.#item('incomplete', this.#argumentsText)
  }

  #finalText(): string {
    if (this.#isWrapped) return unwrapped(this.#argumentsText)
    return this.#argumentsText === '' && this.#complete && !this.#isCustom ? '{}' : this.#argumentsText
  }

  #announceDelta(delta: string): void {
    const name = this.#isCustom ? 'custom_tool_call_input' : 'function_call_arguments'
    this.#announce({ type: `response.${name}.delta`, item_id: this.#id, delta })
  }

  #announceDone(text: string): void {
    const place = { item_id: this.#id }
    if (this.#isCustom) this.#announce({ type: 'response.custom_tool_call_input.done', ...place, input: text })
    else {
      const name = this.#callee.name
      this.#announce({ type: 'response.function_call_arguments.done', ...place, name, arguments: text })
    }
  }

  #item(status: 'in_progress' | 'completed' | 'incomplete', text: string): JsonObject {
    const { name, namespace } = this.#callee
    const common = { call_id: this.#callId, name, ...optional('namespace', namespace), status }
    if (this.#isCustom) return { id: this.#id, type: 'custom_tool_call', ...common, input: text }
    return { id: this.#id, type: 'function_call', ...common, arguments: text }
  }
}

/** `{"input":"…"}` → its text; anything else is taken as the text itself. */
function unwrapped(argumentsText: string): string {
  try {
    const input: unknown = JSON.parse(argumentsText)?.input
    return typeof input === 'string' ? input : argumentsText
  } catch {
    return argumentsText // cut short or never JSON: the client sees what there is
  }
}
