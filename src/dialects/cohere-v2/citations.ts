/**
 * Where an answer has its words from. https://docs.cohere.com/docs/rag-citations.md and `Citation` of
 * https://github.com/cohere-ai/cohere-typescript (read 2026-11-21)
 */
import { asArray, asNumber, asObject, asString, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { Citation } from '../neutral.ts'
import { ID } from './wire.ts'

/** `text`: the part that the citation is about, as far as it is known. */
export function readCitation(wire: JsonObject, text: string): Citation {
  const source = (asArray(wire['sources']) ?? []).find(isObject)
  const document = asObject(source?.['document']) ?? {}
  const span = spanOf(wire, text)
  return {
    ...named('url', document['url']),
    ...named('title', document['title']),
    ...named('quote', document['text'] ?? document['snippet']),
    ...(span === undefined ? {} : { span }),
    raw: { origin: ID, body: wire },
  }
}

function named(name: 'url' | 'title' | 'quote', value: Json | undefined): Partial<Record<typeof name, string>> {
  const text = asString(value)
  return text === undefined || text === '' ? {} : { [name]: text }
}

/** The provider counts characters; ours are UTF-16 units. Places that do not hold the words they are said to are left out. */
function spanOf(wire: JsonObject, text: string): Citation['span'] {
  const [start, end, words] = [asNumber(wire['start']), asNumber(wire['end']), asString(wire['text'])]
  if (start === undefined || end === undefined || words === undefined) return undefined
  if (text.slice(start, end) === words) return { start, end }
  const characters = [...text]
  if (characters.slice(start, end).join('') !== words) return undefined
  const from = characters.slice(0, start).join('').length
  return { start: from, end: from + words.length }
}
