import { CircleCheck, CircleSlash } from 'lucide-react'
import { classNames } from '../../components/class-names.ts'
import { Money } from '../../components/money.tsx'
import { plural } from '../../format/count.ts'
import { AccountName } from '../../names.tsx'
import { skipText } from '../../skip-words.ts'
import type { ChainSimulation } from '../../wire.ts'
import { isAsked, type StepTrial, trialText } from './words.ts'

type Trial = NonNullable<ChainSimulation['request']>
type Candidate = StepTrial['candidates'][number]

/** Which step would answer, for how much, and what becomes of the others with each of their accounts. */
export function RequestOutcome({ trial: { steps, output_tokens_assumed } }: { trial: Trial }) {
  return (
    <div className="grid gap-3">
      <p className="flex items-center gap-2 text-dense font-semibold">
        <Headline steps={steps} />
      </p>
      <ol className="grid gap-2.5 text-dense">
        {steps.map((step, at) => (
          <li key={step.id} className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-2">
            <span className="text-muted">{at + 1}</span>
            <code className="truncate" title={step.model}>
              {step.model}
            </code>
            <EstimatedCost usd={step.estimated_cost_usd} isServed={isAsked(step) || step.tried === 'after_failure'} />
            <span className="col-span-2 col-start-2 text-caption text-muted">{trialText(step)}</span>
            <Candidates candidates={step.candidates} />
          </li>
        ))}
      </ol>
      <p className="text-caption text-faint">
        Costs are for an answer of {plural(output_tokens_assumed, 'token')}, without what a cache saves.
      </p>
    </div>
  )
}

/** Which steps would answer: shape and words. */
export function Headline({ steps }: { steps: readonly StepTrial[] }) {
  const asked = steps.flatMap((step, at) => (isAsked(step) ? [at + 1] : []))
  const isNone = asked.length === 0
  const Icon = isNone ? CircleSlash : CircleCheck
  return (
    <>
      <Icon
        aria-hidden="true"
        size={16}
        strokeWidth={1.75}
        className={classNames('shrink-0', isNone ? 'text-caution' : 'text-accent')}
      />
      {isNone ? 'No step would answer' : `${stepsText(asked)} would answer`}
    </>
  )
}

function stepsText(steps: readonly number[]): string {
  return steps.length === 1 ? `Step ${steps[0]}` : `Steps ${steps.slice(0, -1).join(', ')} and ${steps.at(-1)} together`
}

function EstimatedCost({ usd, isServed }: { usd: number | null; isServed: boolean }) {
  if (!isServed) return <span />
  return (
    <span className="text-right whitespace-nowrap">
      <Money usd={usd} source={usd === null ? 'unknown' : usd === 0 ? 'free' : 'estimated'} />
    </span>
  )
}

function Candidates({ candidates }: { candidates: readonly Candidate[] }) {
  const named = candidates.filter(({ account_id }) => account_id !== null)
  if (named.length === 0) return null
  return (
    <details className="col-span-2 col-start-2 text-caption text-muted">
      <summary className="w-fit">{plural(named.length, 'account')}</summary>
      <ul className="mt-1 grid gap-0.5">
        {named.map((candidate, at) => (
          <li key={at}>
            <AccountName id={candidate.account_id} />
            {`: ${candidate.order === null ? skipText(candidate) : `try ${candidate.order}`}`}
          </li>
        ))}
      </ul>
    </details>
  )
}
