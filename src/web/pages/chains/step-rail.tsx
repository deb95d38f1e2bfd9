import { Minus } from 'lucide-react'
import { classNames } from '../../components/class-names.ts'
import { isAsked, type StepTrial } from './words.ts'

interface StepRailProps {
  readonly at: number
  readonly isLast: boolean
  readonly trial: StepTrial | undefined
}

/** The track that a request runs along, with a point at each step: filled where it would be asked, a dash where it is passed over. */
export function StepRail({ at, isLast, trial }: StepRailProps) {
  const asked = trial !== undefined && isAsked(trial)
  const isPassed = trial?.tried === 'no'
  return (
    <span aria-hidden="true" className="relative flex justify-center">
      <span className={classNames('absolute -top-2.5 h-8 w-0.5', at === 0 ? 'bg-accent' : 'bg-line')} />
      {!isLast && <span className="absolute top-8 bottom-0 w-0.5 bg-line" />}
      <span
        className={classNames(
          'relative mt-5 grid size-6 place-items-center rounded-full border-2 text-caption font-semibold md:size-8',
          asked ? 'border-accent bg-accent text-on-accent' : 'border-line bg-surface text-muted',
        )}
      >
        {isPassed ? <Minus size={14} strokeWidth={1.75} /> : at + 1}
      </span>
    </span>
  )
}
