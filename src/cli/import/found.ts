/**
 * What files of other programs hold, in this program's words, and what of it cannot be taken over. Readers are pure and know nothing
 * of what is here already. Invariant: nothing is lost quietly; what is not found here is in `leftOut`, with why.
 */
import type { AuthScheme } from '../../catalog/provider.ts'
import type { OrderingStrategy } from '../../routing/rule.ts'
import type { AddressesDraft } from '../../resources/custom-providers/addresses.ts'

export interface Found {
  /** What the file is, as a person calls it. */
  readonly source: string
  readonly providers: readonly FoundProvider[]
  readonly accounts: readonly FoundAccount[]
  /** Those that others name stand before them. */
  readonly names: readonly FoundName[]
  readonly keys: readonly FoundKey[]
  readonly leftOut: readonly LeftOut[]
}

export interface FoundProvider {
  readonly slug: string
  readonly name: string
  readonly dialect: AddressesDraft[number]['dialect']
  readonly baseUrl: string
  /** How a key goes with each call. */
  readonly authScheme: 'bearer' | 'x-api-key' | 'none'
}

export interface FoundAccount {
  /** Names it within the file. */
  readonly ref: string
  readonly provider: string
  /** Null: the program gives it one. */
  readonly name: string | null
  readonly authType: AuthScheme | null
  readonly credentials: Readonly<Record<string, string>>
  readonly enabled: boolean
  readonly priority: number
}

export interface FoundName {
  readonly kind: 'alias' | 'chain'
  readonly name: string
  readonly strategy: OrderingStrategy
  readonly targets: readonly FoundTarget[]
  /** Whether lists of models show it. */
  readonly isListed: boolean
}

export interface FoundTarget {
  readonly model: string
  /** `ref` of the one account that is meant; null: any of the provider's. */
  readonly account: string | null
  readonly weight: number
  readonly priority: number
}

export interface FoundKey {
  readonly name: string
  readonly secret: string
  readonly enabled: boolean
}

export interface LeftOut {
  readonly what: string
  readonly why: string
}

/** Values of variables that a file leaves to the environment. */
export type Variables = Readonly<Record<string, string | undefined>>

/** What a chain or an alias may have. */
export const TARGETS_MAX = 32

/** A name of this program's chains and custom providers out of any text. */
export function slugOf(text: string, lengthMax: number): string {
  const words = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return words.slice(0, lengthMax).replaceAll(/^-+|-+$/g, '')
}
