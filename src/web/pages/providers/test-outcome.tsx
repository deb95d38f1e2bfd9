import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { TestReport, TestRunning } from '../../components/test-report.tsx'
import type { TestState } from './use-tested-save.ts'

/** The test that stands between a form and its saving; after a failed one it can be saved all the same. */
export function TestOutcome({ state, onSaveAnyway }: { state: TestState; onSaveAnyway: () => void }) {
  if (state === undefined) return null
  if (state === 'running') return <TestRunning />
  return (
    <Card title="Test" aside={state.ok ? 'passed' : 'not passed'}>
      <TestReport report={state} />
      {!state.ok && (
        <p className="mt-3 flex flex-wrap items-center justify-between gap-2 border-t border-line pt-3 text-caption text-muted">
          Requests would fail in the same way.
          <Button small onClick={onSaveAnyway}>
            Save without a passed test
          </Button>
        </p>
      )}
    </Card>
  )
}
