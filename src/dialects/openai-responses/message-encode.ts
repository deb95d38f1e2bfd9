/** What the model says, as one message item: each text or refusal is a part of it. */
import type { JsonObject } from '../../core/json.ts'
import type { ClientContext } from '../dialect.ts'
import type { ChatEvent, TextPart } from '../neutral.ts'
import { writeOdds } from '../answer/token-odds.ts'
import { writeCitations } from './citations.ts'
import type { Announce, Item } from './item.ts'
import { newItemId } from './response.ts'

interface MessagePart {
  readonly type: 'output_text' | 'refusal'
  text: string
  annotations: readonly JsonObject[]
  logprobs: readonly JsonObject[]
}

export class MessageItem implements Item {
  readonly #announce: Announce
  readonly #id: string
  readonly #content: JsonObject[] = []
  #announced = false
  #part: MessagePart | undefined

  constructor(announce: Announce, { random }: ClientContext) {
    this.#announce = announce
    this.#id = newItemId('msg', random)
  }

  push(event: ChatEvent): void {
    if (event.type === 'text-delta') this.#delta('output_text', event.text)
    else if (event.type === 'refusal-delta') this.#delta('refusal', event.text)
    else if (event.type === 'text-end') this.#endPart('output_text', event)
    else if (event.type === 'refusal-end') this.#endPart('refusal', {})
  }

  close(isCut: boolean): JsonObject | undefined {
    if (!this.#announced) return undefined
    const item = this.#item(isCut ? 'incomplete' : 'completed')
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
    const part: MessagePart = { type, text: '', annotations: [], logprobs: [] }
    const place = { item_id: this.#id, content_index: this.#content.length }
    this.#announce({ type: 'response.content_part.added', ...place, part: wirePart(part) })
    return part
  }

  #endPart(type: MessagePart['type'], { citations = [], odds = [] }: Pick<TextPart, 'citations' | 'odds'>): void {
    const part = this.#part
    this.#part = undefined
    if (part === undefined) return
    part.annotations = writeCitations(citations, part.text)
    part.logprobs = writeOdds(odds)
    const place = { item_id: this.#id, content_index: this.#content.length }
    for (const [index, annotation] of part.annotations.entries()) {
      const type = 'response.output_text.annotation.added'
      this.#announce({ type, ...place, annotation_index: index, annotation })
    }
    if (type === 'refusal') this.#announce({ type: 'response.refusal.done', ...place, refusal: part.text })
    else this.#announce({ type: 'response.output_text.done', ...place, text: part.text, logprobs: part.logprobs })
    const done = wirePart(part)
    this.#announce({ type: 'response.content_part.done', ...place, part: done })
    this.#content.push(done)
  }

  #item(status: 'in_progress' | 'completed' | 'incomplete'): JsonObject {
    return { id: this.#id, type: 'message', status, role: 'assistant', content: [...this.#content] }
  }
}

function wirePart({ type, text, annotations, logprobs }: MessagePart): JsonObject {
  return type === 'refusal' ? { type, refusal: text } : { type, text, annotations, logprobs }
}
