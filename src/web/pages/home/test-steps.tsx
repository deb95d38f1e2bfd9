import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react'
import { durationText } from '../../format/time.ts'
import { plural } from '../../format/count.ts'
import type { AccountReport } from '../../wire.ts'

type TestStep = AccountReport['steps'][number]

const WORDS: Readonly<Record<TestStep['step'], string>> = {
  resolve: 'Find the host',
  connect: 'Connect',
  auth: 'Sign in',
  models: 'List models',
  call: 'Make a call',
  stream: 'Stream an answer',
}

/** How far a test of credentials came, each step with its time and what was wrong. */
export function TestSteps({ report }: { report: AccountReport }) {
  return (
    <div className="rounded-control border border-line bg-sunken px-3 py-2 text-dense">
      <ol aria-label="Steps of the test" className="grid gap-1.5">
        {report.steps.map((step) => (
          <StepLine key={step.step} step={step} found={step.step === 'models' ? report.models_found : undefined} />
        ))}
      </ol>
      {report.warnings.map((warning) => (
        <p key={warning} className="mt-1.5 flex gap-2 text-caption text-muted">
          <TriangleAlert aria-hidden="true" size={15} strokeWidth={1.75} className="shrink-0 text-caution" />
          {warning}
        </p>
      ))}
    </div>
  )
}

function StepLine({ step, found }: { step: TestStep; found: number | undefined }) {
  const Icon = step.ok ? CircleCheck : CircleX
  return (
    <li className="flex items-start gap-2">
      <Icon
        aria-label={step.ok ? 'Passed' : 'Failed'}
        size={16}
        strokeWidth={1.75}
        className={step.ok ? 'mt-px shrink-0 text-clear' : 'mt-px shrink-0 text-danger'}
      />
      <span className="min-w-0 flex-1">
        {WORDS[step.step]}
        {step.ok && found !== undefined && <span className="text-muted"> · {plural(found, 'model')}</span>}
        {step.message !== undefined && <span className="block text-muted">{step.message}</span>}
      </span>
      {step.http !== undefined && <span className="text-caption text-muted">HTTP {step.http}</span>}
      <span className="w-16 text-right text-muted">{step.ms > 0 ? durationText(step.ms) : ''}</span>
    </li>
  )
}
