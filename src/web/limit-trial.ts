/** Limits and budgets tried on the requests of the past, before they are saved. */
import { useState } from 'react'
import { ApiError } from './api-error.ts'
import { useApi } from './app-context.ts'
import type { LimitSimulation, LimitTrial } from './wire.ts'

type Tried = NonNullable<LimitTrial['plan']>
/** A plan as it is read or written: the server writes only words that it reads. */
type Tryable = Omit<Tried, 'endpoints_allow'> & { readonly endpoints_allow?: readonly string[] | null }

/** What is tried of a plan: all that it says but how long requests wait, since those of the past did as they did. */
export function triedOf(plan: Tryable): Tried {
  return Object.fromEntries(TRIED.map((name) => [name, plan[name]])) as Tried // exactly these names
}

const TRIED = [
  'rpm',
  'rpd',
  'tpm',
  'tpd',
  'cache_read_weight',
  'max_concurrency',
  'max_input_tokens',
  'max_output_tokens',
  'on_output_over',
  'budget_usd',
  'budget_period',
  'soft_threshold',
  'budget_timezone',
  'models_allow',
  'models_deny',
  'endpoints_allow',
] as const satisfies readonly (keyof Tried)[]

export interface Trial {
  /** Of what was tried last; it stays until the next is there. */
  readonly result: LimitSimulation | undefined
  readonly error: ApiError | undefined
  readonly isRunning: boolean
  /** The result is about something else than what is typed now. */
  readonly isStale: boolean
  run(): Promise<void>
}

/** One simulation at a time, when it is asked for: each reads the log. */
export function useLimitTrial(draft: LimitTrial): Trial {
  const api = useApi()
  const [isRunning, setRunning] = useState(false)
  const [result, setResult] = useState<LimitSimulation>()
  const [error, setError] = useState<ApiError>()
  const [triedText, setTriedText] = useState('')
  const text = JSON.stringify(draft)
  async function run(): Promise<void> {
    setRunning(true)
    setError(undefined)
    try {
      setResult(await api.post<LimitSimulation>('/v1/plans/simulate', draft))
      setTriedText(text)
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause
      setError(cause)
    } finally {
      setRunning(false)
    }
  }
  return { result, error, isRunning, isStale: result !== undefined && text !== triedText, run }
}
