/** Which models a list is about: those with an override, or all that are known. */
import type { ProviderSpec } from '../../catalog/provider.ts'
import type { Page } from '../../http/pagination.ts'
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
): { readonly items: readonly PlacedModel[]; readonly total: number } {
  const listed = filter.models === 'all' ? withKnown(overrides, known()) : overrides
  const search = page.q?.toLowerCase()
  const matching = listed
    .filter(({ provider }) => filter.provider === undefined || provider === filter.provider)
    .filter(({ id }) => search === undefined || id.toLowerCase().includes(search))
    .toSorted((a, b) => (page.sort === 'id' ? 0 : a.updatedAtMs - b.updatedAtMs) || compare(a.id, b.id))
  const ordered = page.order === 'asc' ? matching : matching.reverse()
  return { items: ordered.slice(page.offset, page.offset + page.limit), total: matching.length }
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

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
