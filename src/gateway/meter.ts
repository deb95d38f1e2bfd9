/**
 * Tokens, cost and latency → one record per request and one per attempt, also when the client hangs up. Closing is idempotent:
 * whoever notices first that a request is over decides how it ended.
 */
import type { ClientDialectId, DialectId } from '../catalog/dialect-id.ts'
import type { ProviderSpec } from '../catalog/provider.ts'
import type { Failure } from '../core/failure.ts'
import { newId } from '../core/id.ts'
import { NO_USAGE, sumOfUsage, type Usage } from '../core/usage.ts'
import type { CostSource, RequestFacts, RequestStatus, RouteStep } from '../ledger/record.ts'
import type { Candidate } from '../routing/candidates.ts'
import type { GatewayAccount, GatewayDeps } from './deps.ts'
import type { Call } from './exchange.ts'

const DETAIL_CHARACTERS_MAX = 500

export type MeterDeps = Pick<GatewayDeps, 'clock' | 'random' | 'ledger' | 'costOf' | 'hashAddress'>

export interface MeterStart {
  readonly keyId: string | null
  readonly tags: Readonly<Record<string, string>>
  readonly endpoint: string
  readonly dialectIn: ClientDialectId | null
  readonly modelAsked: string
  readonly stream: boolean
  readonly facts: RequestFacts
  readonly skillIds: readonly string[]
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
  readonly #route: RouteStep[] = []
  #attempt: OpenAttempt | undefined
  #last: OpenAttempt | undefined
  #attempts = 0
  #charges: Charge[] = []
  #dropped: readonly string[] = []
  #upstreamMs = 0
  #firstTokenMs: number | null = null
  #closed = false

  constructor(deps: MeterDeps, call: Call, start: MeterStart) {
    this.#deps = deps
    this.#call = call
    this.#start = start
    deps.ledger.openRequest({
      id: call.id,
      atMs: call.atMs,
      keyId: start.keyId,
      tags: start.tags,
      client: clientOf(call.request.headers.get('user-agent')),
      endpoint: start.endpoint,
      dialectIn: start.dialectIn,
      modelAsked: start.modelAsked,
      stream: start.stream,
      facts: start.facts,
      skills: start.skillIds,
      sessionId: sessionOf(call.request.headers),
      ipHash: call.address === null ? null : deps.hashAddress(call.address),
    })
  }

  get attempts(): number {
    return this.#attempts
  }

  get route(): readonly RouteStep[] {
    return this.#route
  }

  /** A candidate that is not tried. */
  skip(candidate: Candidate<GatewayAccount>, reason: string): void {
    this.#route.push(step(candidate, 'skipped', reason))
  }

  openAttempt(candidate: Candidate<GatewayAccount>, dialectOut: DialectId, dropped: readonly string[]): void {
    const id = newId('att', this.#deps.random)
    this.#attempt = { id, startedMs: this.#deps.clock.monotonicMs(), candidate, dialectOut, firstTokenMs: null }
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
    })
  }

  /** The first content of the attempt has come. */
  firstToken(): void {
    const nowMs = this.#deps.clock.monotonicMs()
    if (this.#attempt !== undefined) this.#attempt.firstTokenMs ??= nowMs - this.#attempt.startedMs
    this.#firstTokenMs ??= nowMs - this.#call.startedMs
  }

  closeAttempt(result: AttemptResult): void {
    const open = this.#attempt
    if (open === undefined) return
    this.#attempt = undefined
    const msTotal = this.#deps.clock.monotonicMs() - open.startedMs
    this.#upstreamMs += msTotal
    const charge = this.#charge(open.candidate, result)
    this.#charges.push(charge)
    this.#route.push(step(open.candidate, result.failure === null ? 'ok' : 'failed', result.failure?.kind ?? null))
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
    if (this.#closed) return
    this.#closed = true
    const msTotal = this.#deps.clock.monotonicMs() - this.#call.startedMs
    this.#deps.ledger.closeRequest({
      id: this.#call.id,
      status,
      failure: failure?.kind ?? null,
      http,
      provider: this.#last?.candidate.provider.id ?? null,
      accountId: this.#last?.candidate.account?.id ?? null,
      modelUsed: this.#last?.candidate.model ?? null,
      dialectOut: this.#last?.dialectOut ?? null,
      ...total(this.#charges),
      msTotal,
      msFirstToken: this.#firstTokenMs,
      msGateway: Math.max(0, msTotal - this.#upstreamMs),
      dropped: this.#dropped,
      route: this.#route,
      stopReason,
    })
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

function step(candidate: Candidate<GatewayAccount>, outcome: RouteStep['outcome'], reason: string | null): RouteStep {
  const { provider, model, account } = candidate
  return { provider: provider.id, model, accountId: account?.id ?? null, outcome, reason }
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

/** How well-known programs name themselves in `user-agent`; the first match wins. */
const CLIENTS: readonly (readonly [RegExp, string])[] = [
  [/claude-cli|claude-code/i, 'claude-code'],
  [/codex/i, 'codex'],
  [/opencode/i, 'opencode'],
  [/^anthropic\//i, 'anthropic-sdk'],
  [/^openai\//i, 'openai-sdk'],
  [/google-genai/i, 'google-sdk'],
  [/^curl\//i, 'curl'],
]

function clientOf(userAgent: string | null): string | null {
  if (userAgent === null) return null
  return CLIENTS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null
}

const SESSION_HEADERS = ['x-claude-code-session-id', 'session_id', 'session-id', 'conversation_id'] as const
const SESSION_CHARACTERS_MAX = 128

function sessionOf(headers: Headers): string | null {
  for (const name of SESSION_HEADERS) {
    const value = headers.get(name)
    if (value !== null) return value.slice(0, SESSION_CHARACTERS_MAX)
  }
  return null
}
