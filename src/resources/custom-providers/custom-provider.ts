/**
 * Providers that an operator adds: hosts which the catalogue does not know, described in its own words. What is stored is what was
 * set; `spec.ts` makes a `ProviderSpec` of it, and from there on nothing tells it from a built-in one. Invariant: a secret value
 * never stays when the origins that it was given for change.
 */
import type { DialectId } from '../../catalog/dialect-id.ts'
import type { AuthScheme, Capability, DataPolicy, FixedValues, ModelSpec, Quirks } from '../../catalog/provider.ts'

/** Words that mean something else before the slash of a model identifier, or alone. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(['auto', 'chain', 'direct'])

/** How an account of it signs in: with a key, or not at all. */
export const KEY_SCHEMES = [
  'bearer',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'query',
  'none',
] as const satisfies readonly AuthScheme[]
export type KeyScheme = (typeof KEY_SCHEMES)[number]

export function isKeyScheme(scheme: AuthScheme): scheme is KeyScheme {
  return KEY_SCHEMES.some((known) => known === scheme)
}

/** Where its models are known from: it is asked, the operator lists them, or both. */
export const MODELS_MODES = ['fetch', 'static', 'both'] as const
export type ModelsMode = (typeof MODELS_MODES)[number]

/** The calls whose path may differ from the dialect's, by the words of `endpoints_allow`. */
export type PathKind = 'chat' | 'responses' | 'messages' | 'models'
export type PathOverrides = Readonly<Partial<Record<PathKind, string>>>

export interface Address {
  readonly dialect: DialectId
  /** Without a trailing slash. */
  readonly baseUrl: string
}

export interface CustomProviderRules {
  readonly name: string
  /** Preferred first, each dialect once. */
  readonly addresses: readonly [Address, ...Address[]]
  readonly authScheme: KeyScheme
  /** The header that takes the key, or the parameter with `query`. Null: as the scheme says. */
  readonly authHeader: string | null
  readonly authPrefix: string | null
  /** Names in lower case. */
  readonly headers: FixedValues
  readonly query: FixedValues
  readonly capabilities: readonly Capability[]
  readonly paths: PathOverrides
  readonly modelsMode: ModelsMode
  readonly models: readonly ModelSpec[]
  readonly quirks: Quirks
  readonly allowPrivateNetwork: boolean
  /** The proxy pool that calls leave through unless an account says otherwise, or `direct`; null: that for all. */
  readonly proxyPoolId: string | null
  /** Where requests are worked on, as accounts and chains name regions. Empty: nobody says, or each account does. */
  readonly regions: readonly string[]
  readonly dataPolicy: DataPolicy
}

export interface CustomProvider extends CustomProviderRules {
  readonly id: string
  /** The part before the first slash of a model identifier. Never changes: accounts and records name it. */
  readonly slug: string
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly version: number
}
