import type { JsonObject } from '../../core/json.ts'
import type { StreamEncoder } from '../dialect.ts'
import type { ChatEvent } from '../neutral.ts'

type Delta = Extract<ChatEvent, { readonly text: string }>

/**
 * Some providers cut a stream of text between the two halves of a character, and not every client can join them: no delta that
 * reaches `encoder` ends with the first half of one. What never gets its second half comes by itself at the end of its part.
 */
export function wholeCharacters(encoder: StreamEncoder): StreamEncoder {
  return new WholeCharacters(encoder)
}

class WholeCharacters implements StreamEncoder {
  readonly #encoder: StreamEncoder
  /** The first half of a character, as a delta of its part. */
  #held: Delta | undefined

  constructor(encoder: StreamEncoder) {
    this.#encoder = encoder
  }

  get answer(): JsonObject | undefined {
    return this.#encoder.answer
  }

  push(event: ChatEvent): string {
    if (isDelta(event))
      return this.#held === undefined && !endsInHalf(event) ? this.#encoder.push(event) : this.#join(event)
    if (this.#held === undefined || !event.type.endsWith('-end')) return this.#encoder.push(event)
    const rest = this.#encoder.push(this.#held)
    this.#held = undefined
    return rest + this.#encoder.push(event)
  }

  #join(delta: Delta): string {
    const joined = { ...delta, text: (this.#held?.text ?? '') + delta.text }
    const end = endsInHalf(joined) ? joined.text.length - 1 : joined.text.length
    this.#held = end === joined.text.length ? undefined : { ...joined, text: joined.text.slice(end) }
    return end === 0 ? '' : this.#encoder.push({ ...joined, text: joined.text.slice(0, end) })
  }
}

function isDelta(event: ChatEvent): event is Delta {
  return 'text' in event
}

function endsInHalf({ text }: Delta): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}
