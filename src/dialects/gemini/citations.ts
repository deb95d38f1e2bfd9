/**
 * Where an answer has something from, both ways. The vendor lists sources once for the whole answer and points into its text by
 * bytes. `GroundingMetadata` and `Segment` of `@google/genai` 3.1.0 (read 2026-11-21)
 */
import { asArray, asNumber, asObject, asString, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { Citation } from '../neutral.ts'

/** `text` is the answer's own, into which the places point. A source that no place names stands for all of it. */
export function decodeGrounding(grounding: JsonObject, text: string): readonly Citation[] {
  const sources = (asArray(grounding['groundingChunks']) ?? []).map(sourceOf)
  const supports = (asArray(grounding['groundingSupports']) ?? []).filter(isObject)
  const bytes = Buffer.from(text, 'utf8')
  const placed = supports.flatMap((support) => {
    const span = spanOf(asObject(support['segment']), bytes)
    return indicesOf(support)
      .flatMap((index) => sources[index] ?? [])
      .map((source) => ({ ...source, ...span }))
  })
  const named = new Set(supports.flatMap(indicesOf))
  return [
    ...placed,
    ...sources.filter((source, index) => source !== undefined && !named.has(index)).flatMap((one) => one ?? []),
  ]
}

/** How many searches the answer took. */
export function searchesIn(grounding: JsonObject | undefined): number {
  return asArray(grounding?.['webSearchQueries'])?.length ?? 0
}

interface Cited {
  readonly text: string
  readonly citations: readonly Citation[]
}

/** Undefined when nothing is cited. `texts` are the answer's, in order: places count from the start of the first. */
export function encodeGrounding(texts: readonly Cited[]): JsonObject | undefined {
  const chunks: JsonObject[] = []
  const supports: JsonObject[] = []
  let before = 0
  for (const { text, citations } of texts) {
    for (const citation of citations) {
      const index = chunkIndex(chunks, citation)
      if (index !== undefined)
        supports.push({ segment: segmentOf(citation, text, before), groundingChunkIndices: [index] })
    }
    before += Buffer.byteLength(text)
  }
  return chunks.length === 0 ? undefined : { groundingChunks: chunks, groundingSupports: supports }
}

function sourceOf(chunk: Json): Citation | undefined {
  const source = asObject(asObject(chunk)?.['web']) ?? asObject(asObject(chunk)?.['retrievedContext'])
  const url = asString(source?.['uri'])
  const title = asString(source?.['title'])
  if (url === undefined && title === undefined) return undefined
  return { ...(url === undefined ? {} : { url }), ...(title === undefined ? {} : { title }) }
}

function indicesOf(support: JsonObject): readonly number[] {
  return (asArray(support['groundingChunkIndices']) ?? []).filter((index) => typeof index === 'number')
}

/** Bytes → UTF-16 units; nothing when the place lies outside the text. */
function spanOf(segment: JsonObject | undefined, bytes: Buffer): Pick<Citation, 'span'> {
  const from = asNumber(segment?.['startIndex']) ?? 0
  const to = asNumber(segment?.['endIndex'])
  if (to === undefined || from < 0 || to <= from || to > bytes.length) return {}
  const start = bytes.toString('utf8', 0, from).length
  return { span: { start, end: start + bytes.toString('utf8', from, to).length } }
}

function chunkIndex(chunks: JsonObject[], { url, title }: Citation): number | undefined {
  if (url === undefined && title === undefined) return undefined
  const known = chunks.findIndex(({ web }) => isObject(web) && web['uri'] === url && web['title'] === title)
  if (known >= 0) return known
  return (
    chunks.push({ web: { ...(url === undefined ? {} : { uri: url }), ...(title === undefined ? {} : { title }) } }) - 1
  )
}

function segmentOf({ span }: Citation, text: string, before: number): JsonObject {
  const { start, end } = span ?? { start: 0, end: text.length }
  const startIndex = before + Buffer.byteLength(text.slice(0, start))
  const cited = text.slice(start, end)
  return { startIndex, endIndex: startIndex + Buffer.byteLength(cited), text: cited }
}
