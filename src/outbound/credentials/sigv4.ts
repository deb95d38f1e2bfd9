/**
 * AWS Signature Version 4: each call is signed over its method, path, host, date and body, exactly as they are sent.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html (read 2026-11-21)
 */
import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import { failure } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { CallToSign, Signer, SignerDeps, SigningAccess } from './signer.ts'

/** Signing keys that are remembered; there is one a day. */
const SIGNING_KEYS_MAX = 4
/** A longer body is hashed on another thread: here it would hold up every stream for as long as it takes. */
const HASHED_HERE_BYTES_MAX = 64 * 1024

export function sigv4Signer({ provider, credentials }: SigningAccess, { clock }: SignerDeps): Signer {
  const { access_key_id, secret_access_key, session_token, region } = credentials
  const keys = new Map<string, ArrayBuffer>()
  return {
    secrets: () => [],
    sign: async (call) => {
      if (!access_key_id || !secret_access_key || !region) return err(MISSING)
      if (keys.size >= SIGNING_KEYS_MAX) keys.clear()
      const { headers } = await new AwsV4Signer({
        ...(await signable(call)),
        accessKeyId: access_key_id,
        secretAccessKey: secret_access_key,
        ...(session_token ? { sessionToken: session_token } : {}),
        service: provider.auth.signedService ?? '',
        region,
        cache: keys,
        datetime: basicTime(clock.nowMs()),
      }).sign()
      return ok({ url: call.url, headers: { ...call.headers, ...Object.fromEntries(headers) } })
    },
  }
}

const MISSING = failure('auth', 'The account has no AWS credentials that could sign a call.')

/**
 * AWS asks for the host and its own headers; others may change on their way, so they are not signed. The body is signed by its
 * hash, which goes along.
 */
async function signable({ method, url, headers, body = '' }: CallToSign) {
  const own = Object.entries(headers).filter(([name]) => name.toLowerCase().startsWith('x-amz-'))
  return { method, url, headers: { ...Object.fromEntries(own), 'x-amz-content-sha256': await sha256Of(body) } }
}

async function sha256Of(body: NonNullable<CallToSign['body']>): Promise<string> {
  if (body.length <= HASHED_HERE_BYTES_MAX) return createHash('sha256').update(body).digest('hex')
  const bytes = typeof body === 'string' ? Buffer.from(body) : new Uint8Array(body)
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
}

/** `20261121T120000Z` */
function basicTime(nowMs: number): string {
  return new Date(nowMs).toISOString().replace(/[:-]|\.\d{3}/g, '')
}
