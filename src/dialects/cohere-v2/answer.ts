/**
 * One answer as it grows. What the model says it will do before it calls tools (`tool_plan`) is text of the answer. Citations may
 * come after their text has ended, so a text stays open until something else begins.
 */
import { asArray, asObject, asString, isObject, type Json, type JsonObject, parseJson } from '../../core/json.ts'
import type { ReplyContext } from '../dialect.ts'
import { EventWriter } from '../answer/event-writer.ts'
import { readCitation } from './citations.ts'
import { brokenOff } from './failure.ts'
import { readUsage } from './usage.ts'
import { finishOf, saysBroken } from './wire.ts'

export class Answer {
  readonly writer: EventWriter
  /** The text part that is open; citations count from its beginning. */
  #text = ''
  #argumentsText = ''

  constructor(context: ReplyContext) {
    this.writer = new EventWriter(context)
  }

  say(content: Json | undefined): void {
    const part = asObject(content) ?? {}
    const thinking = asString(part['thinking']) ?? ''
    if (thinking !== '') {
      this.#text = ''
      this.writer.say('reasoning', thinking)
    }
    this.text(asString(part['text']) ?? '')
  }

  text(text: string): void {
    this.#text += text
    this.writer.say('text', text)
  }

  cite(citations: Json | undefined): void {
    const list = asArray(citations) ?? [citations]
    for (const wire of list.filter(isObject)) this.writer.cite(readCitation(wire, this.#text))
  }

  beginCall(call: JsonObject): void {
    const called = asObject(call['function']) ?? {}
    this.#text = ''
    this.#argumentsText = ''
    this.writer.beginCall(asString(call['id']), asString(called['name']) ?? '')
    this.callText(called['arguments'])
  }

  /** A tool without arguments is called with `null`, in whole or in pieces, which is held back until it is something else. */
  callText(text: Json | undefined): void {
    const fragment = typeof text === 'string' ? text : isObject(text) ? JSON.stringify(text) : ''
    const before = this.#argumentsText
    this.#argumentsText += fragment
    if (mayBeNull(this.#argumentsText)) return
    this.writer.callText(mayBeNull(before) ? this.#argumentsText : fragment)
  }

  /** `isCut`: a limit ended the answer. A call that it cut off has arguments that are not whole, or none yet. */
  endCall(isCut = false): void {
    const text = this.#argumentsText.trim()
    this.writer.endCall(text === '' ? !isCut : parseJson(text) !== undefined)
  }

  /** `word`: the provider's reason to stop. */
  end(word: string | undefined, error: Json | undefined, usage: Json | undefined): void {
    const figures = readUsage(usage)
    if (figures !== undefined) this.writer.usage(figures)
    if (word !== undefined && saysBroken(word)) return this.writer.fail(brokenOff(word, error))
    this.writer.end(finishOf(word, this.writer.hasCalls))
  }
}

function mayBeNull(text: string): boolean {
  return 'null'.startsWith(text.trim())
}
