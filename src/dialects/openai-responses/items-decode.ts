/**
 * One item of a provider's answer → events. Deltas come first, or not at all; every `done` and the terminal snapshot repeat the
 * whole, of which only what is missing is taken. Items arrive interleaved, events may not: each item keeps its events until its
 * turn has come.
 */
import { asArray, asObject, asString, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { ReplyContext } from '../dialect.ts'
import type { ChatEvent } from '../neutral.ts'
import { ID, optional } from './wire.ts'

export abstract class ItemDecoder {
  readonly type: string
  readonly ids: readonly string[]
  isDone = false
  /** It asks the client to run a tool. */
  isCall = false
  /** It holds a refusal in words. */
  isRefusal = false
  #events: ChatEvent[] = []

  constructor(type: string, item: JsonObject) {
    this.type = type
    this.ids = idsOf(item)
  }

  /** The events since the last call. */
  take(): readonly ChatEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }

  /** An event of the stream that belongs to this item; `event` is its type without `response.`. */
  abstract push(event: string, data: JsonObject): void

  /** The item is complete, as `item` shows it; or the stream went on without saying so. */
  done(item: JsonObject, isCut: boolean): void {
    if (this.isDone) return
    this.isDone = true
    this.close(item, isCut)
  }

  protected abstract close(item: JsonObject, isCut: boolean): void

  protected emit(event: ChatEvent): void {
    this.#events.push(event)
  }
}

/** What two descriptions of one item have in common, if anything. */
export function idsOf(item: JsonObject): readonly string[] {
  return [item['call_id'], item['id']].filter((id) => typeof id === 'string' && id !== '') as string[]
}

/** `item` is what announced it, whole or empty. */
export function decoderFor(item: JsonObject, context: ReplyContext): ItemDecoder {
  const type = asString(item['type']) ?? 'message'
  switch (type) {
    case 'message':
      return new MessageDecoder(type, item)
    case 'reasoning':
      return new ReasoningDecoder(type, item, context)
    case 'function_call':
    case 'custom_tool_call':
      return new CallDecoder(type, item, context)
    default:
      return new HostedDecoder(type, item)
  }
}

/** What `whole` has beyond what was already given out; nothing when the two disagree. */
function missing(whole: string | undefined, given: string): string {
  return whole !== undefined && whole.startsWith(given) ? whole.slice(given.length) : ''
}

class MessageDecoder extends ItemDecoder {
  /** Text so far by content index, closed parts included. */
  readonly #texts: string[] = []
  #open: { readonly index: number; readonly kind: 'text' | 'refusal'; annotations: JsonObject[] } | undefined

  push(event: string, data: JsonObject): void {
    const index = indexOf(data['content_index'])
    if (event === 'output_text.delta') this.#add(index, 'text', asString(data['delta']) ?? '')
    else if (event === 'refusal.delta') this.#add(index, 'refusal', asString(data['delta']) ?? '')
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
      this.#open = { index, kind, annotations: [] }
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
    const { kind, annotations } = this.#open
    this.#open = undefined
    if (kind === 'refusal') this.emit({ type: 'refusal-end' })
    else this.emit({ type: 'text-end', ...optional('annotations', annotations.length > 0 ? annotations : undefined) })
  }
}

/** Where the text of a reasoning item comes from. Some hosts send both for the same thoughts: the first to come is kept. */
type ReasoningSource = 'summary' | 'content'

const REASONING_EVENTS: Readonly<Record<string, ReasoningSource>> = {
  'reasoning_summary_text.delta': 'summary',
  'reasoning_summary_text.done': 'summary',
  'reasoning_summary.delta': 'summary',
  'reasoning_text.delta': 'content',
  'reasoning_text.done': 'content',
}

/** One part for the whole item, its summary parts set apart by blank lines. */
class ReasoningDecoder extends ItemDecoder {
  readonly #context: ReplyContext
  readonly #texts: string[] = []
  #source: ReasoningSource | undefined
  #isOpen = false

  constructor(type: string, item: JsonObject, context: ReplyContext) {
    super(type, item)
    this.#context = context
  }

  push(event: string, data: JsonObject): void {
    const source = REASONING_EVENTS[event]
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
    const opaque = blob === '' ? undefined : { vendor: this.#context.vendor, kind: 'encrypted' as const, blob }
    this.emit({ type: 'reasoning-end', redacted: false, ...optional('opaque', opaque) })
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

class CallDecoder extends ItemDecoder {
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

/** What a hosted tool did. Only its final form is worth handing on, to clients of this dialect. */
class HostedDecoder extends ItemDecoder {
  push(): void {
    // Progress of a hosted tool has no neutral form.
  }

  protected close(item: JsonObject): void {
    if (item['type'] === undefined) return
    this.emit({ type: 'foreign', part: { type: 'foreign', origin: ID, kind: this.type, raw: item } })
  }
}

function indexOf(value: Json | undefined): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < PARTS_MAX ? value : 0
}

/** More parts than any answer has; a larger index is nonsense and would only make arrays sparse. */
const PARTS_MAX = 10_000
