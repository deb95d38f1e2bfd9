import { CircleCheck, OctagonX } from 'lucide-react'
import { classNames } from '../../components/class-names.ts'
import { Spinner } from '../../components/spinner.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { RelativeTime } from '../../components/time.tsx'
import type { LoggedRequest } from '../../wire.ts'
import { Step, type StepState } from './stepper.tsx'

/** Waits for the first request, and then says that it has come. */
export function Arrived({ request }: { request: LoggedRequest | undefined }) {
  if (request === undefined) {
    return (
      <span role="status" className="inline-flex items-center gap-2">
        <Spinner />
        Waiting for its first request
      </span>
    )
  }
  const isGood = request.status === 'ok' || request.status === 'open'
  const Icon = isGood ? CircleCheck : OctagonX
  return (
    <span role="status" className="inline-flex flex-wrap items-center gap-x-2">
      <Icon aria-hidden="true" size={16} strokeWidth={1.75} className={isGood ? 'text-clear' : 'text-danger'} />
      <span className="text-ink">
        {isGood ? 'A request arrived' : 'A request failed'} <RelativeTime at={request.at} />
      </span>
      <TextLink to={`/requests/${request.id}`} className="underline">
        See the route
      </TextLink>
    </span>
  )
}

export interface ArrivalStepProps {
  readonly state: StepState
  readonly tool: string
  readonly keyName: string
  readonly model: string
  readonly request: LoggedRequest | undefined
  /** Made by this page. */
  readonly isOwn: boolean
}

/** Step 4: the line from the tool to the model, set once a request has gone all along it. */
export function ArrivalStep({ state, tool, keyName, model, request, isOwn }: ArrivalStepProps) {
  const target = request?.provider && request.model_used ? `${request.provider}/${request.model_used}` : model
  const stops = [
    isOwn ? { name: 'This page', what: 'a try' } : { name: request?.client ?? tool, what: 'your tool' },
    { name: keyName, what: 'key' },
    { name: 'Signalbox', what: 'finds the model' },
    { name: target, what: 'answers' },
  ]
  const isSet = request?.status === 'ok' || request?.status === 'open'
  const summary = `${stops.map(({ name }) => name).join(' to ')}: ${isSet ? 'a request has come through' : 'no request yet'}`
  return (
    <Step number={4} state={state} title="See it arrive" aside="the line lights up with the first request">
      <div role="img" aria-label={summary} className="mt-4 grid grid-cols-4">
        {stops.map(({ name, what }, at) => (
          <div key={what} className={place(at, stops.length)}>
            <span className="block max-w-full truncate px-1 text-dense font-medium">{name}</span>
            <span className="relative my-1.5 flex h-5 w-full items-center">
              <Track at={at} last={stops.length - 1} isSet={isSet} />
              <span className={classNames('relative size-4 rounded-full border-[3px] bg-surface', lamp(at, isSet))} />
            </span>
            <span className="block max-w-full truncate px-1 text-caption text-muted">{what}</span>
          </div>
        ))}
      </div>
    </Step>
  )
}

function place(at: number, count: number): string {
  if (at === 0) return 'grid min-w-0 justify-items-start [&>span]:justify-start'
  if (at === count - 1) return 'grid min-w-0 justify-items-end [&>span]:justify-end'
  return 'grid min-w-0 justify-items-center [&>span]:justify-center'
}

/** Dots while nothing has come, a line afterwards. */
function Track({ at, last, isSet }: { at: number; last: number; isSet: boolean }) {
  return (
    <span
      className={classNames(
        'lamp absolute right-0 left-0 border-t-[3px] transition-colors duration-[180ms]',
        isSet ? 'border-solid border-accent' : 'border-dotted border-control',
        at === 0 && 'left-2',
        at === last && 'right-2',
      )}
    />
  )
}

function lamp(at: number, isSet: boolean): string {
  return isSet || at === 1 || at === 2 ? 'border-accent' : 'border-control'
}
