/** The events of an answer → the parts that a client gets. A call is whole when it ends; a signature goes out on what it signs. */
import { isObject, type JsonObject } from '../../core/json.ts'
import { argumentsObject } from '../call-arguments.ts'
import type { ChatEvent, ChatRequest, Citation, Opaque } from '../neutral.ts'
import { parseJson } from '../upstream-error.ts'
import { encodeGrounding } from './citations.ts'
import { sealSignature } from './state.ts'
import { showsThoughts } from './thinking.ts'
import { HOME_VENDOR, ID, type WirePart } from './wire.ts'

type CallStart = Extract<ChatEvent, { type: 'tool-call-start' }>

export class AnswerParts {
  readonly #shows: boolean
  /** The state of a thought, until it is known whether a call follows that has to carry it. */
  #signature: string | undefined
  #call: CallStart | undefined
  #arguments = ''
  #text = ''
  readonly #texts: { readonly text: string; readonly citations: readonly Citation[] }[] = []
  /** Half of a character that the provider cut between two deltas: not every client can join them. */
  #half = ''

  constructor(request: ChatRequest) {
    this.#shows = showsThoughts(request.reasoning)
  }

  push(event: ChatEvent): readonly WirePart[] {
    switch (event.type) {
      case 'text-delta':
      case 'refusal-delta':
        return [...this.#loose(), ...this.#say(event.text)]
      case 'text-end':
        return this.#textEnd(event.citations ?? [])
      case 'refusal-end':
        return this.#textEnd([])
      case 'reasoning-delta':
        return this.#shows ? [...this.#loose(), ...this.#thought(event.text)] : []
      case 'reasoning-end':
        return this.#reasoningEnd(event.opaque)
      case 'tool-call-start':
        this.#call = event
        this.#arguments = ''
        return []
      case 'tool-call-delta':
        this.#arguments += event.text
        return []
      case 'tool-call-end':
        return this.#callEnd(event.complete)
      case 'foreign':
        return event.part.origin === ID ? [...this.#loose(), event.part.raw] : []
      case 'finish':
        return this.#loose()
      default:
        return []
    }
  }

  /** What the texts so far rest on. */
  grounding(): JsonObject | undefined {
    return encodeGrounding(this.#texts)
  }

  #say(text: string): readonly WirePart[] {
    const whole = this.#wholeCharacters(text)
    this.#text += whole
    return whole === '' ? [] : [{ text: whole }]
  }

  #textEnd(citations: readonly Citation[]): readonly WirePart[] {
    const rest = this.#takeHalf()
    this.#texts.push({ text: this.#text + rest, citations })
    this.#text = ''
    return rest === '' ? [] : [{ text: rest }]
  }

  #thought(text: string): readonly WirePart[] {
    const whole = this.#wholeCharacters(text)
    return whole === '' ? [] : [{ text: whole, thought: true }]
  }

  #reasoningEnd(opaque: Opaque | undefined): readonly WirePart[] {
    const before = this.#loose()
    const rest = this.#takeHalf()
    const thought = rest === '' || !this.#shows ? [] : [{ text: rest, thought: true }]
    const signature = sealSignature(opaque)
    if (opaque?.vendor === HOME_VENDOR && opaque.kind === 'encrypted')
      return [...before, ...thought, ...(signature === undefined ? [] : [{ text: '', thoughtSignature: signature }])]
    this.#signature = signature
    return [...before, ...thought]
  }

  #callEnd(complete: boolean): readonly WirePart[] {
    const call = this.#call
    this.#call = undefined
    // Arguments that a limit cut off cannot be an object; half a call is worse than none.
    if (call === undefined || (!complete && !isObject(parseJson(this.#arguments)))) return this.#loose()
    const args = argumentsObject({ kind: call.kind, argumentsText: this.#arguments })
    const signature = this.#signature === undefined ? {} : { thoughtSignature: this.#signature }
    this.#signature = undefined
    return [{ functionCall: { id: call.id, name: call.name, args }, ...signature }]
  }

  /** A state that no call carries has a part of its own. */
  #loose(): readonly WirePart[] {
    const signature = this.#signature
    this.#signature = undefined
    return signature === undefined ? [] : [{ text: '', thought: true, thoughtSignature: signature }]
  }

  #wholeCharacters(text: string): string {
    const joined = this.#takeHalf() + text
    const last = joined.charCodeAt(joined.length - 1)
    if (!(last >= 0xd800 && last <= 0xdbff)) return joined
    this.#half = joined.slice(-1)
    return joined.slice(0, -1)
  }

  #takeHalf(): string {
    const half = this.#half
    this.#half = ''
    return half
  }
}
