import type { OutboundRequest } from '../transport.ts'

/** Up to this size a body is copied behind its head, so that both leave in one write. */
const COPIED_BODY_BYTES_MAX = 256 * 1024

/** The request as it goes over the wire. The headers are checked already (`../request-headers.ts`). */
export function requestBytes(url: URL, request: OutboundRequest): readonly Buffer[] {
  const body = bodyOf(request.body)
  const head = headOf(url, request, body?.length)
  if (body === undefined) return [Buffer.from(head, 'latin1')]
  if (body.length > COPIED_BODY_BYTES_MAX) return [Buffer.from(head, 'latin1'), body]
  const whole = Buffer.allocUnsafe(head.length + body.length)
  whole.write(head, 0, 'latin1')
  whole.set(body, head.length)
  return [whole]
}

/** Replies are asked for as they are: decoding them would cost more than the loopback or data-centre bytes it saves. */
function headOf(url: URL, { method, headers }: OutboundRequest, bodyBytes: number | undefined): string {
  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\naccept-encoding: identity\r\n`
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`
  if (bodyBytes !== undefined) head += `content-length: ${bodyBytes}\r\n`
  else if (method === 'POST') head += 'content-length: 0\r\n'
  return `${head}\r\n`
}

function bodyOf(body: Uint8Array | string | undefined): Buffer | undefined {
  if (body === undefined) return undefined
  return typeof body === 'string' ? Buffer.from(body, 'utf8') : Buffer.from(body.buffer, body.byteOffset, body.length)
}
