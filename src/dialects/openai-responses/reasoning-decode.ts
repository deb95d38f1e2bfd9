/** A reasoning item of a provider's answer: visible thinking and the state that must come back. */
import { asArray, asObject, asString, type JsonObject } from '../../core/json.ts'
import type { ReplyContext } from '../dialect.ts'
import { indexOf, ItemDecoder, missing } from './item-decoder.ts'

/** Where the text of a reasoning item comes from. Some hosts send both for the same thoughts: the first to come is kept. */
type ReasoningSource = 'summary' | 'content'

const REASONING_EVENTS: ReadonlyMap<string, ReasoningSource> = new Map(
  Object.entries<ReasoningSource>({
    'reasoning_summary_text.delta': 'summary',
    'reasoning_summary_text.done': 'summary',
    'reasoning_summary.delta': 'summary',
    'reasoning_text.delta': 'content',
    'reasoning_text.done': 'content',
  }),
)

/** One part for the whole item, its summary parts set apart by blank lines. */
export class ReasoningDecoder extends ItemDecoder {
  readonly #context: ReplyContext
  readonly #texts: string[] = []
  #source: ReasoningSource | undefined
  #isOpen = false

  constructor(type: string, item: JsonObject, context: ReplyContext) {
    super(type, item)
    this.#context = context
  }

  push(event: string, data: JsonObject): void {
    const source = REASONING_EVENTS.get(event)
    if (source === undefined) return
    const index = indexOf(source === 'summary' ? data['summary_index'] : data['content_index'])
    const delta = asString(data['delta'])
    if (delta === undefined) this.#complete(source, index, asString(data['text']))
    else this.#add(source, index, delta)
  }

  /** State is only reliable here: what `added` carries is not final. */
  protected close(item: JsonObject): void {
    for (const source of ['summary', 'content'] as const) {
      for (const [index, part] of (asArray(item[source]) ?? []).entries()) {
        this.#complete(source, index, asString(asObject(part)?.['text']))
      }
    }
    const blob = asString(item['encrypted_content']) ?? ''
    if (!this.#isOpen && blob === '') return
    if (!this.#isOpen) this.emit({ type: 'reasoning-start' })
    // Thinking without state still says who thought it, so that it goes back to nobody else.
    const opaque = { vendor: this.#context.vendor, kind: 'encrypted' as const, blob }
    this.emit({ type: 'reasoning-end', redacted: false, opaque })
  }

  #complete(source: ReasoningSource, index: number, whole: string | undefined): void {
    if (this.#source !== undefined && this.#source !== source) return
    this.#add(source, index, missing(whole, this.#texts[index] ?? ''))
  }

  #add(source: ReasoningSource, index: number, text: string): void {
    if (text === '' || (this.#source ?? source) !== source || this.#texts.length > index + 1) return
    this.#source = source
    const isNewPart = this.#isOpen && this.#texts[index] === undefined
    if (!this.#isOpen) this.emit({ type: 'reasoning-start' })
    this.#isOpen = true
    this.#texts[index] = (this.#texts[index] ?? '') + text
    this.emit({ type: 'reasoning-delta', text: isNewPart ? `\n\n${text}` : text })
  }
}
