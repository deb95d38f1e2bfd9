import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/id.ts'
import type { Random } from '../../core/random.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { revised } from '../../core/revised.ts'
import { Snapshot } from '../../core/snapshot.ts'
import { staleness } from '../../http/if-match.ts'
import { invalid, refusal, type Refusal } from '../../http/refusal.ts'
import type { RouteRule } from '../../routing/rule.ts'
import type { Audit } from '../audit/service.ts'
import type { Acting } from '../auth/actor.ts'
import { actedBy } from '../auth/acted-by.ts'
import type { Chain, ChainRules } from './chain.ts'
import { NameTable, type Surroundings } from './judge.ts'
import { ruleOf } from './route-rule.ts'
import { defaultRules, readRules } from './rules.ts'
import { type ChainDraft, toWire } from './schema.ts'
import { type ChainStore, NO_SUCH_CHAIN } from './store.ts'

export interface ChainDeps extends Surroundings {
  readonly store: ChainStore
  readonly audit: Audit
  readonly clock: Clock
  readonly random: Random
  /** Every rule that is no chain, as it is stored now: asked within a transaction. */
  readonly otherRules: () => readonly RouteRule[]
  /** Who has a slug that is no chain, such as a provider; undefined when it is free. */
  readonly takenBy: (slug: string) => string | undefined
  /** Who sends everything through the chain with this id, whatever its slug; undefined when nobody does. */
  readonly forcedBy: (chainId: string) => string | undefined
  /** Who has which default model. */
  readonly defaultModels: () => readonly { readonly owner: string; readonly model: string }[]
}

export type WriteMode = 'put' | 'patch'

interface Loaded {
  readonly chains: readonly Chain[]
  readonly rules: readonly RouteRule[]
}

/** What a chain has that is not saved. */
const NEW = { id: '', createdAtMs: 0, updatedAtMs: 0, version: 0 }

/** Chains that an owner may have: each write looks at all of them. */
export const CHAINS_MAX = 2_000

/** What operators do with chains. A change counts from the next request on; every act is audited. */
export class ChainService {
  readonly #deps: ChainDeps
  readonly #loaded = new Snapshot<Loaded>({ chains: [], rules: [] })

  constructor(deps: ChainDeps) {
    this.#deps = deps
  }

  /** Reads what is stored: before requests are served, and after each write. */
  async reload(): Promise<void> {
    const chains = await this.#deps.store.all()
    this.#loaded.replace({ chains, rules: chains.map(ruleOf) })
  }

  /** In creation order. */
  all(): readonly Chain[] {
    return this.#loaded.current.chains
  }

  /** For routing, in creation order; another array as soon as one has changed. */
  rules(): readonly RouteRule[] {
    return this.#loaded.current.rules
  }

  /** Refusal: `missing`. */
  get(id: string): Result<Chain, Refusal> {
    const found = this.all().find((chain) => chain.id === id)
    return found === undefined ? err(NO_SUCH_CHAIN) : ok(found)
  }

  /** What its owner should know although it can be saved. */
  warnings(chain: Chain): readonly string[] {
    return this.#namesWith(chain).warnings(ruleOf(chain), 'steps')
  }

  /** A chain as it would be saved in place of the one with this id, whoever has its slug. Refusals: `missing`, `invalid`. */
  described(draft: ChainDraft & { readonly name: string }, id: string | null): Result<Chain, Refusal> {
    const saved = id === null ? ok(NEW) : this.get(id)
    if (!saved.ok) return saved
    const rules = this.#read(draft, defaultRules(draft.name.trim()))
    if (!rules.ok) return rules
    const chain = { ...saved.value, ...rules.value }
    const errors = this.#namesWith(chain).problems(ruleOf(chain), 'steps')
    return Object.keys(errors).length === 0 ? ok(chain) : err(invalid(errors))
  }

  /** Refusals: `invalid`, `conflict` for a slug that is taken. */
  async create(draft: ChainDraft & { readonly name: string }, caller: Acting): Promise<Result<Chain, Refusal>> {
    const { store, clock, random } = this.#deps
    const nowMs = clock.nowMs()
    const stamp = { id: newId('chn', random), createdAtMs: nowMs, updatedAtMs: nowMs, version: 1 }
    const inserted = await store.insert((all) => {
      if (all.length >= CHAINS_MAX) return err(refusal('conflict', `there may be at most ${CHAINS_MAX} chains`))
      const rules = this.#read(draft, defaultRules(draft.name.trim()))
      return rules.ok ? this.#judged({ ...rules.value, ...stamp }, all) : rules
    })
    if (!inserted.ok) return inserted
    await this.reload()
    await this.#record('chain.create', caller, inserted.value, { after: toWire(inserted.value) })
    return inserted
  }

  /** PUT replaces, PATCH changes what is sent. Refusals: `missing`, `stale`, `invalid`, `conflict`. */
  async change(
    id: string,
    draft: ChainDraft,
    mode: WriteMode,
    version: number | null,
    caller: Acting,
  ): Promise<Result<Chain, Refusal>> {
    const nowMs = this.#deps.clock.nowMs()
    const changed = await this.#deps.store.change(id, (before, all) => {
      const stale = staleness(before.version, version)
      if (stale !== undefined) return err(stale)
      const base = mode === 'patch' ? before : defaultRules(draft.name?.trim() ?? before.name)
      const rules = this.#read(draft, base)
      if (!rules.ok) return rules
      const after = revised(before, { ...before, ...rules.value }, nowMs)
      const used = after.slug === before.slug ? undefined : this.#useOf(before, all)
      return used === undefined ? this.#judged(after, all) : err(stillNamed('its slug cannot change', used))
    })
    if (!changed.ok) return changed
    const { before, after } = changed.value
    if (after === before) return ok(after)
    await this.reload()
    await this.#record('chain.change', caller, after, { before: toWire(before), after: toWire(after) })
    return ok(after)
  }

  /** Refusals: `missing`, `stale`; `conflict` while a rule or a default names it. */
  async remove(id: string, version: number | null, caller: Acting): Promise<Result<Chain, Refusal>> {
    const removed = await this.#deps.store.remove(id, (chain, all) => {
      const stale = staleness(chain.version, version)
      if (stale !== undefined) return stale
      const used = this.#useOf(chain, all) ?? this.#deps.forcedBy(id)
      return used === undefined ? undefined : stillNamed('it cannot be deleted', used)
    })
    if (!removed.ok) return removed
    await this.reload()
    await this.#record('chain.delete', caller, removed.value, { before: toWire(removed.value) })
    return removed
  }

  /** A chain as it would be saved. Refusal: `invalid`. */
  #read(draft: ChainDraft, base: ChainRules): Result<ChainRules, Refusal> {
    const rules = readRules(draft, base, () => newId('stp', this.#deps.random))
    return rules.ok ? rules : err(invalid(rules.error))
  }

  /** Refusals: `conflict` for its slug, `invalid` for what its steps name. */
  #judged(chain: Chain, all: readonly Chain[]): Result<Chain, Refusal> {
    const others = all.filter(({ id }) => id !== chain.id)
    const taken = others.some(({ slug }) => slug === chain.slug) ? 'another chain' : this.#deps.takenBy(chain.slug)
    if (taken !== undefined) return err(slugTaken(chain.slug, taken))
    const rule = ruleOf(chain)
    const errors = this.#names([...others.map(ruleOf), rule]).problems(rule, 'steps')
    return Object.keys(errors).length === 0 ? ok(chain) : err(invalid(errors))
  }

  /** Who names a chain; undefined when nobody does. */
  #useOf(chain: Chain, all: readonly Chain[]): string | undefined {
    const rule = ruleOf(chain)
    const names = this.#names(all.map(ruleOf))
    const other = names.nesting(rule)
    if (other !== undefined) return `the ${other.kind} ${other.name}`
    return this.#deps.defaultModels().find(({ model }) => names.means(model, rule))?.owner
  }

  /** With a chain as it is here, saved so or not, in place of whatever has its id or its slug. */
  #namesWith(chain: Chain): NameTable {
    const others = this.all().filter((other) => other.id !== chain.id && other.slug !== chain.slug)
    return this.#names([...others.map(ruleOf), ruleOf(chain)])
  }

  #names(chains: readonly RouteRule[]): NameTable {
    return new NameTable([...chains, ...this.#deps.otherRules()], this.#deps)
  }

  async #record(
    action: string,
    caller: Acting,
    { id, name }: Chain,
    values: { readonly before?: unknown; readonly after?: unknown },
  ): Promise<void> {
    const object = { type: 'chain', id, name }
    await this.#deps.audit.record({ ...actedBy(caller), action, object, outcome: 'ok', ...values })
  }
}

function slugTaken(slug: string, by: string): Refusal {
  return refusal('conflict', `the slug ${slug} is taken by ${by}`, { errors: { slug: [`is taken by ${by}`] } })
}

function stillNamed(what: string, by: string): Refusal {
  return refusal('conflict', `${what}: ${by} names it`)
}
