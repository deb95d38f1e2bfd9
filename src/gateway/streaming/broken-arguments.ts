/**
 * Counts the calls of an answer whose arguments claim to be whole and are no JSON. They go on as they came, since a client may ask
 * its model to mend them; the operator learns of them, as a host whose tools do not work looks well otherwise.
 */
import { isJson } from '../../core/json.ts'
import type { ChatEvent, ChatReply } from '../../dialects/neutral.ts'

/** Longer arguments are not looked into: parsing them would hold up other streams. */
const CHARACTERS_MAX = 64 * 1024

export class BrokenArguments {
  /** Of the call that is open; undefined when there is none to look into. */
  #text: string | undefined
  #count = 0

  get count(): number {
    return this.#count
  }

  note(event: ChatEvent): void {
    if (event.type === 'tool-call-start') this.#text = event.kind === 'function' ? '' : undefined
    else if (event.type === 'tool-call-delta') this.#add(event.text)
    else if (event.type === 'tool-call-end') this.#end(event.complete)
  }

  #add(text: string): void {
    if (this.#text === undefined) return
    this.#text = this.#text.length + text.length > CHARACTERS_MAX ? undefined : this.#text + text
  }

  #end(complete: boolean): void {
    if (complete && this.#text !== undefined && isBroken(this.#text)) this.#count++
    this.#text = undefined
  }
}

export function brokenCallsIn({ parts, finish }: ChatReply): number {
  if (finish.reason === 'length') return 0
  const calls = parts.filter((part) => part.type === 'tool-call')
  return calls.filter(({ kind, argumentsText }) => kind === 'function' && isBroken(argumentsText)).length
}

function isBroken(text: string): boolean {
  return text.trim() !== '' && text.length <= CHARACTERS_MAX && !isJson(text)
}
