/** Images by address in bodies of OpenAI's two formats, for hosts that take images as bytes alone. */
import type { Quirks } from '../../catalog/provider.ts'
import { bufferOf, textOf, type ScannedObject } from '../../core/json-scan.ts'

const MARK = Buffer.from('image_url"')
/** Inside a JSON string its quotes would be escaped, so this is a member: `image_url` itself, or `url` in it. */
const BY_ADDRESS = /"(?:image_url|url)"\s*:\s*"https?:/i

/** Whether the body has images that such a host cannot get: they have to be fetched, and the body rewritten. */
export function holdsImageUrls({ bytes, open, close }: ScannedObject, { noUrlMedia }: Quirks): boolean {
  if (noUrlMedia !== true || !bufferOf(bytes).includes(MARK)) return false
  return BY_ADDRESS.test(textOf(bytes, open, close))
}
