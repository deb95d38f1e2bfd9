/** Which models this installation can answer with now, for choices and examples. */
import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import type { ApiError } from './api-error.ts'
import { useApi } from './app-context.ts'
import { resource } from './resource.ts'
import type { Account, AccountChange, List, Model, NewAccount } from './wire.ts'

export const accounts = resource<Account, NewAccount, AccountChange>('/v1/accounts')

export const DEMO_MODEL = 'demo/echo'
/** So many providers' models are offered; the rest are typed in a tool's own settings. */
const PROVIDERS_MAX = 4
const MODELS_LIMIT = 100

/** What people use most for work of this kind, the best first. */
const PREFERRED = [
  /^anthropic\/claude-sonnet/,
  /^openai\/gpt-\d[.\d]*(-sol)?$/,
  /claude-sonnet/,
  /^deepseek\//,
] as const

export interface GatewayModels {
  /** `<provider>/<model>`, the demo last. */
  readonly names: readonly string[]
  readonly preferred: string
}

/** Models that the connected accounts can answer with. */
export function useGatewayModels(): GatewayModels {
  const { data: list } = accounts.useList({ limit: MODELS_LIMIT })
  const enabled = (list?.data ?? []).filter((account) => account.enabled).map(({ provider }) => provider)
  const lists = useModelsOf([...new Set(enabled)].slice(0, PROVIDERS_MAX))
  const names = [...lists, DEMO_MODEL]
  return { names, preferred: preferredOf(names) }
}

function useModelsOf(providers: readonly string[]): string[] {
  const api = useApi()
  return useQueries({
    queries: providers.map((provider) => ({
      queryKey: ['/v1/providers', provider, 'models'],
      queryFn: () => api.list<Model>(`/v1/providers/${provider}/models`, { query: { limit: MODELS_LIMIT } }),
    })),
    combine: (results: UseQueryResult<List<Model>, ApiError | Error>[]) =>
      results.flatMap(({ data }, at) =>
        (data?.data ?? []).filter(({ enabled }) => enabled).map(({ id }) => `${providers[at]}/${id}`),
      ),
  })
}

/** The first that matches the most wanted pattern; the demo only when there is nothing else. */
export function preferredOf(names: readonly string[]): string {
  const wanted = PREFERRED.map((pattern) => names.find((name) => pattern.test(name)))
  return wanted.find((name) => name !== undefined) ?? names[0] ?? DEMO_MODEL
}
