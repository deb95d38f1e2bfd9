/**
 * Tries credentials before anything is saved: at a provider that is known here, or at one that the call itself describes. Nothing is
 * stored, and what the provider says comes back in our words alone.
 */
import type { ProviderSpec } from '../../catalog/provider.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { invalid, type Refusal } from '../../http/refusal.ts'
import { readCredentials } from '../accounts/credentials.ts'
import { probe, type ProbeDeps, type ProbeReport } from '../accounts/probe.ts'
import { readOverride } from '../accounts/rules.ts'
import { isKeyScheme } from '../custom-providers/custom-provider.ts'
import type { CustomProviderService } from '../custom-providers/service.ts'
import type { ValidateKeyDraft } from './schema.ts'

interface Deps extends ProbeDeps {
  readonly provider: (id: string) => ProviderSpec | undefined
  /** Whether there is such a proxy pool, or it is `direct`. */
  readonly isProxyPool: (id: string) => boolean
  readonly customProviders: Pick<CustomProviderService, 'describe'>
}

/** What a provider that nobody named is called while it is tried. */
const UNNAMED = '(unsaved)'
/** Fields of an account; all others but `provider` describe a provider. */
const OF_ACCOUNT: ReadonlySet<string> = new Set([
  'provider',
  'credentials',
  'auth_scheme',
  'base_url_override',
  'allow_private_network',
  'proxy_pool_id',
])

export class KeyValidation {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** `deep` spends up to one token twice. Refusal: `invalid`. */
  async validate(draft: ValidateKeyDraft, deep: boolean): Promise<Result<ProbeReport, Refusal>> {
    const found = draft.dialects === undefined ? this.#known(draft) : this.#described(draft)
    if (!found.ok) return err(invalid(found.error))
    const provider = found.value
    const authType = draft.auth_scheme ?? provider.auth.schemes[0]
    const allowPrivateNetwork = draft.allow_private_network ?? provider.kind === 'local'
    const credentials = readCredentials(provider, authType, draft.credentials, null)
    const baseUrl = readOverride(draft.base_url_override, null, allowPrivateNetwork)
    const errors: FieldErrors = {
      ...(provider.auth.schemes.includes(authType) ? {} : { auth_scheme: ['is not one of this provider'] }),
      ...(credentials.ok ? {} : credentials.error),
      ...(this.#isPoolFine(draft) ? {} : { proxy_pool_id: ['is no proxy pool that is here'] }),
      ...(baseUrl.ok ? {} : { base_url_override: [baseUrl.error] }),
    }
    if (!credentials.ok || !baseUrl.ok || Object.keys(errors).length > 0) return err(invalid(errors))
    const place = { baseUrlOverride: baseUrl.value, allowPrivateNetwork, proxyPoolId: draft.proxy_pool_id ?? null }
    const target = { provider, authType, credentials: credentials.value, headers: {}, ...place }
    return ok(await probe(target, deep, this.#deps))
  }

  #isPoolFine({ proxy_pool_id: pool }: ValidateKeyDraft): boolean {
    return pool === undefined || pool === null || this.#deps.isProxyPool(pool)
  }

  #known(draft: ValidateKeyDraft): Result<ProviderSpec, FieldErrors> {
    const stray = Object.keys(draft).filter((name) => !OF_ACCOUNT.has(name))
    if (stray.length > 0) return err(Object.fromEntries(stray.map((name) => [name, ['goes with dialects alone']])))
    if (draft.provider === undefined) return err({ provider: ['is required unless dialects describe one'] })
    const provider = this.#deps.provider(draft.provider)
    if (provider === undefined) return err({ provider: ['is not a provider that is known here'] })
    return provider.kind === 'demo' ? err({ provider: ['needs no account'] }) : ok(provider)
  }

  /** A provider of the operator's own, new or about to be changed. */
  #described(draft: ValidateKeyDraft): Result<ProviderSpec, FieldErrors> {
    const { provider: slug = UNNAMED, base_url_override } = draft
    const isBuiltIn = this.#deps.provider(slug)?.origin === 'builtin'
    if (isBuiltIn) return err({ dialects: ['are those of the provider itself; leave them out'] })
    if (base_url_override) return err({ base_url_override: ['goes with a saved provider; use dialects'] })
    const { auth_scheme, ...described } = draft
    if (auth_scheme === undefined || auth_scheme === null) return this.#deps.customProviders.describe(slug, described)
    if (!isKeyScheme(auth_scheme)) return err({ auth_scheme: ['is not one that a provider of your own takes'] })
    return this.#deps.customProviders.describe(slug, { ...described, auth_scheme })
  }
}
