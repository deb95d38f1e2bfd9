/** Which models a list is about: those with an override, or all that are known. */
import type { ProviderSpec } from '../../catalog/provider.ts'
import { compareText, cutPage, type Found, holds, type Page } from '../../http/pagination.ts'
import type { CapabilityOverride, ModelPlace } from './override.ts'

export const CAPABILITY_SORTS = ['id', 'updated_at'] as const
export type CapabilitySort = (typeof CAPABILITY_SORTS)[number]

export interface CapabilityFilter {
  readonly provider?: string
  /** `all`: models without an override, too. */
  readonly models?: 'all'
}

/** A provider with the models that are known of it, by id. */
export interface KnownModels {
  readonly provider: ProviderSpec
  readonly models: readonly string[]
}

export interface PlacedModel extends ModelPlace {
  readonly id: string
  readonly updatedAtMs: number
}

/** Sorted by id; a model without an override was never updated. */
export function pageOf(
  overrides: readonly CapabilityOverride[],
  known: () => readonly KnownModels[],
  page: Page<CapabilitySort>,
  filter: CapabilityFilter,
): Found<PlacedModel> {
  const listed = filter.models === 'all' ? withKnown(overrides, known()) : overrides
  const matching = listed
    .filter(({ provider }) => filter.provider === undefined || provider === filter.provider)
    .filter(({ id }) => holds([id], page.q))
  return cutPage(matching, page, (a, b) => {
    const order = page.sort === 'id' ? 0 : a.updatedAtMs - b.updatedAtMs
    return order || compareText(a.id, b.id)
  })
}

function withKnown(overrides: readonly CapabilityOverride[], known: readonly KnownModels[]): readonly PlacedModel[] {
  const byId = new Map<string, PlacedModel>()
  for (const { provider, models } of known) {
    for (const model of models) {
      const id = `${provider.id}/${model}`
      byId.set(id, { id, provider: provider.id, model, updatedAtMs: 0 })
    }
  }
  for (const override of overrides) byId.set(override.id, override)
  return [...byId.values()]
}
