/** The candidates of a request in the order considered, each with its attempt where it was tried. Pure. */
import type { LoggedRequest, RequestDetail } from '../../wire.ts'

export type Attempt = RequestDetail['attempts'][number]
type Candidate = RequestDetail['route'][number]

export interface RouteStep {
  readonly id: string
  readonly provider: string
  readonly model: string
  readonly account: string | null
  readonly attempt: Attempt | undefined
  /** Why it was not tried; null when it was, and when nobody said. */
  readonly reason: string | null
  /** A sentence, where the reason alone does not say all, and of tries that went on with an answer that was cut. */
  readonly detail: string | null
  /** For how many candidates it stands that were passed over alike. */
  readonly count: number
  readonly answered: boolean
}

/** A route is written down when the request ends; until then the attempts are all there is. */
export function routeSteps({ route, attempts }: Pick<RequestDetail, 'route' | 'attempts'>): readonly RouteStep[] {
  const left = [...attempts]
  const steps = route.map((candidate, at) => stepOf(candidate, `${at}`, takeAttempt(left, candidate)))
  return [...steps, ...left.map((attempt) => stepOf(attempt, attempt.id, attempt))]
}

/** Attempts come in the order of the route, so that the first that fits is the candidate's own. */
function takeAttempt(left: Attempt[], candidate: Candidate): Attempt | undefined {
  if (candidate.outcome === 'skipped') return undefined
  const at = left.findIndex(
    ({ provider, model, account }) =>
      provider === candidate.provider && model === candidate.model && account === candidate.account,
  )
  return at < 0 ? undefined : left.splice(at, 1)[0]
}

function stepOf(target: Candidate | Attempt, id: string, attempt: Attempt | undefined): RouteStep {
  const { provider, model, account } = target
  const reason = 'reason' in target && attempt === undefined ? target.reason : null
  const { detail, count } = 'outcome' in target ? target : { detail: null, count: 1 }
  const answered = 'outcome' in target ? target.outcome === 'ok' : attempt?.class === null
  return { id, provider, model, account, attempt, reason, detail, count, answered }
}

/** Of an ensemble more than one answers; everywhere else the first that does is the last that is asked. */
function isTogether(attempts: LoggedRequest['attempts']): boolean {
  return attempts.filter((attempt) => attempt.class === null).length > 1
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']

/** How it ended, in a few words: the page's heading. */
export function outcomeTitle({ status, attempts }: Pick<LoggedRequest, 'status' | 'attempts'>): string {
  const tries = attempts.length
  if (status === 'open') return tries > 1 ? `Running, on the ${ORDINALS[tries - 1] ?? `${tries}th`} try` : 'Running'
  if (status === 'ok' && isTogether(attempts)) return 'Answered by several together'
  if (status === 'ok') return tries > 1 ? `Answered on the ${ORDINALS[tries - 1] ?? `${tries}th`} try` : 'Answered'
  if (status === 'cut') return 'Cut off in the middle'
  if (status === 'interrupted') return 'Cut off by a restart'
  if (status === 'cancelled') return 'Cancelled by the client'
  if (status === 'blocked') return 'Blocked'
  if (tries === 0) return 'Failed before any try'
  return tries > 1 ? `Failed after ${tries} tries` : 'Failed'
}
