/**
 * Tokens, cost and latency → one record per request and one per attempt, also when the client hangs up. Closing is idempotent:
 * whoever notices first that a request is over decides how it ended.
 */
import type { ClientDialectId, DialectId } from '../catalog/dialect-id.ts'
import type { ProviderSpec } from '../catalog/provider.ts'
import type { Failure, FailureKind } from '../core/failure.ts'
import { newId } from '../core/id.ts'
import { NO_USAGE, sumOfUsage, type Usage } from '../core/usage.ts'
import type { CostSource, RequestFacts, RequestOpened, RequestStatus, RouteStep } from '../ledger/record.ts'
import type { Candidate, Considered } from '../routing/candidates.ts'
import { isTemporary } from '../routing/failure-policy.ts'
import type { RouteRule } from '../routing/rule.ts'
import type { SkipReason } from '../routing/skip.ts'
import { clientOf, sessionOf } from './client-facts.ts'
import type { GatewayAccount, GatewayDeps } from './deps.ts'
import type { Call } from './exchange.ts'
import { type Lease, tokensOf } from './gate.ts'
import { RouteRecord, rulesOf, viaOf } from './route-record.ts'

const DETAIL_CHARACTERS_MAX = 500

export type MeterDeps = Pick<GatewayDeps, 'clock' | 'random' | 'ledger' | 'costOf' | 'hashAddress' | 'counters'>

export interface MeterStart {
  readonly keyId: string | null
  readonly planId: string | null
  readonly tags: Readonly<Record<string, string>>
  readonly endpoint: string
  readonly dialectIn: ClientDialectId | null
  readonly modelAsked: string
  readonly stream: boolean
  readonly facts: RequestFacts
  readonly skillIds: readonly string[]
  /** The name that its client gave the request, and what it stands for. */
  readonly named?: RequestOpened['named']
  /** The rule that was asked for. */
  readonly rule?: Pick<RouteRule, 'kind' | 'id' | 'name'> | null
}

export interface AttemptResult {
  readonly failure: Failure | null
  readonly http: number | null
  readonly upstreamRequestId: string | null
  /** Undefined when the provider gave no figure. */
  readonly usage: Usage | undefined
  /** Local estimate of the output that was delivered, for when `usage` is missing. */
  readonly outputTokensEstimate: number
  /** Whether the provider can have worked: nothing is charged otherwise. */
  readonly mayHaveCost: boolean
}

interface OpenAttempt {
  readonly id: string
  readonly startedMs: number
  readonly candidate: Candidate<GatewayAccount>
  readonly dialectOut: DialectId
  /** No longer under way there. */
  readonly leave: () => void
  readonly lease: Lease
  firstTokenMs: number | null
}

interface Charge {
  readonly usage: Usage
  readonly costNano: number
  readonly costSource: CostSource
}

export class Meter {
  readonly #deps: MeterDeps
  readonly #call: Call
  readonly #start: MeterStart
  readonly #route = new RouteRecord()
  #attempt: OpenAttempt | undefined
  #last: OpenAttempt | undefined
  #attempts = 0
  #charges: Charge[] = []
  #dropped: readonly string[] = []
  #upstreamMs = 0
  #firstTokenMs: number | null = null
  #status: Exclude<RequestStatus, 'open'> | undefined

  constructor(deps: MeterDeps, call: Call, start: MeterStart) {
    this.#deps = deps
    this.#call = call
    this.#start = start
    deps.ledger.openRequest({
      id: call.id,
      atMs: call.atMs,
      keyId: start.keyId,
      planId: start.planId,
      tags: start.tags,
      client: clientOf(call.request.headers.get('user-agent')),
      endpoint: start.endpoint,
      dialectIn: start.dialectIn,
      modelAsked: start.modelAsked,
      stream: start.stream,
      facts: start.facts,
      skills: start.skillIds,
      ...(start.named === undefined ? {} : { named: start.named }),
      sessionId: sessionOf(call.request.headers),
      ipHash: call.address === null ? null : deps.hashAddress(call.address),
    })
  }

  get attempts(): number {
    return this.#attempts
  }

  /** How it ended; undefined while it runs. */
  get status(): RequestStatus | undefined {
    return this.#status
  }

  get route(): readonly RouteStep[] {
    return this.#route.steps
  }

  /** A candidate that is not tried. */
  skip(considered: Considered<GatewayAccount>, reason: SkipReason | FailureKind): void {
    this.#route.skip(considered, reason)
  }

  /** `lease` is given back when the attempt is closed. */
  openAttempt(
    candidate: Candidate<GatewayAccount>,
    dialectOut: DialectId,
    dropped: readonly string[],
    lease: Lease,
  ): void {
    const id = newId('att', this.#deps.random)
    const { provider, publicModel, account } = candidate
    const leave = this.#deps.counters.begin(provider.id, publicModel, account?.id ?? null)
    const startedMs = this.#deps.clock.monotonicMs()
    this.#attempt = { id, startedMs, candidate, dialectOut, leave, lease, firstTokenMs: null }
    this.#last = this.#attempt
    this.#dropped = dropped
    this.#deps.ledger.openAttempt({
      id,
      requestId: this.#call.id,
      position: this.#attempts++,
      atMs: this.#deps.clock.nowMs(),
      provider: candidate.provider.id,
      accountId: candidate.account?.id ?? null,
      model: candidate.model,
      dialectOut,
      via: viaOf(candidate),
    })
  }

  /** The first content of the attempt has come. */
  firstToken(): void {
    const nowMs = this.#deps.clock.monotonicMs()
    if (this.#attempt !== undefined) this.#attempt.firstTokenMs ??= nowMs - this.#attempt.startedMs
    this.#attempt?.lease.answered()
    this.#firstTokenMs ??= nowMs - this.#call.startedMs
  }

  closeAttempt(result: AttemptResult): void {
    const open = this.#attempt
    if (open === undefined) return
    this.#attempt = undefined
    open.leave()
    open.lease.ended(providersFault(result.failure), tokensOf(result.usage, result.mayHaveCost))
    const msTotal = this.#deps.clock.monotonicMs() - open.startedMs
    this.#upstreamMs += msTotal
    const charge = this.#charge(open.candidate, result)
    this.#charges.push(charge)
    this.#route.tried(open.candidate, result.failure, msTotal, charge.costNano)
    this.#measure(open, result, msTotal)
    this.#deps.ledger.closeAttempt({
      id: open.id,
      requestId: this.#call.id,
      state: stateOf(result, charge),
      failure: result.failure?.kind ?? null,
      detail: (result.failure?.detail ?? result.failure?.message)?.slice(0, DETAIL_CHARACTERS_MAX) ?? null,
      http: result.http,
      upstreamRequestId: result.upstreamRequestId,
      ...charge,
      msTotal,
      msFirstToken: open.firstTokenMs,
    })
  }

  /** Ends the record. Later calls do nothing. */
  close(
    status: Exclude<RequestStatus, 'open'>,
    http: number,
    failure: Failure | null,
    stopReason: string | null,
  ): void {
    if (this.#status !== undefined) return
    this.#status = status
    const msTotal = this.#deps.clock.monotonicMs() - this.#call.startedMs
    this.#deps.ledger.closeRequest({
      id: this.#call.id,
      status,
      failure: failure?.kind ?? null,
      http,
      provider: this.#last?.candidate.provider.id ?? null,
      accountId: this.#last?.candidate.account?.id ?? null,
      modelUsed: this.#last?.candidate.model ?? null,
      ...rulesOf(this.#last?.candidate, this.#start.rule ?? null),
      dialectOut: this.#last?.dialectOut ?? null,
      ...total(this.#charges),
      msTotal,
      msFirstToken: this.#firstTokenMs,
      msGateway: Math.max(0, msTotal - this.#upstreamMs),
      dropped: this.#dropped,
      route: this.#route.steps,
      stopReason,
    })
  }

  /** What the client did to its own request says nothing about how quick the model is. */
  #measure({ candidate, firstTokenMs }: OpenAttempt, { failure }: AttemptResult, msTotal: number): void {
    const { provider, publicModel } = candidate
    if (failure === null || firstTokenMs !== null)
      this.#deps.counters.answered(provider.id, publicModel, firstTokenMs ?? msTotal)
    else if (isTemporary(failure.kind)) this.#deps.counters.failed(provider.id, publicModel)
  }

  #charge(candidate: Candidate<GatewayAccount>, result: AttemptResult): Charge {
    if (result.usage === undefined && !result.mayHaveCost) return { usage: NO_USAGE, costNano: 0, costSource: 'free' }
    const usage = result.usage ?? {
      ...NO_USAGE,
      inputUncached: this.#start.facts.inputTokensEstimate,
      output: result.outputTokensEstimate,
      estimated: true,
    }
    const provider: ProviderSpec = candidate.provider
    return { usage, ...this.#deps.costOf(provider, candidate.model, usage, this.#call.atMs) }
  }
}

function stateOf(result: AttemptResult, charge: Charge): 'settled' | 'estimated' | 'released' {
  if (result.usage === undefined && !result.mayHaveCost) return 'released'
  return charge.usage.estimated ? 'estimated' : 'settled'
}

/** The sum over all attempts; the least certain source names the whole. */
function total(charges: readonly Charge[]): Charge {
  const [first, ...others] = charges
  if (first === undefined) return { usage: NO_USAGE, costNano: 0, costSource: 'free' }
  return others.reduce(add, first)
}

const CERTAINTY: readonly CostSource[] = ['free', 'priced', 'override', 'estimated', 'unknown']

function add(a: Charge, b: Charge): Charge {
  const source = CERTAINTY.indexOf(a.costSource) >= CERTAINTY.indexOf(b.costSource) ? a.costSource : b.costSource
  return { usage: sumOfUsage(a.usage, b.usage), costNano: a.costNano + b.costNano, costSource: source }
}

/** What is held against the provider; null: nothing. */
function providersFault(cause: Failure | null): FailureKind | null {
  return cause === null || cause.reason === 'exit' ? null : cause.kind
}
