/** The events of an answer → the parts that a client gets. A call is whole when it ends; a signature goes out on what it signs. */
import { isObject, type JsonObject, parseJson } from '../../core/json.ts'
import { argumentsObject } from '../tools/call-arguments.ts'
import type { ChatEvent, ChatRequest, Citation, Opaque } from '../neutral.ts'
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
        return this.#shows && event.text !== '' ? [...this.#loose(), { text: event.text, thought: true }] : []
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
    this.#text += text
    return text === '' ? [] : [{ text }]
  }

  #textEnd(citations: readonly Citation[]): readonly WirePart[] {
    this.#texts.push({ text: this.#text, citations })
    this.#text = ''
    return []
  }

  #reasoningEnd(opaque: Opaque | undefined): readonly WirePart[] {
    const before = this.#loose()
    const signature = sealSignature(opaque)
    if (opaque?.vendor === HOME_VENDOR && opaque.kind === 'encrypted')
      return [...before, ...(signature === undefined ? [] : [{ text: '', thoughtSignature: signature }])]
    this.#signature = signature
    return before
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
}
