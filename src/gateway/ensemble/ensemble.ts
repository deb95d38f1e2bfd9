/**
 * Asks the panel of an ensemble at the same time and has its judge choose among the answers, or write one out of them. Every question
 * is an attempt like any other: through accounts' gates, in the meter, within the attempts of the request, of which the panel's steps
 * have even shares and the judge has what is left. Who fails is left out; without a verdict the first answer counts.
 */
import { failure, type Failure } from '../../core/failure.ts'
import { once } from '../../core/once.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { ChatReply, ChatRequest } from '../../dialects/neutral.ts'
import { candidatesOf } from '../../routing/choose.ts'
import { type EnsembleRoute, onlyTarget, shareOfAttempts } from '../../routing/strategy/ensemble.ts'
import { Allowance } from '../allowance.ts'
import { attempt, attemptRound, orCheaper } from '../attempt.ts'
import { concluded } from '../conclude.ts'
import { callsTools, mergeRequest, pickRequest, verdictOf } from './ensemble-judge.ts'
import { type Exchange, withMoreInput } from '../exchange.ts'
import { type NeutralAnswer, renderReply } from '../plain.ts'
import type { Outcome } from '../send.ts'
import { streamOf } from '../streaming/stream.ts'
import { finalIf, type Fruitless, type Round } from '../wait.ts'

const BOUNDARY_BYTES = 8
const CHARACTERS_PER_TOKEN = 4

type Answers = readonly [NeutralAnswer, ...NeutralAnswer[]]

export async function convene(exchange: Exchange, route: EnsembleRoute): Promise<Outcome> {
  if (exchange.thread?.from?.kind === 'issued') return err(KEPT_ELSEWHERE)
  const rounds = await Promise.all(route.ensemble.panel.map((id) => attemptRound(member(exchange, route, id))))
  if (exchange.cancellation.cause !== undefined) return err(exchange.cancellation.cause)
  const [first, ...others] = rounds.flatMap(answerIn)
  if (first === undefined) return orCheaper(exchange, err(together(exchange, rounds)))
  return others.length === 0 ? given(exchange, first) : judged(exchange, route, [first, ...others])
}

const KEPT_ELSEWHERE = failure(
  'unsupported',
  'A provider keeps the conversation, and several models cannot go on with it. Send the whole conversation instead.',
  { param: 'previous_response_id' },
)

function answerIn(round: Round): readonly NeutralAnswer[] {
  return round.ok && round.value.kind === 'neutral' ? [round.value] : []
}

/** What all rounds without an answer come to. */
function together(exchange: Exchange, rounds: readonly Round[]): Fruitless {
  const fruitless = rounds.flatMap((round) => (round.ok ? [] : [round.error]))
  const failures = fruitless.flatMap((one) => one.failures)
  const passed = fruitless.flatMap((one) => one.passed)
  const refusals = fruitless.flatMap((one) => one.refusals)
  const cause = concluded(exchange, failures, passed, refusals)
  const isDoubtful = fruitless.some((one) => one.isDoubtful)
  return { failure: finalIf(isDoubtful, cause), failures, passed, full: [], refusals, isDoubtful }
}

/** The request as one of the panel gets it. */
function member(exchange: Exchange, route: EnsembleRoute, targetId: string): Exchange {
  const total = route.rule.retry?.totalAttempts ?? exchange.choosing.preferences.retry.totalAttempts
  return {
    ...exchange,
    ...unstreamed(exchange),
    ...forTarget(exchange, route, targetId),
    cancellation: exchange.cancellation.fork(),
    allowance: new Allowance(total - shareOfAttempts(route.ensemble, total)),
  }
}

/** Asked for a plain answer, which stays here. */
function unstreamed({ body, toSend }: Exchange): Pick<Exchange, 'body' | 'toSend' | 'answerForm'> {
  const plainly = once(() => {
    const request = toSend()
    return request.ok ? ok({ ...request.value, stream: false }) : request
  })
  return { body: { ...body, stream: false }, toSend: plainly, answerForm: 'neutral' }
}

function forTarget({ choosing }: Exchange, route: EnsembleRoute, targetId: string): Pick<Exchange, 'candidates'> {
  const step = onlyTarget(route, targetId)
  return { candidates: () => candidatesOf(step, choosing) }
}

async function judged(exchange: Exchange, route: EnsembleRoute, answers: Answers): Promise<Outcome> {
  const replies = answers.map(({ reply }) => reply)
  // What would be merged of calls is anybody's guess: they are chosen whole or not at all.
  const merges = route.ensemble.mode === 'merge' && !replies.some(callsTools)
  const judge = judging(exchange, route, merges ? mergeRequest : pickRequest, replies)
  const outcome = merges ? await attempt(judge) : await pick(exchange, judge, answers)
  if (outcome.ok) return outcome
  if (exchange.cancellation.cause !== undefined) return err(exchange.cancellation.cause)
  logUnjudged(exchange, outcome.error)
  return given(exchange, answers[0])
}

type Ask = (request: ChatRequest, answers: readonly ChatReply[], boundary: string) => ChatRequest

/** The judge's own request, for which the panel's answers are part of the input. */
function judging(exchange: Exchange, route: EnsembleRoute, ask: Ask, replies: readonly ChatReply[]): Exchange {
  const { deps, meter, toSend } = exchange
  const boundary = Buffer.from(deps.random.bytes(BOUNDARY_BYTES)).toString('hex')
  const asked = toSend()
  const request = asked.ok ? ok(ask(asked.value, replies, boundary)) : asked
  const longer = withMoreInput(exchange, addedTokens(asked, request))
  const step = forTarget(longer, route, route.ensemble.judge)
  return { ...longer, ...step, toSend: () => request, allowance: new Allowance(meter.attempts) }
}

function addedTokens(before: Result<ChatRequest, Failure>, after: Result<ChatRequest, Failure>): number {
  const added = after.ok && before.ok ? after.value.messages.slice(before.value.messages.length) : []
  return Math.ceil(JSON.stringify(added).length / CHARACTERS_PER_TOKEN)
}

/** The answer that the judge chooses. Failures: those of asking it, and `server` for a verdict that names none. */
async function pick(exchange: Exchange, judge: Exchange, answers: Answers): Promise<Outcome> {
  const verdict = await attempt({ ...judge, ...unstreamed(judge) })
  if (!verdict.ok) return verdict
  const at = verdict.value.kind === 'neutral' ? verdictOf(verdict.value.reply, answers.length) : undefined
  const chosen = at === undefined ? undefined : answers[at]
  return chosen === undefined ? err(NO_VERDICT) : given(exchange, chosen)
}

const NO_VERDICT = failure('server', 'The judge named no answer.')

/** One of the panel's answers, for the client. */
function given(exchange: Exchange, { opened, reply }: NeutralAnswer): Outcome {
  opened.attempt.answers()
  exchange.meter.firstToken()
  const forClient = { ...opened, exchange }
  if (exchange.body.stream) return streamOf(forClient, reply)
  const rendered = renderReply(forClient, reply)
  return rendered.ok ? ok({ kind: 'plain', opened: forClient, ...rendered.value }) : rendered
}

function logUnjudged({ call, deps }: Exchange, { kind, message }: Failure): void {
  deps.log.write('warn', 'router', 'an ensemble answers without its judge', {
    request_id: call.id,
    kind,
    detail: message,
  })
}
