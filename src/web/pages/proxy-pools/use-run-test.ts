import { useCallback, useState } from 'react'
import { useToasts } from '../../app-context.ts'
import { reasonOf } from '../../components/error-state.tsx'
import { plural } from '../../format/count.ts'
import { type Tested, useTestAll, useTestPool } from './data.ts'

export interface TestRun {
  readonly isRunning: boolean
  readonly run: () => void
}

/** Checks the exits of one pool, or of all, and says what came of it. */
export function useRunTest(poolId?: string): TestRun {
  const testPool = useTestPool()
  const testAll = useTestAll()
  const toasts = useToasts()
  const [isRunning, setRunning] = useState(false)
  const run = useCallback(async () => {
    setRunning(true)
    try {
      toasts.done(outcomeText(poolId === undefined ? await testAll() : [await testPool(poolId)]))
    } catch (cause) {
      toasts.failed(reasonOf(cause))
    } finally {
      setRunning(false)
    }
  }, [poolId, testPool, testAll, toasts])
  return { isRunning, run: () => void run() }
}

function outcomeText(tested: readonly Tested[]): string {
  const exits = tested.flatMap(({ endpoints }) => endpoints)
  const up = exits.filter(({ state }) => state === 'up').length
  return `${up} of ${plural(exits.length, 'exit')} passed`
}
