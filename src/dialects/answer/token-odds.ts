/** How likely each piece of a text was, in the shape that OpenAI's two formats and Ollama's share. */
import { asArray, asNumber, asString, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { Odds, TokenOdds } from '../neutral.ts'

export function readOdds(list: Json | undefined): readonly TokenOdds[] {
  return objectsIn(list).flatMap((wire) =>
    pieceOf(wire).map((piece) => ({ ...piece, alternatives: objectsIn(wire['top_logprobs']).flatMap(pieceOf) })),
  )
}

/** Every member is there: clients index into them without looking. */
export function writeOdds(odds: readonly TokenOdds[]): readonly JsonObject[] {
  return odds.map((one) => ({ ...wirePiece(one), top_logprobs: one.alternatives.map(wirePiece) }))
}

/** `{ odds }`, or nothing where a text has none. */
export function withOdds(odds: readonly TokenOdds[] | undefined): { readonly odds?: readonly TokenOdds[] } {
  return odds === undefined || odds.length === 0 ? {} : { odds }
}

function objectsIn(list: Json | undefined): readonly JsonObject[] {
  return (asArray(list) ?? []).filter(isObject)
}

function pieceOf(wire: JsonObject): readonly Odds[] {
  const token = asString(wire['token'])
  const logprob = asNumber(wire['logprob'])
  if (token === undefined || logprob === undefined) return []
  const bytes = asArray(wire['bytes'])?.filter((byte) => typeof byte === 'number')
  return [{ token, logprob, ...(bytes === undefined ? {} : { bytes }) }]
}

function wirePiece({ token, logprob, bytes }: Odds): JsonObject {
  return { token, logprob, bytes: bytes ?? [...Buffer.from(token, 'utf8')] }
}
