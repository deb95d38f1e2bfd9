/**
 * Credentials that headers made once cannot carry: a key in the address, a signature over each call, a token that lasts an hour.
 * A signer belongs to one account as it is: it goes when the account changes, and what it remembers goes with it. It holds at
 * most one token. Nothing here says who may call what, and no failure repeats what an endpoint wrote.
 */
import type { AuthScheme, ProviderSpec } from '../../catalog/provider.ts'
import type { Clock } from '../../core/clock.ts'
import type { Failure } from '../../core/failure.ts'
import type { Result } from '../../core/result.ts'
import type { OutboundRequest, Send } from '../transport.ts'
import type { Credentials } from './api-key.ts'
import { googleSigner } from './google-service-account.ts'
import { oauthClientSigner } from './oauth-client.ts'
import { querySigner } from './query-key.ts'
import { sigv4Signer } from './sigv4.ts'

/** A call as it is about to leave. `signal` ends the wait for it; an exchange that others wait for goes on. */
export type CallToSign = Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'body' | 'signal'>

/** The same call with its credentials: what it is sent to, and with which headers. */
export type SignedCall = Pick<OutboundRequest, 'url' | 'headers'>

export interface Signer {
  /**
   * Failures: `auth` when the credentials are missing, unusable or refused; `connect`, `timeout` and `server` when there was no
   * token to be had for other reasons; `cancelled` by the signal.
   */
  sign(call: CallToSign): Promise<Result<SignedCall, Failure>>
  /** What it made of the credentials and must not appear in anything that a client or a log sees. */
  secrets(): readonly string[]
}

/** What an account signs with. */
export interface SigningAccess {
  readonly provider: ProviderSpec
  readonly authType: AuthScheme
  readonly credentials: Credentials
  readonly allowPrivateNetwork: boolean
}

export interface SignerDeps {
  readonly send: Send
  readonly clock: Clock
}

type MakeSigner = (access: SigningAccess, deps: SignerDeps) => Signer

const SIGNERS: Readonly<Partial<Record<AuthScheme, MakeSigner>>> = {
  query: querySigner,
  sigv4: sigv4Signer,
  'gcp-sa': googleSigner,
  'oauth-client': oauthClientSigner,
}

/** Do calls of this scheme need more than headers that are made once? */
export function isSigned(authType: AuthScheme): boolean {
  return SIGNERS[authType] !== undefined
}

/** Undefined: the headers of `authHeaders` are all. */
export function signerFor(access: SigningAccess, deps: SignerDeps): Signer | undefined {
  return SIGNERS[access.authType]?.(access, deps)
}
