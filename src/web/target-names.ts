/** What a step or a target may name: models that the accounts answer with, aliases and chains. */
import { useGatewayModels } from './gateway-models.ts'
import { resource, useApiQuery } from './resource.ts'
import type { Alias, Chain, ChainChange, NewChain, Provider } from './wire.ts'

export const chains = resource<Chain, NewChain, ChainChange>('/v1/chains')
export const aliases = resource<Alias, never, never>('/v1/models/alias')

const LIMIT = 100

export interface TargetName {
  readonly name: string
  readonly kind: 'model' | 'alias' | 'chain'
}

/** Those that are known here; any other may be typed. */
export function useTargetNames(): readonly TargetName[] {
  const models = useGatewayModels().names.map((name) => ({ name, kind: 'model' as const }))
  const pools = aliases.useList({ limit: LIMIT }).data?.data ?? []
  const rules = chains.useList({ limit: LIMIT }).data?.data ?? []
  return [
    ...rules.map(({ slug }) => ({ name: `chain/${slug}`, kind: 'chain' as const })),
    ...pools.filter(({ alias }) => !alias.endsWith('*')).map(({ alias }) => ({ name: alias, kind: 'alias' as const })),
    ...models,
  ]
}

/** The part before the first slash; a chain or an alias has no provider. */
export function providerIdOf(model: string): string | undefined {
  const slash = model.indexOf('/')
  return slash > 0 && !model.startsWith('chain/') ? model.slice(0, slash) : undefined
}

const HEALTH_POLL_MS = 15_000

/** The providers by id: how they stand, and with how many accounts. */
export function useProvidersById(): ReadonlyMap<string, Provider> {
  const { data } = useApiQuery<readonly Provider[]>(
    '/v1/providers',
    { limit: LIMIT, connected: 'true' },
    { everyMs: HEALTH_POLL_MS },
  )
  return new Map((data ?? []).map((provider) => [provider.id, provider]))
}
