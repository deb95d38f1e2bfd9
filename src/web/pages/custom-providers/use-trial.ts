import { useState } from 'react'
import { useAnnounce, useApi } from '../../app-context.ts'
import type { AccountReport, KeyValidation } from '../../wire.ts'

export interface Trial {
  readonly report: AccountReport | undefined
  readonly isRunning: boolean
  /** Why there is no report, if there is none. */
  readonly error: unknown
  readonly run: (validation: KeyValidation, deep: boolean) => Promise<void>
}

/** Tries a provider as it is typed; nothing is saved. */
export function useTrial(): Trial {
  const api = useApi()
  const announce = useAnnounce()
  const [report, setReport] = useState<AccountReport>()
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  async function run(validation: KeyValidation, deep: boolean): Promise<void> {
    setRunning(true)
    setReport(undefined)
    setError(undefined)
    try {
      const query = deep ? { deep: true } : {}
      const found = await api.post<AccountReport>('/v1/validate-key', validation, { query })
      setReport(found)
      announce(found.ok ? 'The test passed' : 'The test did not pass')
    } catch (cause) {
      setError(cause)
    } finally {
      setRunning(false)
    }
  }
  return { report, isRunning, error, run }
}
