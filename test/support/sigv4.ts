/**
 * AWS Signature Version 4 from the receiver's side, written from the rules alone: what a signature over a request as it arrived
 * has to be. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html (read 2026-11-21)
 */
import { createHash, createHmac } from 'node:crypto'

export interface ReceivedRequest {
  readonly method: string
  /** Path and query, as on the wire. */
  readonly path: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | string
}

export interface Claim {
  readonly accessKeyId: string
  readonly region: string
  readonly service: string
  readonly signedHeaders: readonly string[]
  readonly signature: string
}

/** What the `Authorization` header claims. */
export function claimOf({ headers }: Pick<ReceivedRequest, 'headers'>): Claim {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/
  const [, accessKeyId = '', region = '', service = '', signed = '', signature = ''] =
    pattern.exec(headers['authorization'] ?? '') ?? []
  return { accessKeyId, region, service, signedHeaders: signed.split(';'), signature }
}

/** The signature that the holder of `secret` gives this request. */
export function expectedSignature(request: ReceivedRequest, claim: Omit<Claim, 'signature'>, secret: string): string {
  const at = request.headers['x-amz-date'] ?? ''
  const scope = [at.slice(0, 8), claim.region, claim.service, 'aws4_request']
  const toSign = ['AWS4-HMAC-SHA256', at, scope.join('/'), sha256(canonical(request, claim.signedHeaders))].join('\n')
  const key = scope.reduce<string | Buffer>((parent, part) => hmac(parent, part), `AWS4${secret}`)
  return hmac(key, toSign).toString('hex')
}

function canonical({ method, path, headers, body }: ReceivedRequest, signed: readonly string[]): string {
  const [plainPath = '', query = ''] = path.split('?', 2)
  const named = signed.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/\s+/g, ' ')}\n`)
  return [method, encoded(plainPath, '/'), canonicalQuery(query), named.join(''), signed.join(';'), sha256(body)].join(
    '\n',
  )
}

function canonicalQuery(query: string): string {
  const pairs = query === '' ? [] : query.split('&').map((pair) => [...pair.split('='), ''].slice(0, 2))
  const written = pairs.map((pair) => pair.map((text) => encoded(decodeURIComponent(text), '')).join('='))
  return written.toSorted().join('&')
}

/** Everything but the unreserved characters of RFC 3986 and those of `kept` as `%XX`: a path that has escapes has them twice. */
function encoded(text: string, kept: string): string {
  const bytes = [...Buffer.from(text, 'utf8')]
  return bytes
    .map((byte) => {
      const character = String.fromCharCode(byte)
      const isPlain = /[A-Za-z0-9._~-]/.test(character) || kept.includes(character)
      return isPlain ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
}

function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
