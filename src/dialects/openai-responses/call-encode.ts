/** A call that the model makes, as an item under the names by which the client knows the tool. */
import type { JsonObject } from '../../core/json.ts'
import type { ClientContext } from '../dialect.ts'
import type { ChatEvent } from '../neutral.ts'
import { unwrapFreeText } from '../tools/free-text-tool.ts'
import type { Announce, Item } from './item.ts'
import { callee, newItemId, type Callee } from './response.ts'
import { optional } from './wire.ts'

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
    if (this.#isWrapped) return unwrapFreeText(this.#argumentsText)
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
