import { asArray, asObject, asString, isObject, type JsonObject } from '../../core/json.ts'
import type { Citation } from '../neutral.ts'
import { ID } from './wire.ts'

/** `CitationsDelta` and `WebLocation` of https://github.com/aws/aws-sdk-js-v3, client-bedrock-runtime (read 2026-11-21) */
export function readCitation(citation: JsonObject): Citation {
  const location = asObject(citation['location']) ?? {}
  const url = asString(asObject(location['web'])?.['url'])
  const title = asString(citation['title'])
  const pieces = (asArray(citation['sourceContent']) ?? []).filter(isObject)
  const quote = pieces.map(({ text }) => asString(text) ?? '').join('')
  return {
    ...(url === undefined ? {} : { url }),
    ...(title === undefined ? {} : { title }),
    ...(quote === '' ? {} : { quote }),
    raw: { origin: ID, body: citation },
  }
}
