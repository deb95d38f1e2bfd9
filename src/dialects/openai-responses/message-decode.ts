/** A message of a provider's answer: texts and refusals, one after another. */
import { asArray, asObject, asString, isObject, type Json, type JsonObject } from '../../core/json.ts'
import { readCitations } from './citations.ts'
import type { TokenOdds } from '../neutral.ts'
import { readOdds, withOdds } from '../answer/token-odds.ts'
import { indexOf, ItemDecoder, missing } from './item-decoder.ts'

export class MessageDecoder extends ItemDecoder {
  /** Text so far by content index, closed parts included. */
  readonly #texts: string[] = []
  #open:
    | {
        readonly index: number
        readonly kind: 'text' | 'refusal'
        annotations: JsonObject[]
        odds: readonly TokenOdds[]
      }
    | undefined

  push(event: string, data: JsonObject): void {
    const index = indexOf(data['content_index'])
    if (event === 'output_text.delta') {
      this.#add(index, 'text', asString(data['delta']) ?? '')
      if (this.#open?.index === index) this.#open.odds = [...this.#open.odds, ...readOdds(data['logprobs'])]
    } else if (event === 'refusal.delta') this.#add(index, 'refusal', asString(data['delta']) ?? '')
    else if (event === 'output_text.done') this.#complete(index, 'text', asString(data['text']))
    else if (event === 'refusal.done') this.#complete(index, 'refusal', asString(data['refusal']))
    else if (event === 'content_part.done') this.#completePart(index, asObject(data['part']) ?? {})
    else if (event === 'output_text.annotation.added') this.#annotate(data['annotation'])
  }

  protected close(item: JsonObject): void {
    for (const [index, part] of (asArray(item['content']) ?? []).entries()) {
      this.#completePart(index, asObject(part) ?? {})
    }
    this.#close()
  }

  #completePart(index: number, part: JsonObject): void {
    if (part['type'] === 'refusal') this.#complete(index, 'refusal', asString(part['refusal']))
    else if (part['type'] === 'output_text' || part['type'] === 'text') {
      this.#complete(index, 'text', asString(part['text']))
      const annotations = (asArray(part['annotations']) ?? []).filter(isObject)
      if (this.#open?.index === index && annotations.length > 0) this.#open.annotations = annotations
      const odds = readOdds(part['logprobs'])
      if (this.#open?.index === index && odds.length > 0) this.#open.odds = odds
    }
  }

  #complete(index: number, kind: 'text' | 'refusal', whole: string | undefined): void {
    this.#add(index, kind, missing(whole, this.#texts[index] ?? ''))
  }

  /** Opens a part with its first text. Text for a part that another one has followed comes too late to be placed. */
  #add(index: number, kind: 'text' | 'refusal', text: string): void {
    if (text === '' || this.#isBehind(index)) return
    if (this.#open?.index !== index || this.#open.kind !== kind) {
      this.#close()
      this.#open = { index, kind, annotations: [], odds: [] }
      this.isRefusal ||= kind === 'refusal'
      this.emit({ type: `${kind}-start` })
    }
    this.#texts[index] = (this.#texts[index] ?? '') + text
    this.emit({ type: `${kind}-delta`, text })
  }

  #isBehind(index: number): boolean {
    return this.#texts.length > index + 1
  }

  #annotate(annotation: Json | undefined): void {
    const made = asObject(annotation)
    if (made !== undefined) this.#open?.annotations.push(made)
  }

  #close(): void {
    if (this.#open === undefined) return
    const { kind, annotations, odds } = this.#open
    this.#open = undefined
    if (kind === 'refusal') this.emit({ type: 'refusal-end' })
    else this.emit({ type: 'text-end', ...readCitations(annotations), ...withOdds(odds) })
  }
}
