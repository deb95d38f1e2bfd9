/** Where an account's calls go: what the operator says, or the field of its credentials that its provider's address is made of. */
import type { ProviderSpec } from '../../catalog/provider.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import type { AddressFields } from '../../outbound/address-template.ts'
import type { Place } from '../../routing/candidates.ts'
import type { AccountRules } from './account.ts'

type Where = Pick<AccountRules, 'region' | 'baseUrlOverride'>

/** Null: nobody says. `fields`: the account's credentials, or those of them that are in addresses. */
export function regionOf(
  { auth }: ProviderSpec,
  { region }: Pick<Where, 'region'>,
  fields: AddressFields,
): string | null {
  return auth.regionField === undefined ? region : (fields[auth.regionField] ?? null)
}

/** `fields` are asked for only where the region is among them. */
export function placeOf(provider: ProviderSpec, account: Where, fields: () => AddressFields): Place {
  const { auth, kind, regions = [] } = provider
  const isVendors = account.baseUrlOverride === null || kind === 'local'
  const region = regionOf(provider, account, auth.regionField === undefined ? {} : fields())
  if (region !== null) return { regions: [region], isVendors }
  return { regions: isVendors ? regions : [], isVendors }
}

/** A region that is part of the address is said there alone; what reads show may be sent back. */
export function regionProblems(
  { auth: { regionField } }: ProviderSpec,
  sent: string | null | undefined,
  credentials: AddressFields | null,
): FieldErrors {
  const isOther = typeof sent === 'string' && regionField !== undefined && sent !== credentials?.[regionField]
  return isOther ? { region: [`is what credentials.${regionField} says`] } : {}
}
