import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react'
import type { AccountReport } from '../wire.ts'
import { Duration } from './quantity.tsx'
import { Spinner } from './spinner.tsx'

type Step = AccountReport['steps'][number]

const STEP_WORDS: Readonly<Record<Step['step'], string>> = {
  resolve: 'Find the host',
  connect: 'Connect',
  auth: 'Sign in',
  models: 'List models',
  call: 'One token',
  stream: 'Stream one token',
}

/** What a test of credentials found out, step by step, in the order in which a request would need them. */
export function TestReport({ report }: { report: AccountReport }) {
  return (
    <div className="grid gap-3">
      <ol className="grid" aria-label="Steps of the test">
        {report.steps.map((step) => (
          <StepRow key={step.step} step={step} modelsFound={report.models_found} />
        ))}
      </ol>
      {report.models_sample.length > 0 && (
        <p className="text-caption break-words text-faint">
          Such as <code>{report.models_sample.slice(0, 3).join(', ')}</code>
        </p>
      )}
      {report.warnings.map((warning) => (
        <p key={warning} className="flex gap-1.5 text-caption text-caution">
          <TriangleAlert aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0" />
          {warning}
        </p>
      ))}
    </div>
  )
}

function StepRow({ step: { step, ok, ms, http, message }, modelsFound }: { step: Step; modelsFound: number }) {
  const Icon = ok ? CircleCheck : CircleX
  return (
    <li className="group relative grid grid-cols-[1rem_1fr_auto] gap-x-2.5 pb-2.5 text-dense last:pb-0">
      <span aria-hidden="true" className="absolute top-4.5 bottom-0 left-2 w-px bg-line group-last:hidden" />
      <Icon aria-hidden="true" size={16} strokeWidth={1.75} className={ok ? 'mt-px text-clear' : 'mt-px text-danger'} />
      <span>
        {STEP_WORDS[step]}
        <span className="sr-only">: {ok ? 'passed' : 'failed'}</span>
      </span>
      <span className="text-muted">
        {step === 'models' && ok && `${modelsFound} found${ms > 0 ? ', ' : ''}`}
        {ms > 0 && <Duration ms={ms} />}
        {!ok && http !== undefined && <> · {http}</>}
      </span>
      {message !== undefined && <p className="col-span-2 col-start-2 mt-0.5 text-caption text-danger">{message}</p>}
    </li>
  )
}

/** While a test runs; the answer comes all at once. */
export function TestRunning() {
  return (
    <p role="status" className="flex items-center gap-2.5 text-dense text-muted">
      <Spinner /> Testing, which takes up to half a minute
    </p>
  )
}
