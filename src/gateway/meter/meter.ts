/**
 * Tokens, cost and latency → one record per request and one per attempt, also when the client hangs up. Closing is idempotent:
 * whoever notices first that a request or an attempt is over decides how it ended. Several attempts may be open at the same time.
 */
import type { DialectId } from '../../catalog/dialect-id.ts'
import type { Failure, FailureKind } from '../../core/failure.ts'
import { newId } from '../../core/id.ts'
import type { NanoUsd } from '../../core/money.ts'
import type { Usage } from '../../core/usage.ts'
import type { Reservation } from '../../ledger/spending/spending.ts'
import type { RequestOpened, RequestStatus, RouteStep } from '../../ledger/record.ts'
import { spentBy } from '../../ledger/spending/spend-statements.ts'
import type { Candidate, Considered } from '../../routing/candidates.ts'
import { isTemporary } from '../../routing/failure-policy.ts'
import type { RouteRule } from '../../routing/rule.ts'
import type { SkipReason } from '../../routing/skip.ts'
import { type AttemptResult, type Charge, chargeFor, stateOf, total } from './charge.ts'
import { clientOf, sessionOf, traceOf } from '../client-facts.ts'
import type { GatewayAccount, GatewayDeps } from '../deps.ts'
import type { Call } from '../exchange.ts'
import { type Lease, tokensOf } from '../gate.ts'
import type { Place } from '../limits/key-limits.ts'
import { type PriceAt, Savings } from './savings.ts'
import { RouteRecord, rulesOf, viaOf } from './route-record.ts'
import type { UpstreamCall } from '../translate/translate.ts'

const DETAIL_CHARACTERS_MAX = 500

export type MeterDeps = Pick<
  GatewayDeps,
  'clock' | 'random' | 'ledger' | 'costOf' | 'hashAddress' | 'counters' | 'answerSizes'
>

/** What an attempt has taken of limits and budgets, and gives back. */
export interface HeldForAttempt {
  readonly lease: Lease
  readonly reservation: Reservation
}

/** What is known of a request before anything is sent; the rest of its record is read from the call itself. */
type KnownOfRequest = Omit<RequestOpened, 'id' | 'atMs' | 'client' | 'sessionId' | 'traceId' | 'ipHash' | 'skills'>

export interface MeterStart extends KnownOfRequest {
  readonly skillIds: readonly string[]
  /** The rule that was asked for. */
  readonly rule?: Pick<RouteRule, 'kind' | 'id' | 'name'> | null
}

/** An attempt that is under way, for whoever asked. */
export interface MeteredAttempt {
  /** Waits until its row would survive anything, and then counts it as sent. False: the disk refuses. */
  onDisk(): Promise<boolean>
  /** The first content of it has come. */
  firstToken(): void
  /** Ends its record and gives its lease back. Later calls do nothing. */
  close(result: AttemptResult): void
  /** It gave the answer of the request, although others were asked after it. */
  answers(): void
}

interface OpenAttempt {
  readonly id: string
  readonly startedMs: number
  readonly candidate: Candidate<GatewayAccount>
  readonly dialectOut: DialectId
  readonly dropped: readonly string[]
  /** No longer under way there. */
  readonly leave: () => void
  readonly lease: Lease
  readonly reservation: Reservation
  readonly continues: boolean
  firstTokenMs: number | null
}

export class Meter {
  readonly #deps: MeterDeps
  readonly #call: Call
  readonly #start: MeterStart
  readonly #route = new RouteRecord()
  readonly #savings: Savings
  readonly #open = new Set<OpenAttempt>()
  /** Whose answer it is: the last one that was asked, unless another one is said to be. */
  #answering: OpenAttempt | undefined
  #attempts = 0
  /** What the request takes of its key's limits. */
  #place: Place | undefined
  #charges: Charge[] = []
  /** Since when any attempt is open, and how long some were before. */
  #upstreamSinceMs = 0
  #upstreamMs = 0
  #firstTokenMs: number | null = null
  #status: Exclude<RequestStatus, 'open'> | undefined

  constructor(deps: MeterDeps, call: Call, start: MeterStart) {
    this.#deps = deps
    this.#call = call
    this.#start = start
    this.#savings = new Savings((to, usage) => this.#priceAt(to, usage))
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
      userTag: start.userTag,
      traceId: traceOf(call.request.headers),
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

  /** `place` is given back when the record is closed. */
  holds(place: Place): void {
    if (this.#status === undefined) this.#place = place
    else place.end(total(this.#charges).usage)
  }

  /** A candidate that is not tried. */
  skip(considered: Considered<GatewayAccount>, reason: SkipReason | FailureKind): void {
    this.#route.skip(considered, reason)
    this.#savings.considers(considered)
  }

  /** What the attempts so far have cost, those under way as it was set aside for them. */
  get spentNano(): NanoUsd {
    const underWay = [...this.#open].reduce((sum, { reservation }) => sum + reservation.costNano, 0)
    return underWay + this.#charges.reduce((sum, { costNano }) => sum + costNano, 0)
  }

  /** What budgets warn of, for the client of the attempt that answers. */
  get warnings(): Reservation['warnings'] {
    return this.#answering?.reservation.warnings ?? []
  }

  /** `lease` and `reservation` are given back when the attempt is closed. `continues`: it goes on with an answer that was cut. */
  openAttempt(
    candidate: Candidate<GatewayAccount>,
    { dialect, dropped }: Pick<UpstreamCall, 'dialect' | 'dropped'>,
    { lease, reservation }: HeldForAttempt,
    continues = false,
  ): MeteredAttempt {
    const id = newId('att', this.#deps.random)
    this.#savings.considers(candidate)
    const { provider, publicModel, account } = candidate
    const leave = this.#deps.counters.begin(provider.id, publicModel, account?.id ?? null)
    const startedMs = this.#deps.clock.monotonicMs()
    const open: OpenAttempt = {
      id,
      startedMs,
      candidate,
      dialectOut: dialect.id,
      dropped,
      leave,
      lease,
      reservation,
      continues,
      firstTokenMs: null,
    }
    if (this.#open.size === 0) this.#upstreamSinceMs = startedMs
    this.#open.add(open)
    this.#answering = open
    this.#deps.ledger.openAttempt({
      id,
      requestId: this.#call.id,
      position: this.#attempts++,
      atMs: reservation.atMs,
      provider: candidate.provider.id,
      accountId: candidate.account?.id ?? null,
      model: candidate.model,
      dialectOut: dialect.id,
      via: viaOf(candidate),
      state: reservation.isBlocking ? 'reserved' : 'sent',
      reservation,
    })
    return {
      onDisk: () => this.#onDisk(id),
      firstToken: () => this.#attemptAnswers(open),
      close: (result) => this.#closeAttempt(open, result),
      answers: () => void (this.#answering = open),
    }
  }

  /** The first content of the answer is there for the client. */
  firstToken(): void {
    this.#firstTokenMs ??= this.#deps.clock.monotonicMs() - this.#call.startedMs
  }

  /** Ends what is open without anybody knowing what became of it. */
  abandonAttempts(failure: Failure): void {
    const unknown = { http: null, upstreamRequestId: null, usage: undefined, outputTokensEstimate: 0 }
    for (const open of this.#open) this.#closeAttempt(open, { failure, ...unknown, mayHaveCost: true })
  }

  async #onDisk(attemptId: string): Promise<boolean> {
    const isOnDisk = await this.#deps.ledger.onDisk(attemptId)
    if (isOnDisk) this.#deps.ledger.sendAttempt(attemptId)
    return isOnDisk
  }

  #attemptAnswers(open: OpenAttempt): void {
    open.firstTokenMs ??= this.#deps.clock.monotonicMs() - open.startedMs
    open.lease.answered()
  }

  #closeAttempt(open: OpenAttempt, result: AttemptResult): void {
    if (!this.#open.delete(open)) return
    open.leave()
    open.lease.ended(providersFault(result.failure), tokensOf(result.usage, result.mayHaveCost))
    const nowMs = this.#deps.clock.monotonicMs()
    const msTotal = nowMs - open.startedMs
    if (this.#open.size === 0) this.#upstreamMs += nowMs - this.#upstreamSinceMs
    const charge = this.#charge(open, result)
    const state = stateOf(result, charge)
    open.reservation.settle(spentBy({ ...charge, state }))
    this.#charges.push(charge)
    this.#savings.charged(open.candidate, charge, result.failure === null)
    this.#route.tried(open.candidate, result.failure, {
      ms: msTotal,
      costNano: charge.costNano,
      continues: open.continues,
    })
    this.#measure(open, result, msTotal)
    this.#deps.ledger.closeAttempt({
      id: open.id,
      requestId: this.#call.id,
      state,
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
    const answering = this.#answering
    const charge = total(this.#charges)
    this.#place?.end(charge.usage)
    this.#deps.ledger.closeRequest({
      id: this.#call.id,
      status,
      failure: failure?.kind ?? null,
      http,
      provider: answering?.candidate.provider.id ?? null,
      accountId: answering?.candidate.account?.id ?? null,
      modelUsed: answering?.candidate.model ?? null,
      ...rulesOf(answering?.candidate, this.#start.rule ?? null),
      dialectOut: answering?.dialectOut ?? null,
      ...charge,
      saved: this.#savings.of(answering?.candidate),
      msTotal,
      msFirstToken: this.#firstTokenMs,
      msGateway: Math.max(0, msTotal - this.#upstreamMs),
      dropped: answering?.dropped ?? [],
      route: this.#route.steps,
      stopReason,
    })
  }

  #noteSize({ provider, model }: Candidate<GatewayAccount>, { output }: Usage): void {
    this.#deps.answerSizes.note(this.#start.keyId, `${provider.id}/${model}`, output)
  }

  /** What the client did to its own request says nothing about how quick the model is. */
  #measure({ candidate, firstTokenMs }: OpenAttempt, { failure }: AttemptResult, msTotal: number): void {
    const { provider, publicModel } = candidate
    if (failure === null || firstTokenMs !== null)
      this.#deps.counters.answered(provider.id, publicModel, firstTokenMs ?? msTotal)
    else if (isTemporary(failure.kind)) this.#deps.counters.failed(provider.id, publicModel)
  }

  #charge({ candidate, reservation }: OpenAttempt, result: AttemptResult): Charge {
    const { inputTokensEstimate } = this.#start.facts
    const charge = chargeFor(result, reservation, inputTokensEstimate, (usage) => this.#priceAt(candidate, usage))
    const isWhole = result.failure === null && result.usage !== undefined
    if (isWhole && !charge.usage.estimated) this.#noteSize(candidate, charge.usage)
    return charge
  }

  #priceAt({ provider, model, account }: Parameters<PriceAt>[0], usage: Usage): ReturnType<PriceAt> {
    const { keyId, planId } = this.#start
    const payer = { keyId, planId, accountId: account?.id ?? null }
    return this.#deps.costOf(provider, model, usage, payer, this.#call.atMs)
  }
}

/** What is held against the provider; null: nothing. */
function providersFault(cause: Failure | null): FailureKind | null {
  return cause === null || cause.reason === 'exit' ? null : cause.kind
}
