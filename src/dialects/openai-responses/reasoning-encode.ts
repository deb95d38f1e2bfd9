/** What the model thinks, as one reasoning item. */
import type { JsonObject } from '../../core/json.ts'
import type { ClientContext } from '../dialect.ts'
import type { ChatEvent, Opaque } from '../neutral.ts'
import { sealOpaque } from '../opaque.ts'
import type { Announce, Item } from './item.ts'
import { newItemId } from './response.ts'
import { HOME_VENDOR, optional } from './wire.ts'

/** Thinking is shown as a summary of one part; the vendor's state goes with the item that is done. */
export class ReasoningItem implements Item {
  readonly #announce: Announce
  readonly #id: string
  #announced = false
  #text = ''
  #opaque: Opaque | undefined

  constructor(announce: Announce, { random }: ClientContext) {
    this.#announce = announce
    this.#id = newItemId('rs', random)
  }

  push(event: ChatEvent): void {
    if (event.type === 'reasoning-delta') this.#delta(event.text)
    else if (event.type === 'reasoning-end') this.#opaque = event.opaque
  }

  close(): JsonObject | undefined {
    if (this.#text !== '') this.#endSummary()
    else if (this.#opaque === undefined || this.#opaque.blob === '') return undefined
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
  const isHome = opaque.vendor === HOME_VENDOR && opaque.kind === 'encrypted' && opaque.blob !== ''
  return isHome ? opaque.blob : sealOpaque(opaque)
}
