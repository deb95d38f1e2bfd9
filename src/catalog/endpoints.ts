import { matchesPattern } from '../core/model-pattern.ts'
import type { ProviderEndpoint, ProviderSpec } from './provider.ts'

/** The endpoints that serve `model`, preferred first; all of them when none says that it does. */
export function endpointsFor({ endpoints }: Pick<ProviderSpec, 'endpoints'>, model: string): ProviderSpec['endpoints'] {
  const [first, ...others] = endpoints.filter((endpoint) => serves(endpoint, model))
  return first === undefined ? endpoints : [first, ...others]
}

function serves({ models }: ProviderEndpoint, model: string): boolean {
  return models === undefined || models.some((pattern) => matchesPattern(pattern, model))
}
