/** The parts of an answer, as they come, → events: one part open at a time, signatures with what they sign. */
import { asObject, asString, isObject, type JsonObject } from '../../core/json.ts'
import { newCallId } from '../tools/call-id.ts'
import type { ReplyContext } from '../dialect.ts'
import { unwrapFreeText } from '../tools/free-text-tool.ts'
import type { ChatEvent, Citation } from '../neutral.ts'
import { decodeGrounding } from './citations.ts'
import { PartialArgs } from './partial-args.ts'
import type { StateKind } from './state.ts'
import { ID } from './wire.ts'

interface CallInPieces {
  readonly name: string
  readonly id: string | undefined
  readonly args: PartialArgs
  signature: string
}

export class PartReader {
  readonly #context: ReplyContext
  #open: 'text' | 'thought' | undefined
  #openIsEmpty = true
  #text = ''
  /** The state of the text that is open; told when it closes. */
  #textSignature = ''
  #grounding: JsonObject | undefined
  #pieces: CallInPieces | undefined
  #any = false
  #hasCalls = false
  #lostCall = false

  constructor(context: ReplyContext) {
    this.#context = context
  }

  get any(): boolean {
    return this.#any
  }

  get hasCalls(): boolean {
    return this.#hasCalls
  }

  /** Whether there was a call that did not say of what. */
  get lostCall(): boolean {
    return this.#lostCall
  }

  /** What the answer's text rests on; it comes before that text is over. */
  ground(grounding: JsonObject): void {
    this.#grounding = grounding
  }

  read(part: JsonObject): readonly ChatEvent[] {
    const signature = asString(part['thoughtSignature']) ?? ''
    const call = asObject(part['functionCall'])
    if (call !== undefined) return this.#readCall(call, signature)
    const pieces = this.#endPieces()
    const text = asString(part['text'])
    if (text === undefined) return [...pieces, ...this.#other(part, signature)]
    return [...pieces, ...(part['thought'] === true ? this.#thought(text, signature) : this.#say(text, signature))]
  }

  /** Nothing more comes. */
  close(): readonly ChatEvent[] {
    return [...this.#endPieces(), ...this.#closeOpen()]
  }

  #thought(text: string, signature: string): readonly ChatEvent[] {
    if (text === '' && signature === '') return []
    const events = this.#openAs('thought')
    if (text !== '') events.push(this.#delta('reasoning-delta', text))
    return signature === '' ? events : [...events, ...this.#closeThought(signature)]
  }

  #say(text: string, signature: string): readonly ChatEvent[] {
    const events: ChatEvent[] = []
    if (text !== '') {
      // Text behind a signature is a part of its own.
      if (this.#textSignature !== '') events.push(...this.#closeOpen())
      events.push(...this.#openAs('text'), this.#delta('text-delta', text))
      this.#text += text
    }
    if (signature === '') return events
    if (this.#open === 'text') this.#textSignature = signature
    else events.push(...this.#closeOpen(), ...this.#state(signature, 'encrypted'))
    return events
  }

  #readCall(call: JsonObject, signature: string): readonly ChatEvent[] {
    const inPieces = call['willContinue'] === true || call['partialArgs'] !== undefined
    const name = asString(call['name']) ?? ''
    if (!inPieces && name === '') return this.#endNameless(call)
    const begins = name !== '' && (this.#pieces === undefined || !inPieces || name !== this.#pieces.name)
    const before = begins ? this.#endPieces() : []
    if (!inPieces)
      return [...before, ...this.#call(name, asString(call['id']), asObject(call['args']) ?? {}, signature)]
    this.#pieces ??= { name, id: asString(call['id']), args: new PartialArgs(), signature }
    this.#pieces.args.add(call['partialArgs'])
    if (signature !== '') this.#pieces.signature = signature
    this.#any = true
    return call['willContinue'] === true ? before : [...before, ...this.#endPieces()]
  }

  /** What has no name ends the pieces of a call; with arguments of its own it is none of them. */
  #endNameless({ args }: JsonObject): readonly ChatEvent[] {
    this.#lostCall ||= isObject(args) && Object.keys(args).length > 0
    return this.#endPieces()
  }

  /** The last piece of a call can be missing. */
  #endPieces(): readonly ChatEvent[] {
    const pieces = this.#pieces
    this.#pieces = undefined
    this.#lostCall ||= pieces?.name === ''
    if (pieces === undefined || pieces.name === '') return []
    return this.#call(pieces.name, pieces.id, pieces.args.object(), pieces.signature)
  }

  #call(sent: string, id: string | undefined, args: JsonObject, signature: string): readonly ChatEvent[] {
    const before = this.#beforeCall(signature)
    this.#any = true
    this.#hasCalls = true
    const isFreeText = this.#context.customTools?.has(sent) ?? false
    const whole = Object.keys(args).length === 0 ? '' : JSON.stringify(args)
    const text = isFreeText ? unwrapFreeText(whole) : whole
    return [
      ...before,
      {
        type: 'tool-call-start',
        id: id || newCallId(this.#context.random),
        name: this.#context.toolNames.get(sent) ?? sent,
        kind: isFreeText ? 'custom' : 'function',
      },
      ...(text === '' ? [] : [{ type: 'tool-call-delta' as const, text }]),
      { type: 'tool-call-end', complete: true },
    ]
  }

  /** The signature of a call is that of the thought before it. */
  #beforeCall(signature: string): readonly ChatEvent[] {
    if (this.#open === 'thought') return this.#closeThought(signature)
    return [...this.#closeOpen(), ...(signature === '' ? [] : this.#state(signature, 'signature'))]
  }

  /** Pictures, and transcripts of what the vendor ran itself; a part of nothing but a signature belongs to the text before it. */
  #other(part: JsonObject, signature: string): readonly ChatEvent[] {
    const kind = Object.keys(part).find((name) => isObject(part[name]) && !BESIDE.has(name))
    if (kind === undefined) return this.#say('', signature)
    this.#any = true
    return [...this.#closeOpen(), { type: 'foreign', part: { type: 'foreign', origin: ID, kind, raw: part } }]
  }

  #openAs(kind: 'text' | 'thought'): ChatEvent[] {
    if (this.#open === kind) return []
    const events = [...this.#closeOpen()]
    this.#open = kind
    this.#openIsEmpty = true
    this.#any = true
    return [...events, { type: kind === 'text' ? 'text-start' : 'reasoning-start' }]
  }

  #delta(type: 'text-delta' | 'reasoning-delta', text: string): ChatEvent {
    this.#openIsEmpty = false
    return { type, text }
  }

  #closeOpen(): readonly ChatEvent[] {
    if (this.#open === 'thought') return this.#closeThought('')
    if (this.#open === undefined) return []
    const signature = this.#textSignature
    this.#open = undefined
    this.#textSignature = ''
    const citations = this.#citations()
    const end: ChatEvent = { type: 'text-end', ...(citations.length === 0 ? {} : { citations }) }
    return signature === '' ? [end] : [end, ...this.#state(signature, 'encrypted')]
  }

  #citations(): readonly Citation[] {
    const text = this.#text
    const grounding = this.#grounding
    this.#text = ''
    this.#grounding = undefined
    return grounding === undefined ? [] : decodeGrounding(grounding, text)
  }

  /** A thought without a signature still says who thought it, so that it goes back to nobody else. */
  #closeThought(blob: string): readonly ChatEvent[] {
    this.#open = undefined
    const opaque = { vendor: this.#context.vendor, kind: 'signature', blob } as const
    return [{ type: 'reasoning-end', opaque, redacted: this.#openIsEmpty }]
  }

  #state(blob: string, kind: StateKind): readonly ChatEvent[] {
    const opaque = { vendor: this.#context.vendor, kind, blob }
    return [{ type: 'reasoning-start' }, { type: 'reasoning-end', opaque, redacted: true }]
  }
}

/** Objects that say something of a part and are none. */
const BESIDE: ReadonlySet<string> = new Set(['mediaResolution', 'videoMetadata', 'partMetadata'])
