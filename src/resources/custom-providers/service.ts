import type { ProviderSpec, Quirks } from '../../catalog/provider.ts'
import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/id.ts'
import type { Random } from '../../core/random.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { revised } from '../../core/revised.ts'
import { Secret } from '../../core/secret.ts'
import { Snapshot } from '../../core/snapshot.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { staleness } from '../../http/if-match.ts'
import { invalid, type Refusal } from '../../http/refusal.ts'
import { afterProviderMove, type ChangeMode, type ProviderMove } from '../accounts/edit.ts'
import type { AccountRoster } from '../accounts/roster.ts'
import type { AccountStep } from '../accounts/store.ts'
import type { ActedBy } from '../audit/entry.ts'
import type { Audit } from '../audit/service.ts'
import type { Acting } from '../auth/actor.ts'
import { actedBy } from '../auth/acted-by.ts'
import { leavesOrigins } from './addresses.ts'
import type { CustomProvider, CustomProviderRules } from './custom-provider.ts'
import type { ProviderDraft } from './fields.ts'
import { defaultRules, readRules, type Start } from './rules.ts'
import { toWire, type CustomProviderDraft, type NewCustomProviderDraft } from './schema.ts'
import { specOf } from './spec.ts'
import { NO_SUCH_PROVIDER, type Change, type CustomProviderStore } from './store.ts'

interface Deps {
  readonly store: CustomProviderStore
  readonly roster: AccountRoster
  readonly audit: Audit
  readonly clock: Clock
  readonly random: Random
  /** Whether there is such a proxy pool, or it is `direct`. */
  readonly isProxyPool: (id: string) => boolean
  /** Names that mean something else before the slash of a model identifier. */
  readonly isReserved: (slug: string) => boolean
  /** Called when a provider is gone, for what was kept about it. */
  readonly removed: (slug: string) => Promise<void>
}

/** A write that went well, and what went with it. */
export interface ChangedProvider {
  readonly provider: CustomProvider
  /** Secrets and accounts' credentials that belonged to the former address, by name. */
  readonly dropped: readonly string[]
}

/** Who acts, perhaps at the machine itself. */

interface Loaded {
  readonly providers: readonly CustomProvider[]
  readonly specs: readonly ProviderSpec[]
}

/** What operators do with their own providers. A change counts from the next request on; every act is audited, no secret is. */
export class CustomProviderService {
  readonly #deps: Deps
  readonly #loaded = new Snapshot<Loaded>({ providers: [], specs: [] })

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Reads what is stored: before requests are served, and after each write. */
  async reload(): Promise<void> {
    const providers = await this.#deps.store.all()
    this.#loaded.replace({ providers, specs: providers.map((provider) => specOf(provider.slug, provider)) })
  }

  /** In creation order; another array as soon as one has changed. */
  specs(): readonly ProviderSpec[] {
    return this.#loaded.current.specs
  }

  /** In creation order. */
  all(): readonly CustomProvider[] {
    return this.#loaded.current.providers
  }

  /** Refusal: `missing`. */
  get(id: string): Result<CustomProvider, Refusal> {
    const found = this.all().find((provider) => provider.id === id)
    return found === undefined ? err(NO_SUCH_PROVIDER) : ok(found)
  }

  /** A provider as a draft describes it, for trying it. Masks stand for the secrets of the saved one with this slug. */
  describe(slug: string, draft: ProviderDraft): Result<ProviderSpec, FieldErrors> {
    const saved = this.all().find((provider) => provider.slug === slug) ?? null
    const defaults = defaultRules(slug)
    const rules = this.#readRules(draft, { base: defaults, defaults, saved })
    return rules.ok ? ok(specOf(slug, rules.value)) : rules
  }

  /** Refusals: `invalid`, `conflict`. */
  async create(draft: NewCustomProviderDraft, caller: Acting): Promise<Result<ChangedProvider, Refusal>> {
    const { store, clock, random, isReserved } = this.#deps
    const { slug } = draft
    const defaults = defaultRules(slug)
    const rules = this.#readRules(draft, { base: defaults, defaults, saved: null })
    const reserved = isReserved(slug) ? { slug: ['means something else already'] } : {}
    if (!rules.ok || isReserved(slug)) return err(invalid({ ...reserved, ...(rules.ok ? {} : rules.error) }))
    const nowMs = clock.nowMs()
    const stamp = { createdAtMs: nowMs, updatedAtMs: nowMs, version: 1 }
    const provider = { id: newId('cpr', random), slug, ...rules.value, ...stamp }
    const move = { authType: provider.authScheme, leavesOrigins: true }
    const left = await store.insert(provider, this.#accountStep(move, nowMs))
    if (!left.ok) return left
    for (const stored of left.value) this.#deps.roster.put(stored)
    await this.reload()
    await this.#record('custom_provider.create', actedBy(caller), provider, { after: toWire(provider) })
    return ok({ provider, dropped: [] })
  }

  /** `version`: the one that the caller has seen; null when it does not matter. Refusals: `missing`, `stale`, `invalid`. */
  async change(
    id: string,
    draft: CustomProviderDraft,
    mode: ChangeMode,
    version: number | null,
    caller: Acting,
  ): Promise<Result<ChangedProvider, Refusal>> {
    const { store, roster, clock } = this.#deps
    const nowMs = clock.nowMs()
    const changed = await store.change(id, (before) => this.#decide(before, draft, mode, version, nowMs))
    if (!changed.ok) return changed
    const { before, after, accounts } = changed.value
    for (const stored of accounts) roster.put(stored)
    if (after === before) return ok({ provider: after, dropped: [] })
    await this.reload()
    const bare = accounts.filter(({ account }) => account.sealedCredentials === null)
    const dropped = [...lostSecrets(before, after), ...bare.map(({ account }) => `credentials of ${account.name}`)]
    await this.#record('custom_provider.change', actedBy(caller), after, {
      before: toWire(before),
      after: { ...toWire(after), dropped },
    })
    return ok({ provider: after, dropped })
  }

  /**
   * Adds quirks that somebody has found to those that are set, which they beat. Nothing changes when all of them are there.
   * Refusal: `missing`.
   */
  async learn(slug: string, found: Quirks, by: ActedBy): Promise<Result<CustomProvider, Refusal>> {
    const known = this.all().find((provider) => provider.slug === slug)
    if (known === undefined) return err(NO_SUCH_PROVIDER)
    const { store, clock } = this.#deps
    const changed = await store.change(known.id, (before) => {
      const after = revised(before, { ...before, quirks: withQuirks(before.quirks, found) }, clock.nowMs())
      return ok({ after, accounts: () => undefined })
    })
    if (!changed.ok) return changed
    const { before, after } = changed.value
    if (after === before) return ok(after)
    await this.reload()
    await this.#record('custom_provider.change', by, after, { before: toWire(before), after: toWire(after) })
    return ok(after)
  }

  /** Refusals: `missing`, `stale`; `conflict` while accounts use it, unless they may go, too. */
  async remove(
    id: string,
    withAccounts: boolean,
    version: number | null,
    caller: Acting,
  ): Promise<Result<RemovedProvider, Refusal>> {
    const removed = await this.#deps.store.remove(id, withAccounts, (stored) => staleness(stored.version, version))
    if (!removed.ok) return removed
    const { provider, accounts } = removed.value
    for (const { account } of accounts) this.#deps.roster.drop(account.id)
    await this.reload()
    await this.#deps.removed(provider.slug)
    const names = accounts.map(({ account }) => account.name)
    await this.#record('custom_provider.delete', actedBy(caller), provider, {
      before: { ...toWire(provider), accounts: names },
    })
    return ok({ provider, accounts: accounts.length })
  }

  #readRules(draft: ProviderDraft, start: Start): Result<CustomProviderRules, FieldErrors> {
    const rules = readRules(draft, start)
    const { proxy_pool_id: pool } = draft
    if (pool === undefined || pool === null || this.#deps.isProxyPool(pool)) return rules
    return err({ ...(rules.ok ? {} : rules.error), proxy_pool_id: ['is no proxy pool that is here'] })
  }

  #decide(
    before: CustomProvider,
    draft: CustomProviderDraft,
    mode: ChangeMode,
    version: number | null,
    nowMs: number,
  ): Result<Change, Refusal> {
    const stale = staleness(before.version, version)
    if (stale !== undefined) return err(stale)
    if (draft.slug !== undefined && draft.slug !== before.slug) return err(invalid(FIXED_SLUG))
    const defaults = defaultRules(before.slug)
    const rules = this.#readRules(draft, { base: mode === 'patch' ? before : defaults, defaults, saved: before })
    if (!rules.ok) return err(invalid(rules.error))
    const after = revised(before, { ...before, ...rules.value }, nowMs)
    const move = {
      authType: after.authScheme,
      leavesOrigins: leavesOrigins(before.addresses, after.addresses),
    }
    return ok({ after, accounts: this.#accountStep(move, nowMs) })
  }

  /** The state in memory is newer than the one on disk. */
  #accountStep(move: ProviderMove, nowMs: number): AccountStep {
    const { roster } = this.#deps
    return ({ account, state }) =>
      afterProviderMove({ account, state: roster.find(account.id)?.state ?? state }, move, nowMs)
  }

  async #record(
    action: string,
    by: ActedBy,
    { id, name }: CustomProvider,
    values: { readonly before?: unknown; readonly after?: unknown },
  ): Promise<void> {
    const object = { type: 'custom_provider', id, name }
    await this.#deps.audit.record({ ...by, action, object, outcome: 'ok', ...values })
  }
}

export interface RemovedProvider {
  readonly provider: CustomProvider
  /** How many went with it. */
  readonly accounts: number
}

/** Fields that are left out add up. */
function withQuirks(known: Quirks, found: Quirks): Quirks {
  const stripFields = [...new Set([...(known.stripFields ?? []), ...(found.stripFields ?? [])])]
  return { ...known, ...found, ...(stripFields.length === 0 ? {} : { stripFields }) }
}

const FIXED_SLUG: FieldErrors = { slug: ['cannot be changed; add another provider instead'] }

/** Secrets that a move to other origins left behind; one that was taken out or replaced is not lost. */
function lostSecrets(before: CustomProviderRules, after: CustomProviderRules): readonly string[] {
  if (!leavesOrigins(before.addresses, after.addresses)) return []
  return (['headers', 'query'] as const).flatMap((field) =>
    Object.entries(before[field])
      .filter(([name, value]) => value instanceof Secret && !Object.hasOwn(after[field], name))
      .map(([name]) => `${field}.${name}`),
  )
}
