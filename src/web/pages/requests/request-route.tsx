import { SECOND_MS } from '../../../core/duration.ts'
import { Money } from '../../components/money.tsx'
import type { StatusName } from '../../components/status.tsx'
import { useNow } from '../../components/time.tsx'
import { Waterfall, type WaterfallStep } from '../../components/waterfall.tsx'
import { countText, plural } from '../../format/count.ts'
import { durationText } from '../../format/time.ts'
import { AccountName } from '../../names.tsx'
import type { RequestDetail } from '../../wire.ts'
import { failureWord, skippedWord } from './failure-words.ts'
import { type Attempt, type RouteStep, routeSteps } from './route-steps.ts'

/** Every candidate: tried and how it went, or passed over and why. */
export function RequestRoute({ request }: { request: RequestDetail }) {
  const steps = routeSteps(request)
  const totalMs = useTotalMs(request)
  if (steps.length === 0) return <NoRoute request={request} />
  return (
    <Waterfall
      label="Candidates, in the order considered"
      totalMs={totalMs}
      firstTokenMs={request.ms_first_token}
      steps={steps.map((step) => waterfallStep(step, request, totalMs))}
    />
  )
}

function NoRoute({ request }: { request: RequestDetail }) {
  return (
    <p className="rounded-card border border-line bg-surface px-4 py-6 text-center text-dense text-muted">
      {request.status === 'open' ? 'No provider has been asked yet.' : 'No provider was asked, so nothing was spent.'}
    </p>
  )
}

/** While it runs, until now. The clocks of browser and server may differ, so never less than what is known. */
function useTotalMs({ ms_total, attempts, at, status }: RequestDetail): number {
  const nowMs = useNow(SECOND_MS)
  const ends = attempts.map((attempt) => Date.parse(attempt.at) - Date.parse(at) + (attempt.ms ?? 0))
  return Math.max(1, ms_total ?? 0, status === 'open' ? nowMs - Date.parse(at) : 0, ...ends)
}

function waterfallStep(step: RouteStep, request: RequestDetail, totalMs: number): WaterfallStep {
  const { id, provider, model, account, attempt, answered } = step
  const name = `${provider}/${model}`
  const shown = { id, name, status: statusOf(step, request), sub: account === null ? '' : <AccountName id={account} /> }
  if (attempt === undefined) {
    return { ...shown, fromMs: null, toMs: null, note: <SkipNote step={step} />, end: '–' }
  }
  const fromMs = Math.max(0, Date.parse(attempt.at) - Date.parse(request.at))
  const toMs = attempt.ms === null ? totalMs : fromMs + attempt.ms
  return {
    ...shown,
    fromMs,
    toMs,
    firstTokenMs: attempt.ms_first_token === null ? null : fromMs + attempt.ms_first_token,
    isSet: answered,
    note: (
      <>
        {answered ? answerNote(attempt, request) : <FailureNote attempt={attempt} />}
        {step.detail !== null && ` · ${step.detail}`}
      </>
    ),
    end: <AttemptCost attempt={attempt} answered={answered} />,
  }
}

function statusOf({ attempt, answered }: RouteStep, { status }: RequestDetail): StatusName {
  if (attempt === undefined) return 'cancelled'
  if (attempt.ms === null) return status === 'open' ? 'streaming' : 'cut'
  if (answered) return 'answered'
  return attempt.class === 'cut' ? 'cut' : attempt.class === 'cancelled' ? 'cancelled' : 'failed'
}

function answerNote(attempt: Attempt, { tokens_per_s, status }: RequestDetail): string {
  if (attempt.ms === null) return status === 'open' ? 'Running' : 'Nobody knows how it ended'
  const speed = tokens_per_s === null ? '' : ` · ${countText(tokens_per_s)} tokens/s`
  return `${plural(attempt.tokens.output, 'token')}${speed}`
}

function SkipNote({ step: { reason, detail, count } }: { step: RouteStep }) {
  return (
    <span title={detail ?? undefined}>
      {skippedWord(reason)}
      {count > 1 && `, ${countText(count)} alike`}
    </span>
  )
}

function FailureNote({ attempt }: { attempt: Attempt }) {
  const { http, class: kind, detail, ms } = attempt
  return (
    <span title={detail ?? undefined}>
      <strong className="font-semibold text-danger">
        {[http === null || http < 400 ? undefined : http, kind === null ? 'Failed' : failureWord(kind)]
          .filter((part) => part !== undefined)
          .join(' ')}
      </strong>{' '}
      <span className="text-muted">{detail ?? (ms === null ? '' : `after ${durationText(ms)}`)}</span>
    </span>
  )
}

/** What a try that failed has cost is known to be nothing, or it is estimated. */
function AttemptCost({ attempt, answered }: { attempt: Attempt; answered: boolean }) {
  const { cost_usd, cost_source, ms } = attempt
  if (ms === null) return <>–</>
  return <Money usd={cost_usd} source={!answered && cost_source === 'free' ? null : cost_source} />
}
