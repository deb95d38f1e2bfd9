/** What a request said and was answered, handed to whoever keeps it: only where its key asks for that. */
import { copied } from './copied.ts'
import type { Exchange } from '../exchange.ts'

/** The same response; once it has ended, what is wanted of it is kept. */
export async function withContentKept(exchange: Exchange, response: Response): Promise<Response> {
  const { deps, key, body, call, meter } = exchange
  const { logContent, contentBytesMax: bytesMax } = deps.settings()
  const logging = key.logContent ?? logContent
  if (logging === 'never') return response
  return copied(response, body.stream, bytesMax, ({ bytes, isWhole }) => {
    if (logging === 'errors' && meter.status === 'ok') return
    const { bytes: asked } = body.scanned
    deps.contents.keep(call.id, call.atMs, {
      request: textOf(asked.subarray(0, bytesMax)),
      answer: textOf(bytes),
      isCut: !isWhole || asked.length > bytesMax,
    })
  })
}

/** A character that was cut in two becomes a replacement character. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8')
}
