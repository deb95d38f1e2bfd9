/** Blocks of an answer, event by event, into the writer of its parts. */
import { asObject, asString, isObject, type Json, type JsonObject, parseJson } from '../../core/json.ts'
import type { BlockEvent } from '../answer/block-order.ts'
import type { EventWriter } from '../answer/event-writer.ts'
import { readCitation } from './citation.ts'

export class BlockTeller {
  readonly #writer: EventWriter
  /** The arguments of the call that is open. */
  #arguments = ''

  constructor(writer: EventWriter) {
    this.#writer = writer
  }

  tell(event: BlockEvent): void {
    switch (event.type) {
      case 'start':
        return this.#start(event.start)
      case 'delta':
        return this.#delta(event.delta)
      case 'stop':
        this.#writer.endCall(isWhole(this.#arguments))
        return this.#writer.closePart()
    }
  }

  /** Only calls are sure to have one. */
  #start(start: JsonObject): void {
    if (start['image'] !== undefined) this.#writer.say('text', PICTURE)
    const call = asObject(start['toolUse'])
    if (call === undefined) return
    this.#arguments = ''
    this.#writer.beginCall(asString(call['toolUseId']), asString(call['name']) ?? '')
  }

  #delta(delta: JsonObject): void {
    this.#writer.say('text', asString(delta['text']) ?? '')
    const fragment = asString(asObject(delta['toolUse'])?.['input']) ?? ''
    this.#arguments += fragment
    this.#writer.callText(fragment)
    const citation = asObject(delta['citation'])
    if (citation !== undefined) this.#writer.cite(readCitation(citation))
    const reasoning = asObject(delta['reasoningContent'])
    if (reasoning !== undefined) this.#reasoning(reasoning)
  }

  #reasoning({ text, signature, redactedContent }: JsonObject): void {
    this.#writer.say('reasoning', asString(text) ?? '')
    if (typeof signature === 'string') this.#writer.sign(signature)
    if (typeof redactedContent === 'string') this.#writer.hide(redactedContent)
  }
}

/** No client's format has a place for a model's picture; that there was one is said as it is in a history. */
const PICTURE = '[image]'

/** A limit may have cut the arguments off. */
function isWhole(argumentsText: string): boolean {
  return argumentsText === '' || parseJson(argumentsText) !== undefined
}

/** A block of a plain reply as the events that would have told it; nothing for kinds that have no form here. */
export function blockEvents(block: Json): readonly BlockEvent[] {
  if (!isObject(block)) return []
  const call = asObject(block['toolUse'])
  if (call !== undefined) return [{ type: 'start', start: block }, ...callDelta(call), { type: 'stop' }]
  return [...deltasOf(block).map((delta) => ({ type: 'delta', delta }) as const), { type: 'stop' }]
}

function callDelta({ input }: JsonObject): readonly BlockEvent[] {
  const isEmpty = input === undefined || (isObject(input) && Object.keys(input).length === 0)
  return isEmpty ? [] : [{ type: 'delta', delta: { toolUse: { input: JSON.stringify(input) } } }]
}

function deltasOf(block: JsonObject): readonly JsonObject[] {
  const { text, reasoningContent, citationsContent } = block
  if (typeof text === 'string') return [{ text }]
  if (block['image'] !== undefined) return [{ text: PICTURE }]
  if (isObject(reasoningContent)) {
    const { reasoningText, ...hidden } = reasoningContent
    return [{ reasoningContent: asObject(reasoningText) ?? hidden }]
  }
  return isObject(citationsContent) ? citedDeltas(citationsContent) : []
}

function citedDeltas({ content, citations }: JsonObject): readonly JsonObject[] {
  const texts = Array.isArray(content) ? content.filter(isObject).map(({ text }) => ({ text })) : []
  const sources = Array.isArray(citations) ? citations.filter(isObject).map((citation) => ({ citation })) : []
  return [...texts, ...sources]
}
