/**
 * Annotations, both ways: links with their place in the part's text, and files, which no other format knows.
 * The annotations of `ResponseOutputText` of `openai` 7.55.0 (read 2026-11-21)
 */
import { asNumber, asString, type JsonObject } from '../../core/json.ts'
import type { Citation } from '../neutral.ts'
import { present } from '../present.ts'
import { ID } from './wire.ts'

export function readCitation(body: JsonObject): Citation {
  const [start, end] = [asNumber(body['start_index']), asNumber(body['end_index'])]
  return {
    ...present({
      url: asString(body['url']),
      title: asString(body['title']) ?? asString(body['filename']),
      span: start === undefined || end === undefined ? undefined : { start, end },
    }),
    raw: { origin: ID, body },
  }
}

/** `{ citations }` of the wire objects that `bodies` holds, or nothing. */
export function readCitations(bodies: readonly JsonObject[]): { readonly citations?: readonly Citation[] } {
  return bodies.length === 0 ? {} : { citations: bodies.map(readCitation) }
}

/** The annotations of a part with this text. A source that is no link has no form here. */
export function writeCitations(citations: readonly Citation[], text: string): readonly JsonObject[] {
  return citations.flatMap(({ url, title, span, raw }) => {
    if (raw?.origin === ID) return [raw.body]
    if (url === undefined) return []
    const { start, end } = span ?? { start: 0, end: text.length }
    return [{ type: 'url_citation', start_index: start, end_index: end, url, title: title ?? '' }]
  })
}

/** For the provider, which gets back what it made and nothing else. */
export function replayable(citations: readonly Citation[] = []): readonly JsonObject[] {
  return citations.flatMap(({ raw }) => (raw?.origin === ID ? [raw.body] : []))
}
