/** Chains as these pages read, change and try them. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ApiError } from '../../api-error.ts'
import { useApi } from '../../app-context.ts'
import { addressOf, useApiQuery } from '../../resource.ts'
import { chains } from '../../target-names.ts'
import type { ChainSimulation, ChainStepUsage, ChainTrial } from '../../wire.ts'

/** What became of each step in the last 24 hours; steps that the chain no longer has come with a null model. */
export function useStepUsage(id: string | undefined): readonly ChainStepUsage[] {
  const path = `${addressOf(chains.path, id ?? '')}/usage`
  return useApiQuery<readonly ChainStepUsage[]>(path, { range: '24h' }, { enabled: id !== undefined }).data ?? []
}

/** What was found out, and what its owner should know although the chain can be saved. */
export type Simulated = ChainSimulation & { readonly warnings: readonly string[] }

interface SimulationAnswer {
  readonly data: ChainSimulation
  readonly metadata: { readonly warnings: readonly string[] }
}

/** After so much quiet, what is typed is tried. */
const PAUSE_MS = 250

/** What the chain as it is typed would do. Undefined body: nothing to try yet. What was found before stays until the next is there. */
export function useSimulation(id: string | undefined, body: ChainTrial | undefined) {
  const api = useApi()
  const text = useSettled(body === undefined ? '' : JSON.stringify(body))
  const path = id === undefined ? `${chains.path}/simulate` : `${addressOf(chains.path, id)}/simulate`
  return useQuery<Simulated, ApiError>({
    queryKey: [path, text],
    queryFn: async ({ signal }) => {
      const answer = await api.json<SimulationAnswer>('POST', path, { body: JSON.parse(text), signal })
      return { ...answer.data, warnings: answer.metadata.warnings }
    },
    enabled: text !== '',
    placeholderData: keepPreviousData,
  })
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
