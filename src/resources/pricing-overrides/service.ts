import type { PriceBook } from '../../catalog/pricing.ts'
import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/id.ts'
import type { Random } from '../../core/random.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { Snapshot } from '../../core/snapshot.ts'
import { invalid, refusal, type Refusal } from '../../http/refusal.ts'
import type { Audit } from '../audit/service.ts'
import type { Caller } from '../auth/actor.ts'
import { actedBy } from '../auth/acted-by.ts'
import { isSelected, type OverrideFilter } from './list.ts'
import { PriceList } from './price-list.ts'
import { countsAt, type PricingOverride } from './pricing-override.ts'
import { readRules, type Surroundings } from './rules.ts'
import { type OverrideDraft, toWire } from './schema.ts'
import type { PricingOverrideStore } from './store.ts'

interface Deps extends Surroundings {
  readonly store: PricingOverrideStore
  readonly audit: Audit
  readonly clock: Clock
  readonly random: Random
  readonly prices: Pick<PriceBook, 'priceOf'>
}

/** Far more than anybody negotiates; all of them are in memory. */
export const OVERRIDES_MAX = 5_000

/** What a deletion is about: one, or all that match. */
export type Selection = { readonly id: string } | OverrideFilter

/** What operators do with prices. A change counts from the next request on, and is audited. */
export class PricingOverrideService {
  readonly #deps: Deps
  readonly #current = new Snapshot<readonly PricingOverride[]>([])
  /** What everything costs, overrides included. */
  readonly list: PriceList

  constructor(deps: Deps) {
    this.#deps = deps
    this.list = new PriceList(deps.prices)
  }

  /** Reads what is stored: before requests are priced, and after each write. */
  async reload(): Promise<void> {
    const overrides = await this.#deps.store.all()
    this.#current.replace(overrides)
    this.list.replace(overrides)
  }

  /** In creation order. */
  all(): readonly PricingOverride[] {
    return this.#current.current
  }

  /** Refusals: `invalid`; `conflict` where the same is said already, or too much is. */
  async create(draft: OverrideDraft, caller: Caller): Promise<Result<PricingOverride, Refusal>> {
    const { store, clock, random } = this.#deps
    const nowMs = clock.nowMs()
    const rules = readRules(draft, nowMs, this.#deps)
    if (!rules.ok) return err(invalid(rules.error))
    const override = { id: newId('pov', random), ...rules.value, createdAtMs: nowMs, updatedAtMs: nowMs, version: 1 }
    const isDated = draft.effective_from !== undefined && draft.effective_from !== null
    const inserted = await store.insert(override, (others) => conflictOf(override, others, isDated))
    if (!inserted.ok) return inserted
    await this.reload()
    await this.#record('pricing_override.create', override, { after: toWire(override) }, caller)
    return ok(override)
  }

  /** How many went. Refusal: `missing`, where an id is no override's. */
  async remove(selection: Selection, caller: Caller): Promise<Result<number, Refusal>> {
    const byId = 'id' in selection
    const removed = await this.#deps.store.remove((override) =>
      byId ? override.id === selection.id : isSelected(override, selection),
    )
    if (byId && removed.length === 0) return err(refusal('missing', 'there is no such pricing override'))
    await this.reload()
    for (const one of removed) await this.#record('pricing_override.delete', one, { before: toWire(one) }, caller)
    return ok(removed.length)
  }

  /** Forgets what was said of a provider that is gone: one that later takes its name is another. */
  async forgetProvider(provider: string): Promise<void> {
    await this.#deps.store.remove(
      ({ model, scope, scopeId }) => (scope === 'provider' && scopeId === provider) || model.startsWith(`${provider}/`),
    )
    await this.reload()
  }

  async #record(
    action: string,
    { id, model }: PricingOverride,
    values: { readonly before?: unknown; readonly after?: unknown },
    caller: Caller,
  ): Promise<void> {
    const object = { type: 'pricing_override', id, name: model }
    await this.#deps.audit.record({ ...actedBy(caller), action, object, outcome: 'ok', ...values })
  }
}

/**
 * A price may follow another one: the newer counts from its moment on. Twice the same moment, or "from now on" over one that counts
 * already without its saying so, is a mistake.
 */
function conflictOf(
  override: PricingOverride,
  others: readonly PricingOverride[],
  isDated: boolean,
): Refusal | undefined {
  if (others.length >= OVERRIDES_MAX) return refusal('conflict', `there are ${OVERRIDES_MAX} pricing overrides already`)
  const { model, scope, scopeId: scope_id, effectiveFromMs } = override
  const alike = others
    .filter((other) => isSelected(other, { model, scope, ...(scope_id === null ? {} : { scope_id }) }))
    .find((other) => other.effectiveFromMs === effectiveFromMs || (!isDated && countsAt(other, effectiveFromMs)))
  if (alike === undefined) return undefined
  return refusal('conflict', `there is one for this model and scope already: ${alike.id}`, {
    errors: { model: ['has a price in this scope; delete that, or say from when the new one counts'] },
  })
}
