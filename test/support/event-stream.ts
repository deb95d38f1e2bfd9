/**
 * Binary messages as a played AWS service sends them.
 * https://smithy.io/2.0/aws/amazon-eventstream.html (read 2026-11-21)
 */
import { crc32 } from 'node:zlib'

/** A message with these headers, all of them text. */
export function eventMessage(headers: Readonly<Record<string, string>>, payload: string | Uint8Array): Buffer {
  const encoded = Buffer.concat(Object.entries(headers).map(([name, value]) => textHeader(name, value)))
  return messageOf(encoded, Buffer.from(payload))
}

/** A message whose headers are given as bytes. */
export function messageOf(headers: Buffer, payload: Buffer): Buffer {
  const prelude = Buffer.alloc(12)
  prelude.writeUInt32BE(12 + headers.length + payload.length + 4, 0)
  prelude.writeUInt32BE(headers.length, 4)
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8)
  const whole = Buffer.concat([prelude, headers, payload])
  return Buffer.concat([whole, checksumOf(whole)])
}

export function textHeader(name: string, value: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(Buffer.byteLength(value))
  return Buffer.concat([
    Buffer.of(Buffer.byteLength(name)),
    Buffer.from(name),
    Buffer.of(7),
    length,
    Buffer.from(value),
  ])
}

/** An event as ConverseStream sends it, with its padding. */
export function eventOf(type: string, body: object): Buffer {
  const headers = { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' }
  return eventMessage(headers, JSON.stringify({ ...body, p: 'abcdefghijklmnop' }))
}

export function exceptionOf(type: string, body: object): Buffer {
  const headers = { ':exception-type': type, ':content-type': 'application/json', ':message-type': 'exception' }
  return eventMessage(headers, JSON.stringify(body))
}

/** An event of Messages as InvokeModelWithResponseStream wraps it. */
export function chunkOf(event: object | string): Buffer {
  const json = typeof event === 'string' ? event : JSON.stringify(event)
  return eventOf('chunk', { bytes: Buffer.from(json).toString('base64') })
}

function checksumOf(bytes: Buffer): Buffer {
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(bytes))
  return checksum
}
