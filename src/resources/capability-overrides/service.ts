/**
 * What operators say of models against what the catalogue says. Translation, lists of models and routing ask `capabilitiesOf`,
 * which reads a snapshot, so a change counts from the next request. Every act is audited.
 */
import { type FactLayer, factLayers, type FactSource, mergedFacts } from '../../catalog/models.ts'
import type { PriceBook } from '../../catalog/pricing.ts'
import type { ModelFacts, ProviderSpec } from '../../catalog/provider.ts'
import type { Clock } from '../../core/clock.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { revised } from '../../core/revised.ts'
import { Snapshot } from '../../core/snapshot.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { staleness } from '../../http/if-match.ts'
import { invalid, refusal, type Refusal } from '../../http/refusal.ts'
import type { Audit } from '../audit/service.ts'
import type { Caller } from '../auth/actor.ts'
import { actedBy } from '../auth/acted-by.ts'
import { isSaid, overridden, sheetOf, sourcesOf } from './facts.ts'
import { type CapabilityOverride, type ModelPlace, overrideId } from './override.ts'
import { contradictions } from './rules.ts'
import { BLANK, laidOver, saidPaths, type Sheet, type SheetDraft } from './sheet.ts'
import type { CapabilityOverrideStore, OverrideChange, OverrideScope } from './store.ts'

interface Deps {
  readonly store: CapabilityOverrideStore
  readonly audit: Audit
  readonly clock: Clock
  readonly provider: (id: string) => ProviderSpec | undefined
  readonly prices: Pick<PriceBook, 'contextOf'>
}

/** A model's sheet as the catalogue has it, what is laid over it, and what counts. */
export interface ShownCapabilities extends ModelPlace {
  readonly catalog: Sheet
  readonly override: CapabilityOverride | undefined
  readonly effective: Sheet
  readonly sources: Readonly<Record<string, FactSource>>
}

/** For each provider: names come from clients, so what is remembered about them is bounded. */
const REMEMBERED_MODELS_MAX = 2_048

/** What one write says of one model. */
export interface OverrideDraft extends ModelPlace {
  readonly sheet: SheetDraft
}

/** `put`: what is not said keeps the catalogue's value. `patch`: what is not said stays as it was. */
export type WriteMode = 'put' | 'patch'

export class CapabilityOverrideService {
  readonly #deps: Deps
  readonly #current = new Snapshot<ReadonlyMap<string, CapabilityOverride>>(new Map())
  /** What was found out of a provider's models since something was last said of one. */
  #found = new WeakMap<ProviderSpec, Map<string, ModelFacts>>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Reads what is stored: before requests are served, and after each write. */
  async reload(): Promise<void> {
    const all = await this.#deps.store.all()
    this.#current.replace(new Map(all.map((override) => [override.id, override])))
    this.#found = new WeakMap()
  }

  /** By id. */
  all(): readonly CapabilityOverride[] {
    return [...this.#current.current.values()]
  }

  /** What `model`, named as the provider names it, can do there. Answers from memory once it was asked for. */
  capabilitiesOf(provider: ProviderSpec, model: string): ModelFacts {
    const models = this.#modelsOf(provider)
    const known = models.get(model)
    if (known !== undefined) return known
    if (models.size >= REMEMBERED_MODELS_MAX) models.clear()
    const facts = this.laidOver(provider.id, model, mergedFacts(this.#layersOf(provider, model)))
    models.set(model, facts)
    return facts
  }

  /** Whether the operator, the catalogue or the provider says this of the model; otherwise it is only assumed. */
  isKnown(provider: ProviderSpec, model: string, fact: keyof ModelFacts): boolean {
    const override = this.#current.current.get(overrideId({ provider: provider.id, model }))
    return isSaid(fact, this.#layersOf(provider, model), override?.sheet ?? BLANK)
  }

  #layersOf(provider: ProviderSpec, model: string): readonly FactLayer[] {
    return factLayers(provider, model, this.#deps.prices.contextOf(provider, model))
  }

  #modelsOf(provider: ProviderSpec): Map<string, ModelFacts> {
    const known = this.#found.get(provider)
    if (known !== undefined) return known
    const models = new Map<string, ModelFacts>()
    this.#found.set(provider, models)
    return models
  }

  /** `facts` with what the operator says instead. */
  laidOver(provider: string, model: string, facts: ModelFacts): ModelFacts {
    const override = this.#current.current.get(overrideId({ provider, model }))
    return override === undefined ? facts : overridden(facts, override.sheet)
  }

  /** Refusal: `missing` for a provider that is not there. */
  show(place: ModelPlace): Result<ShownCapabilities, Refusal> {
    const provider = this.#deps.provider(place.provider)
    return provider === undefined ? err(NO_SUCH_PROVIDER) : ok(this.showAt(provider, place.model))
  }

  showAt(provider: ProviderSpec, model: string): ShownCapabilities {
    const place = { provider: provider.id, model }
    const override = this.#current.current.get(overrideId(place))
    const layers = this.#layersOf(provider, model)
    const catalog = sheetOf(mergedFacts(layers))
    const said = override?.sheet ?? BLANK
    return { ...place, catalog, override, effective: laidOver(catalog, said), sources: sourcesOf(layers, said) }
  }

  /**
   * Writes all of `drafts` or none. `version`: the one that the caller has seen, null when it does not matter. Refusals: `stale`;
   * `invalid`, whose paths begin with `prefixOf` the draft's number.
   */
  async write(
    drafts: readonly OverrideDraft[],
    { mode, version, prefixOf }: { mode: WriteMode; version: number | null; prefixOf: (index: number) => string },
    caller: Caller,
  ): Promise<Result<readonly ShownCapabilities[], Refusal>> {
    const { store, clock } = this.#deps
    const nowMs = clock.nowMs()
    const written = await store.write(drafts, (before) => {
      const changes = drafts.map((draft) => changeOf(draft, mode, before(draft), nowMs))
      const stale = changes.map((change) => staleness(change.before?.version ?? 0, version)).find((one) => one)
      if (stale !== undefined) return err(stale)
      const errors = Object.assign({}, ...changes.map((change, at) => this.#errorsOf(change, drafts, at, prefixOf(at))))
      return Object.keys(errors).length === 0 ? ok(changes) : err(invalid(errors))
    })
    if (!written.ok) return written
    await this.reload()
    for (const change of written.value) if (change.after !== change.before) await this.#record(change, caller)
    return ok(drafts.flatMap((draft) => shownOf(this.show(draft))))
  }

  /** How many went. */
  async reset(scope: OverrideScope, caller: Caller): Promise<number> {
    const removed = await this.#deps.store.remove(scope)
    await this.reload()
    for (const before of removed) await this.#record({ ...before, before, after: undefined }, caller)
    return removed.length
  }

  /** Forgets what was said of a provider that is gone: one that later takes its name is another. */
  async forgetProvider(provider: string): Promise<void> {
    await this.#deps.store.remove({ provider })
    await this.reload()
  }

  #errorsOf(
    { provider, model, after }: OverrideChange,
    drafts: readonly ModelPlace[],
    at: number,
    prefix: string,
  ): FieldErrors {
    const spec = this.#deps.provider(provider)
    const isDoubled = drafts.findIndex((other) => overrideId(other) === overrideId({ provider, model })) < at
    const errors: FieldErrors = {
      ...(spec === undefined ? { provider: ['is not known here'] } : {}),
      ...(isDoubled ? { model: ['is there already'] } : {}),
      ...(spec === undefined || after === undefined
        ? {}
        : contradictions(sheetOf(mergedFacts(this.#layersOf(spec, model))), after.sheet)),
    }
    return Object.fromEntries(Object.entries(errors).map(([path, said]) => [`${prefix}${path}`, said]))
  }

  async #record({ before, after, ...place }: OverrideChange, caller: Caller): Promise<void> {
    const id = overrideId(place)
    await this.#deps.audit.record({
      ...actedBy(caller),
      action: after === undefined ? 'capability_override.reset' : 'capability_override.set',
      object: { type: 'capability_override', id, name: id },
      outcome: 'ok',
      ...(before === undefined ? {} : { before: said(before.sheet) }),
      ...(after === undefined ? {} : { after: said(after.sheet) }),
    })
  }
}

const NO_SUCH_PROVIDER = refusal('missing', 'there is no such provider')

function shownOf(shown: Result<ShownCapabilities, Refusal>): readonly ShownCapabilities[] {
  return shown.ok ? [shown.value] : []
}

function changeOf(
  { provider, model, sheet }: OverrideDraft,
  mode: WriteMode,
  before: CapabilityOverride | undefined,
  nowMs: number,
): OverrideChange {
  const base = mode === 'patch' ? before?.sheet : undefined
  const next = laidOver(base, sheet, 'clear')
  const place = { provider, model }
  if (saidPaths(next).size === 0) return { ...place, before, after: undefined }
  if (before !== undefined) return { ...place, before, after: revised(before, { ...before, sheet: next }, nowMs) }
  const stamp = { createdAtMs: nowMs, updatedAtMs: nowMs, version: 1 }
  return { ...place, before, after: { ...place, id: overrideId(place), sheet: next, ...stamp } }
}

/** What an override says, without what it is silent about. */
function said({ thinking, sampling, ...plain }: Sheet): Readonly<Record<string, unknown>> {
  const spoken = (fields: object) => Object.entries(fields).filter(([, value]) => value !== null)
  const groups = Object.entries({ thinking, sampling }).map(([name, group]) => [
    name,
    Object.fromEntries(spoken(group)),
  ])
  return Object.fromEntries([...spoken(plain), ...groups.filter(([, group]) => Object.keys(group ?? {}).length > 0)])
}
