import { ok } from '../../core/result.ts'
import { AccessTokens, type Exchange } from './access-tokens.ts'
import type { Signer, SignerDeps } from './signer.ts'

/** Sends what `exchange` gives as a bearer token. */
export function bearerSigner(exchange: Exchange, { clock }: SignerDeps): Signer {
  const tokens = new AccessTokens(exchange, clock)
  return {
    secrets: () => tokens.secrets(),
    sign: async ({ url, headers, signal }) => {
      const token = await tokens.get(signal)
      return token.ok ? ok({ url, headers: { ...headers, authorization: `Bearer ${token.value}` } }) : token
    },
  }
}
