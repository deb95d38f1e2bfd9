/** How calls reach a provider as one of its accounts: what is made of the account's credentials once, and used for every call. */
import type { ProviderSpec } from '../../catalog/provider.ts'
import { addressFieldNames, addressFieldsOf, NO_FIELDS, type AddressFields } from '../../outbound/address-template.ts'
import { authHeaders } from '../../outbound/credentials/api-key.ts'
import { signerFor, type Signer, type SignerDeps, type SigningAccess } from '../../outbound/credentials/signer.ts'
import { sendOnBehalf } from '../../outbound/transport.ts'
import { behalfOf, type ExitUser } from '../../outbound/upstream.ts'

export interface Access {
  /** The provider as it was when this was made. */
  readonly of: ProviderSpec
  /** They authenticate a call, unless a signer has to. */
  readonly headers: Readonly<Record<string, string>>
  /** What placeholders in the provider's addresses stand for. */
  readonly fields: AddressFields
  readonly signer: Signer | undefined
}

/** Endpoints for tokens are asked by the same exits as the provider itself. */
export function openAccess(account: SigningAccess & ExitUser, deps: SignerDeps): Access {
  const { provider, authType, credentials } = account
  const send = sendOnBehalf(deps.send, behalfOf(provider, account))
  return {
    of: provider,
    headers: authHeaders(provider, authType, credentials),
    fields: addressFieldNames(provider).size === 0 ? NO_FIELDS : addressFieldsOf(provider, credentials),
    signer: signerFor(account, { ...deps, send }),
  }
}
