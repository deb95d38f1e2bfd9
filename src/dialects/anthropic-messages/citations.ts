/**
 * Citations, both ways. They belong to a whole block of text, and quote their source.
 * The `Citations…Location` types of `@anthropic-ai/sdk` 1.11.0 (read 2026-11-21)
 */
import { asString, type Json, type JsonObject } from '../../core/json.ts'
import type { Citation } from '../neutral.ts'
import { present } from '../present.ts'
import { ID } from './wire.ts'

export function readCitation(body: JsonObject): Citation {
  return {
    ...present({
      url: asString(body['url']) ?? linkIn(body['source']),
      title: asString(body['title']) ?? asString(body['document_title']),
      quote: asString(body['cited_text']),
    }),
    raw: { origin: ID, body },
  }
}

/** `{ citations }` of the wire objects that `bodies` holds, or nothing. */
export function readCitations(bodies: readonly JsonObject[]): { readonly citations?: readonly Citation[] } {
  return bodies.length === 0 ? {} : { citations: bodies.map(readCitation) }
}

/** The source of a search result is whatever the client called it; mostly, but not always, a link. */
function linkIn(source: Json | undefined): string | undefined {
  const text = asString(source)
  return text !== undefined && /^https?:\/\//i.test(text) ? text : undefined
}

/** For a client. A link that another vendor found has no encrypted index; it is shown all the same. */
export function writeCitations(citations: readonly Citation[] = []): readonly JsonObject[] {
  return citations.flatMap(({ url, title, quote, raw }) => {
    if (raw?.origin === ID) return [raw.body]
    if (url === undefined) return []
    const cited = { title: title ?? null, cited_text: quote ?? '', encrypted_index: '' }
    return [{ type: 'web_search_result_location', url, ...cited }]
  })
}

/** For the provider, which refuses citations of other formats, and links whose encrypted index was never there. */
export function replayable(citations: readonly Citation[] = []): readonly JsonObject[] {
  return citations.flatMap(({ raw }) => {
    if (raw?.origin !== ID) return []
    const isOpen = raw.body['type'] === 'web_search_result_location' && !raw.body['encrypted_index']
    return isOpen ? [] : [raw.body]
  })
}
