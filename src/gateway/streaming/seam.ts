/**
 * Joins what goes on to what was cut: the text goes on in the part in which it stopped, the answer begins once, and its usage is that
 * of all. It reads events in the legal order and keeps to the legal order of the answer that is open, which is inside a text.
 */
import { sumOfUsage, type Usage } from '../../core/usage.ts'
import type { ChatEvent, Citation } from '../../dialects/neutral.ts'
import { beyondOverlap } from './overlap.ts'

/** Where the answer stands. */
export interface Cut {
  /** Of the part in which it stopped. */
  readonly text: string
  /** Of the whole answer so far; undefined: nobody said. */
  readonly usage: Usage | undefined
}

export class Seam {
  readonly #cut: Cut
  /** `before`: what came first is held, until it is known to be new. `inside`: the part that was open is. */
  #place: 'before' | 'inside' | 'after' = 'before'
  #held = ''

  constructor(cut: Cut) {
    this.#cut = cut
  }

  /** The events that go on in place of `event`. */
  push(event: ChatEvent): readonly ChatEvent[] {
    if (event.type === 'start') return []
    if (event.type === 'usage') return [this.#summed(event.usage)]
    if (event.type === 'failure') this.#place = 'after'
    if (event.type === 'ping' || this.#place === 'after') return [event]
    return this.#place === 'before' ? this.#before(event) : [this.#inside(event)]
  }

  #before(event: ChatEvent): readonly ChatEvent[] {
    // Thinking belongs before the answer, whose place is behind us.
    if (event.type === 'text-start' || event.type.startsWith('reasoning-')) return []
    if (event.type === 'text-delta') return this.#take(event.text)
    this.#place = 'after'
    const rest = textOf(beyondOverlap(this.#cut.text, this.#held, true))
    return event.type === 'text-end' ? [...rest, this.#moved(event)] : [...rest, { type: 'text-end' }, event]
  }

  #take(text: string): readonly ChatEvent[] {
    this.#held += text
    const added = beyondOverlap(this.#cut.text, this.#held, false)
    if (added !== undefined) this.#place = 'inside'
    return textOf(added)
  }

  #inside(event: ChatEvent): ChatEvent {
    if (event.type !== 'text-end') return event
    this.#place = 'after'
    return this.#moved(event)
  }

  /** Citations say which characters of their part they stand for, and the part began earlier. Odds would be those of its end alone. */
  #moved({ citations }: Extract<ChatEvent, { type: 'text-end' }>): ChatEvent {
    if (citations === undefined) return { type: 'text-end' }
    return { type: 'text-end', citations: citations.map((citation) => movedBy(this.#cut.text.length, citation)) }
  }

  #summed(usage: Usage): ChatEvent {
    const { usage: before } = this.#cut
    return { type: 'usage', usage: before === undefined ? usage : sumOfUsage(before, usage) }
  }
}

function textOf(text: string | undefined): readonly ChatEvent[] {
  return text === undefined || text === '' ? [] : [{ type: 'text-delta', text }]
}

function movedBy(characters: number, { span, ...citation }: Citation): Citation {
  if (span === undefined) return citation
  return { ...citation, span: { start: span.start + characters, end: span.end + characters } }
}
