import { useRef, useState } from 'react'
import { ApiError } from '../../api-error.ts'
import { useApi } from '../../app-context.ts'
import type { AccountReport, KeyValidation } from '../../wire.ts'

export type TestState = AccountReport | 'running' | undefined

export interface TestedSave {
  /** What the last test came to. */
  readonly state: TestState
  /** Resolves when the test has passed or is skipped; throws `ApiError` otherwise, so that nothing is saved. */
  pass(validation: KeyValidation): Promise<void>
  /** The next `pass` does not test: the reader has seen the report and saves all the same. */
  skipNext(): void
}

/** Tries credentials before they are saved. */
export function useTestedSave(): TestedSave {
  const api = useApi()
  const isSkipped = useRef(false)
  const [state, setState] = useState<TestState>()
  async function pass(validation: KeyValidation): Promise<void> {
    if (isSkipped.current) {
      isSkipped.current = false
      return
    }
    setState('running')
    const report = await api.post<AccountReport>('/v1/validate-key', validation).catch((cause: unknown) => {
      setState(undefined)
      throw cause
    })
    setState(report)
    if (!report.ok) throw new ApiError(422, 'The test did not pass.')
  }
  return { state, pass, skipNext: () => void (isSkipped.current = true) }
}
