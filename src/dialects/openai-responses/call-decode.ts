/** A call that a provider's model makes, of a function or of a tool that takes free text. */
import { asString, type JsonObject } from '../../core/json.ts'
import type { ReplyContext } from '../dialect.ts'
import { ItemDecoder, missing } from './item-decoder.ts'

export class CallDecoder extends ItemDecoder {
  readonly #context: ReplyContext
  readonly #member: 'arguments' | 'input'
  #text = ''
  #pending: string | undefined
  #started = false

  constructor(type: 'function_call' | 'custom_tool_call', item: JsonObject, context: ReplyContext) {
    super(type, item)
    this.#context = context
    this.#member = type === 'function_call' ? 'arguments' : 'input'
    this.#start(item)
    this.#complete(asString(item[this.#member]))
  }

  push(event: string, data: JsonObject): void {
    if (event.endsWith('.delta')) this.#add(asString(data['delta']) ?? '')
    else if (event.endsWith('.done')) this.#complete(asString(data[this.#member]))
  }

  protected close(item: JsonObject, isCut: boolean): void {
    this.#start(item)
    this.#complete(asString(item[this.#member]))
    this.isNameless = !this.#started && !isCut
    if (!this.#started) return
    this.emit({ type: 'tool-call-end', complete: !isCut && item['status'] !== 'incomplete' })
  }

  /** Waits for the name: a call without one cannot be announced. */
  #start(item: JsonObject): void {
    const name = asString(item['name']) ?? ''
    if (this.#started || name === '') return
    this.#started = true
    this.isCall = true
    const id = asString(item['call_id']) || asString(item['id']) || newCallId(this.#context)
    const kind = this.type === 'custom_tool_call' ? 'custom' : 'function'
    this.emit({ type: 'tool-call-start', id, name: this.#context.toolNames.get(name) ?? name, kind })
    const pending = this.#pending
    this.#pending = undefined
    if (pending !== undefined) this.emit({ type: 'tool-call-delta', text: pending })
  }

  #complete(whole: string | undefined): void {
    this.#add(missing(whole, this.#text))
  }

  #add(text: string): void {
    if (text === '') return
    this.#text += text
    if (this.#started) this.emit({ type: 'tool-call-delta', text })
    else this.#pending = (this.#pending ?? '') + text
  }
}

const CALL_ID_BYTES = 12

function newCallId({ random }: ReplyContext): string {
  return `call_${Buffer.from(random.bytes(CALL_ID_BYTES)).toString('hex')}`
}
