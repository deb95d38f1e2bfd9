import type { Failure } from '../../core/failure.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { eachSendable } from '../request-headers.ts'
import type { Target } from '../target.ts'
import type { OutboundRequest } from '../transport.ts'

/** Up to this size a body is copied behind its head, so that both leave in one write; beyond, copying costs more. */
const COPIED_BODY_BYTES_MAX = 64 * 1024

/** The request as it goes over the wire. Failure: `connect` for a header that cannot be sent. */
export function requestBytes(target: Target, request: OutboundRequest): Result<readonly Buffer[], Failure> {
  const body = bodyOf(request.body)
  let head = requestLine(target, request.method, body?.length)
  const refusal = eachSendable(request.headers, (name, value) => {
    head += `${name}: ${value}\r\n`
  })
  return refusal === undefined ? ok(joined(`${head}\r\n`, body)) : err(refusal)
}

function joined(head: string, body: Buffer | undefined): readonly Buffer[] {
  if (body === undefined) return [Buffer.from(head, 'latin1')]
  if (body.length > COPIED_BODY_BYTES_MAX) return [Buffer.from(head, 'latin1'), body]
  const whole = Buffer.allocUnsafe(head.length + body.length)
  whole.write(head, 0, 'latin1')
  whole.set(body, head.length)
  return [whole]
}

/** Replies are asked for as they are: decoding them costs more than the bytes of a small answer are worth. */
function requestLine(target: Target, method: OutboundRequest['method'], bodyBytes: number | undefined): string {
  const line = `${method} ${target.path} HTTP/1.1\r\nhost: ${target.authority}\r\naccept-encoding: identity\r\n`
  const length = bodyBytes ?? (method === 'POST' ? 0 : undefined)
  return length === undefined ? line : `${line}content-length: ${length}\r\n`
}

function bodyOf(body: Uint8Array | string | undefined): Buffer | undefined {
  if (body === undefined) return undefined
  return typeof body === 'string' ? Buffer.from(body, 'utf8') : Buffer.from(body.buffer, body.byteOffset, body.length)
}
