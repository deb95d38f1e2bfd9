/** Filtering, sorting and paging of the catalogue, which is all in memory. */
import { cutPage, type Found, holds, type Page } from '../../http/pagination.ts'
import type { ShownModel, ShownProvider } from './service.ts'

/** `catalog` is the order of the catalogue itself. */
export const PROVIDER_SORTS = ['catalog', 'name', 'models_count'] as const
export type ProviderSort = (typeof PROVIDER_SORTS)[number]

export const MODEL_SORTS = ['catalog', 'id', 'context'] as const
export type ModelSort = (typeof MODEL_SORTS)[number]

export interface ProviderFilter {
  readonly id?: string
  readonly connected?: 'true' | 'false'
  readonly capability?: string
}

export function pageOfProviders(
  providers: readonly ShownProvider[],
  page: Page<ProviderSort>,
  filter: ProviderFilter,
): Found<ShownProvider> {
  const matching = providers.filter(
    ({ provider, connected }) =>
      (filter.id === undefined || filter.id === provider.id) &&
      (filter.connected === undefined || filter.connected === String(connected)) &&
      (filter.capability === undefined || provider.capabilities.some((word) => word === filter.capability)) &&
      holds([provider.id, provider.name], page.q),
  )
  return cutPage(matching, page, PROVIDER_COMPARE[page.sort])
}

export function pageOfModels(models: readonly ShownModel[], page: Page<ModelSort>): Found<ShownModel> {
  const matching = models.filter(({ model }) => holds([model.id, model.name], page.q))
  return cutPage(matching, page, MODEL_COMPARE[page.sort])
}

type Compare<T> = (a: T, b: T) => number

const PROVIDER_COMPARE: Readonly<Record<ProviderSort, Compare<ShownProvider>>> = {
  catalog: () => 0,
  name: (a, b) => a.provider.name.localeCompare(b.provider.name, 'en'),
  models_count: (a, b) => a.modelsCount - b.modelsCount,
}

const MODEL_COMPARE: Readonly<Record<ModelSort, Compare<ShownModel>>> = {
  catalog: () => 0,
  id: (a, b) => a.model.id.localeCompare(b.model.id, 'en'),
  context: (a, b) => (a.model.capabilities.contextTokens ?? 0) - (b.model.capabilities.contextTokens ?? 0),
}
