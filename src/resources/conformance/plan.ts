/** Which addresses of a provider are asked, and for which models. */
import { endpointsFor } from '../../catalog/endpoints.ts'
import { listedModels } from '../../catalog/models.ts'
import type { ModelSpec, ProviderEndpoint, ProviderSpec } from '../../catalog/provider.ts'
import type { Account } from '../accounts/account.ts'
import type { ShownModel } from '../providers/service.ts'
import { candidatesFor } from './model-choice.ts'

export interface EndpointPlan {
  readonly endpoint: ProviderEndpoint
  /** By their public names: the next one is asked only where the account may not use the one before. */
  readonly models: readonly [string, ...string[]]
}

/** Empty when no model is known. */
export function planFor(
  provider: ProviderSpec,
  account: Account,
  models: readonly ShownModel[],
): readonly EndpointPlan[] {
  return provider.endpoints.flatMap((endpoint): readonly EndpointPlan[] => {
    const [first, ...others] = candidatesFor(provider, endpoint, account, models)
    return first === undefined ? [] : [{ endpoint, models: [first, ...others] }]
  })
}

/** For one model, listed or not, wherever it is served. */
export function planForModel(provider: ProviderSpec, model: string): readonly EndpointPlan[] {
  return endpointsFor(provider, model).map((endpoint) => ({ endpoint, models: [model] }))
}

/** Models that the provider has just listed, as far as the names tell what they are. */
export function shownModels(provider: ProviderSpec, listed: ReadonlyMap<string, ModelSpec>): readonly ShownModel[] {
  const models = listedModels({ ...provider, syncedModels: listed }, [])
  return models.map((model) => ({ model, price: undefined, enabled: true }))
}
