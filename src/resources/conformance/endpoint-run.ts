/** The questions at one of a provider's addresses, one after another, and what the host turns out to need. */
import type { Quirks } from '../../catalog/provider.ts'
import type { Failure, FailureKind } from '../../core/failure.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { CHECKS, type Check } from './checks.ts'
import type { CheckResult, EndpointResult, Outcome } from './conformance.ts'
import { prepareQuestion, putQuestion, type InquiryDeps, type Place, type Put } from './inquiry.ts'
import { QUESTIONS, type Question } from './questions.ts'
import { isRefusal, TRIALS, type Trial } from './trials.ts'

export interface EndpointDeps extends InquiryDeps {
  /** Told of every question that is through. */
  readonly through: (question: Question) => void
  /** Monotonic; nothing is asked after it. */
  readonly deadlineMs: number
}

export interface EndpointFindings {
  readonly result: EndpointResult
  /** What was known of the host, and what was found. */
  readonly quirks: Quirks
}

/** Calls beyond one for each question. */
export const TRIAL_CALLS_MAX = 8

/** The account, the way to the host or the name of the model is at fault, not what the host makes of a question. */
const NOT_ASKED: ReadonlySet<FailureKind> = new Set([
  'auth',
  'billing',
  'connect',
  'forbidden',
  'timeout',
  'not_entitled',
])
const OUT_OF_TIME = 'was not asked, since the check had taken too long'

export class EndpointRun {
  readonly #place: Place
  readonly #deps: EndpointDeps
  readonly #results: CheckResult[] = []
  #quirks: Quirks
  #trialCalls = 0

  constructor(place: Place, quirks: Quirks, deps: EndpointDeps) {
    this.#place = place
    this.#deps = deps
    this.#quirks = quirks
  }

  /** Failure: why the first question was not answered, when that is not about the question; or a limit that did not pass. */
  async run(): Promise<Result<EndpointFindings, Failure>> {
    for (const question of QUESTIONS) {
      const failed = await this.#ask(
        question,
        CHECKS.filter(({ of }) => of === question.id),
      )
      if (failed !== undefined) return err(failed)
      this.#deps.through(question)
    }
    const { endpoint, model } = this.#place
    return ok({ result: { dialect: endpoint.dialect, model, checks: this.#results }, quirks: this.#quirks })
  }

  async #ask(question: Question, checks: readonly Check[]): Promise<Failure | undefined> {
    const call = prepareQuestion(question, this.#quirks, this.#place, this.#deps.random)
    if (!call.ok) return this.#note(checks, 'skipped', call.error.message)
    if (this.#isLate()) return this.#note(checks, 'failed', OUT_OF_TIME)
    const put = await putQuestion(question, call.value, this.#place, this.#deps)
    if (!put.ok) return put.error
    const { reply } = put.value.answer
    if (this.#results.length === 0 && !reply.ok && NOT_ASKED.has(reply.error.kind)) return reply.error
    let last = put.value
    for (const check of checks) last = await this.#judge(check, last)
    return undefined
  }

  /** Notes what the check says of `put`. Where a quirk helps, the answer with it stands for the one before. */
  async #judge(check: Check, put: Put): Promise<Put> {
    const why = check.judge(put.answer)
    if (why === null) {
      this.#note([check], 'passed', null)
      return put
    }
    const last = await this.#tryQuirks(check, put)
    const still = check.judge(last.answer)
    this.#note([check], still === null ? 'remedied' : 'failed', still ?? why)
    return last
  }

  async #tryQuirks(check: Check, put: Put): Promise<Put> {
    let last = put
    for (const trial of TRIALS.filter(({ checks }) => checks.includes(check.id))) {
      const quirks = trial.change(this.#quirks)
      const next = quirks && (await this.#tried(trial, last, quirks))
      if (quirks === undefined || next === undefined) continue
      const isRight = check.judge(next.answer) === null
      // A host that now answers, if not well, has shown that it refuses what was said otherwise.
      if (!isRight && !(isRefusal(last.answer) && next.answer.reply.ok)) continue
      this.#quirks = quirks
      last = next
      if (isRight) break
    }
    return last
  }

  /** Undefined when the trial can show nothing here. */
  async #tried(trial: Trial, { question, answer, exchange }: Put, quirks: Quirks): Promise<Put | undefined> {
    if (exchange === undefined || (trial.after === 'refusal' && !isRefusal(answer))) return undefined
    const call = prepareQuestion(question, quirks, this.#place, this.#deps.random)
    if (!call.ok) return undefined
    if (trial.by === 'reading') return { question, exchange, answer: call.value.read(exchange.reply) }
    const isAlike = JSON.stringify(call.value.question) === JSON.stringify(exchange.call.question)
    if (isAlike || this.#trialCalls >= TRIAL_CALLS_MAX || this.#isLate()) return undefined
    this.#trialCalls++
    const next = await putQuestion(question, call.value, this.#place, this.#deps)
    return next.ok ? next.value : undefined
  }

  #isLate(): boolean {
    return this.#deps.clock.monotonicMs() >= this.#deps.deadlineMs
  }

  #note(checks: readonly Check[], outcome: Outcome, why: string | null): undefined {
    this.#results.push(...checks.map(({ id }) => ({ check: id, outcome, why })))
  }
}
