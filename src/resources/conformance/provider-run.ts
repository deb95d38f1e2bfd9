/** A whole check: every address of the plan in turn, with the bill. */
import type { ModelFacts, ProviderEndpoint, ProviderSpec, Quirks } from '../../catalog/provider.ts'
import { MINUTE_MS } from '../../core/duration.ts'
import type { Failure } from '../../core/failure.ts'
import type { Random } from '../../core/random.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { NO_USAGE } from '../../core/usage.ts'
import type { UpstreamDialect } from '../../dialects/dialect.ts'
import type { Send } from '../../outbound/transport.ts'
import type { Account } from '../accounts/account.ts'
import type { ChatAnswer, ChatCall } from '../accounts/chat-call.ts'
import { asker, type ProbeTarget } from '../accounts/probe-ask.ts'
import { upstreamModel } from '../accounts/state.ts'
import { amountOf, NOTHING, sum, type Amount, type AmountDeps } from './amount.ts'
import { CHECKS } from './checks.ts'
import type { EndpointResult } from './conformance.ts'
import { EndpointRun, type EndpointFindings } from './endpoint-run.ts'
import type { Place } from './inquiry.ts'
import type { EndpointPlan } from './plan.ts'
import { QUESTIONS } from './questions.ts'
import { newQuirks } from './trials.ts'
import { inOurWords } from './words.ts'

export interface RunDeps extends AmountDeps {
  readonly send: Send
  readonly random: Random
  readonly dialectOf: (id: ProviderEndpoint['dialect']) => UpstreamDialect
  readonly capabilitiesOf: (provider: ProviderSpec, model: string) => ModelFacts
}

export interface Subject {
  readonly account: Account
  readonly target: ProbeTarget
}

export interface Progress {
  readonly done: number
  readonly total: number
}

export interface Findings {
  readonly endpoints: readonly EndpointResult[]
  /** Those that were not known before. */
  readonly quirks: Quirks
  readonly calls: number
  readonly spent: Amount
}

/** Nothing more is asked after this. */
const RUN_MS_MAX = 5 * MINUTE_MS
const BYTES_PER_TOKEN = 4

/** One model at one address of a provider, as the account reaches it. */
export function placeOf(
  { account, target: { provider } }: Subject,
  endpoint: ProviderEndpoint,
  model: string,
  { dialectOf, capabilitiesOf }: Pick<RunDeps, 'dialectOf' | 'capabilitiesOf'>,
): Place {
  const upstream = upstreamModel(account, model)
  return {
    provider,
    endpoint,
    dialect: dialectOf(endpoint.dialect),
    model: upstream,
    facts: capabilitiesOf(provider, upstream),
  }
}

export class ProviderRun {
  readonly #subject: Subject
  readonly #deps: RunDeps
  readonly #deadlineMs: number
  readonly #progressed: (progress: Progress) => void
  #quirks: Quirks = {}
  #calls = 0
  #spent = NOTHING

  constructor(subject: Subject, deps: RunDeps, progressed: (progress: Progress) => void) {
    this.#subject = subject
    this.#deps = deps
    this.#deadlineMs = deps.clock.monotonicMs() + RUN_MS_MAX
    this.#progressed = progressed
  }

  /** Failure, in our words: what kept the first address from being asked at all, or a limit anywhere that did not pass. */
  async run(plans: readonly EndpointPlan[]): Promise<Result<Findings, Failure>> {
    const endpoints: EndpointResult[] = []
    for (const [index, plan] of plans.entries()) {
      const progress = { done: index * QUESTIONS.length, total: plans.length * QUESTIONS.length }
      const findings = await this.#endpoint(plan, progress)
      if (findings.ok) {
        endpoints.push(findings.value.result)
        this.#learn(plan.endpoint, findings.value)
      } else if (endsRun(findings.error, index === 0)) return err(findings.error)
      else endpoints.push(unreached(plan, findings.error))
    }
    return ok({ endpoints, quirks: this.#quirks, calls: this.#calls, spent: this.#spent })
  }

  async #endpoint(
    { endpoint, models }: EndpointPlan,
    { done, total }: Progress,
  ): Promise<Result<EndpointFindings, Failure>> {
    this.#progressed({ done, total })
    const { target } = this.#subject
    const ask = asker(target, endpoint, this.#deps)
    const quirks = target.provider.origin === 'custom' ? { ...endpoint.quirks, ...this.#quirks } : endpoint.quirks
    const [first, ...others] = models
    const attempt = (model: string) => {
      let asked = done
      const through = () => this.#progressed({ done: ++asked, total })
      const spent = (answer: ChatAnswer, call: ChatCall, name: string) => this.#bill(answer, call, name)
      const deps = { ...this.#deps, ask, spent, through, deadlineMs: this.#deadlineMs }
      return new EndpointRun(placeOf(this.#subject, endpoint, model, this.#deps), quirks, deps).run()
    }
    let findings = await attempt(first)
    for (const model of others) {
      if (findings.ok || findings.error.kind !== 'not_entitled') break
      findings = await attempt(model)
    }
    return findings.ok ? findings : err(inOurWords(findings.error))
  }

  /** All addresses of a custom provider share its quirks. */
  #learn(endpoint: ProviderEndpoint, { quirks }: EndpointFindings): void {
    this.#quirks = { ...this.#quirks, ...newQuirks(endpoint.quirks, quirks) }
  }

  #bill({ usage, reply }: ChatAnswer, { question }: ChatCall, model: string): void {
    this.#calls++
    if (usage === undefined && !reply.ok) return // a refusal costs nothing
    const sent = Math.ceil((question.body?.length ?? 0) / BYTES_PER_TOKEN)
    const counted = usage ?? { ...NO_USAGE, inputUncached: sent, estimated: true }
    this.#spent = sum(this.#spent, amountOf(counted, this.#subject.target.provider, model, this.#deps))
  }
}

/** Whether nothing can be said of the provider. A model that nobody has at this address is a finding. */
function endsRun({ kind }: Failure, isFirst: boolean): boolean {
  return kind === 'rate_limit' || kind === 'overloaded' || (isFirst && kind !== 'not_entitled')
}

function unreached({ endpoint, models: [model] }: EndpointPlan, { message }: Failure): EndpointResult {
  const why = `was not asked: ${message}`
  return { dialect: endpoint.dialect, model, checks: CHECKS.map(({ id }) => ({ check: id, outcome: 'failed', why })) }
}
