/**
 * Citations, both ways: links alone, with their place in the text of the whole answer.
 * `ChatCompletionMessage.Annotation` of `openai` 7.55.0 (read 2026-11-21)
 */
import { asNumber, asObject, asString, type JsonObject } from '../../core/json.ts'
import type { Citation } from '../neutral.ts'
import { present } from '../present.ts'

const ID = 'openai-chat'

/** Some hosts leave the inner object out. */
export function readCitation(body: JsonObject): Citation {
  const link = asObject(body['url_citation']) ?? body
  const [start, end] = [asNumber(link['start_index']), asNumber(link['end_index'])]
  return {
    ...present({
      url: asString(link['url']),
      title: asString(link['title']),
      // What OpenRouter adds to the vendor’s annotation, by its page on web search (read 2026-11-21).
      quote: asString(link['content']),
      span: start === undefined || end === undefined ? undefined : { start, end },
    }),
    raw: { origin: ID, body },
  }
}

/** The citation as it stands in the part of the text from `from` to `to`; places outside of it are none. */
export function inPart({ span, ...citation }: Citation, from: number, to: number): Citation {
  if (span === undefined || span.start < from || span.end > to) return citation
  return { ...citation, span: { start: span.start - from, end: span.end - from } }
}

/** The text that they belong to is from `from` to `to` in the whole answer's. A source that is no link has no form here. */
export function writeCitations(citations: readonly Citation[], from: number, to: number): readonly JsonObject[] {
  return citations.flatMap(({ url, title, span, raw }) => {
    if (raw?.origin === ID) return [raw.body]
    if (url === undefined) return []
    const place = { start_index: from + (span?.start ?? 0), end_index: span === undefined ? to : from + span.end }
    return [{ type: 'url_citation', url_citation: { ...place, url, title: title ?? '' } }]
  })
}
