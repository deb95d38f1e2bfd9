import { useCallback, useState } from 'react'
import { useAnnounce } from '../../app-context.ts'
import { Button } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { Card } from '../../components/card.tsx'
import { reasonOf } from '../../components/error-state.tsx'
import { TestReport, TestRunning } from '../../components/test-report.tsx'
import { RelativeTime } from '../../components/time.tsx'
import type { Account } from '../../wire.ts'
import { useLastReport, useTestAccount } from './data.ts'

export interface RunningTest {
  readonly isRunning: boolean
  /** Why there is no report, if there is none. */
  readonly error: unknown
  readonly run: (deep?: boolean) => void
}

/** One test at a time. */
export function useRunTest(id: string): RunningTest {
  const test = useTestAccount()
  const announce = useAnnounce()
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  const run = useCallback(
    (deep = false) => {
      setRunning(true)
      setError(undefined)
      test(id, deep)
        .then(({ ok }) => announce(ok ? 'The test passed' : 'The test did not pass'), setError)
        .finally(() => setRunning(false))
    },
    [id, test, announce],
  )
  return { isRunning, error, run }
}

/** The steps of the last test, or the way to have one. */
export function LastTestCard({ account, test }: { account: Account; test: RunningTest }) {
  const report = useLastReport(account.id)
  const { last_tested_at } = account
  return (
    <Card
      title="Last test"
      {...(last_tested_at !== null && { aside: <RelativeTime at={last_tested_at} /> })}
      action={
        <Button small tone="quiet" onClick={() => test.run(true)}>
          Test with one token
        </Button>
      }
    >
      <div className="grid gap-3">
        {test.isRunning ? (
          <TestRunning />
        ) : test.error === undefined ? (
          <Outcome account={account} report={report} />
        ) : (
          <Callout tone="danger" alert>
            {reasonOf(test.error)}
          </Callout>
        )}
      </div>
    </Card>
  )
}

function Outcome({ account, report }: { account: Account; report: ReturnType<typeof useLastReport> }) {
  if (report !== null) return <TestReport report={report} />
  return (
    <p className="text-dense text-muted">
      {account.last_tested_at === null
        ? 'Not tested yet. A test signs in and lists the models.'
        : 'Its steps are shown when you test again.'}
    </p>
  )
}
