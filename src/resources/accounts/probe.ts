/**
 * Tries credentials the way a request would use them, step by step, and says what went well. It reads what the provider sends
 * but repeats none of it: every sentence in a report is ours.
 */
import type { ProviderEndpoint } from '../../catalog/provider.ts'
import type { Clock } from '../../core/clock.ts'
import type { Failure, FailureKind } from '../../core/failure.ts'
import type { Random } from '../../core/random.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { UpstreamDialect } from '../../dialects/dialect.ts'
import type { Send } from '../../outbound/transport.ts'
import { firstPage, readPage, type ModelPage } from './model-list.ts'
import { asker, inOurWords, isSuccess, textOf, type Ask, type ProbeReply, type ProbeTarget } from './probe-ask.ts'
import { tryCall, tryStream } from './probe-call.ts'

export interface ProbeDeps {
  readonly send: Send
  readonly dialectOf: (id: ProviderEndpoint['dialect']) => UpstreamDialect
  readonly clock: Clock
  readonly random: Random
}

export const STEP_NAMES = ['resolve', 'connect', 'auth', 'models', 'call', 'stream'] as const
export type StepName = (typeof STEP_NAMES)[number]

export interface ProbeStep {
  readonly step: StepName
  /** Since the step before it; 0 for what cannot be told apart from the next one. */
  readonly ms: number
  readonly http?: number
  readonly failure?: Failure
}

export interface ProbeReport {
  readonly steps: readonly ProbeStep[]
  readonly models: readonly string[]
  readonly warnings: readonly string[]
}

/** Runs the steps in order and ends with the first that fails. `deep` spends up to one token twice. */
export async function probe(target: ProbeTarget, deep: boolean, deps: ProbeDeps): Promise<ProbeReport> {
  const run = new ProbeRun(target, deps)
  await run.reach()
  if (deep) await run.spend()
  return run.report
}

export function hasPassed({ steps }: ProbeReport): boolean {
  return steps.every((step) => step.failure === undefined)
}

/** The failure that the probe ended with. */
export function failedStep({ steps }: ProbeReport): ProbeStep | undefined {
  return steps.find((step) => step.failure !== undefined)
}

/** Collects the steps of one probe. */
class ProbeRun {
  readonly #target: ProbeTarget
  readonly #deps: ProbeDeps
  readonly #endpoint: ProviderEndpoint
  readonly #dialect: UpstreamDialect
  readonly #ask: Ask
  readonly #steps: ProbeStep[] = []
  readonly #warnings: string[] = []
  #models: readonly string[] = []
  #stepStartedMs: number

  constructor(target: ProbeTarget, deps: ProbeDeps) {
    this.#target = target
    this.#deps = deps
    this.#endpoint = target.provider.endpoints[0]
    this.#dialect = deps.dialectOf(this.#endpoint.dialect)
    this.#ask = asker(target, this.#endpoint, deps)
    this.#stepStartedMs = deps.clock.monotonicMs()
  }

  get report(): ProbeReport {
    return { steps: this.#steps, models: this.#models, warnings: this.#warnings }
  }

  /** Host, connection, credentials, models. */
  async reach(): Promise<void> {
    const { auth, listsModels } = this.#target.provider
    const list = firstPage(this.#endpoint)
    const reply = await this.#ask(auth.checkPath === undefined ? list : { path: auth.checkPath })
    if (!this.#reached(reply) || !this.#accepted(reply.value)) return
    if (!listsModels) return
    const models = auth.checkPath === undefined ? reply : await this.#ask(list)
    this.#listed(
      models.ok ? readPage(models.value, this.#dialect) : models,
      models.ok ? models.value.status : undefined,
    )
  }

  /** A call and a stream with the smallest limit there is. */
  async spend(): Promise<void> {
    if (this.#hasFailed) return
    const model = this.#modelToTry()
    if (model === undefined) {
      this.#warnings.push('No call was made, because the provider lists no model.')
      return
    }
    const [dialect, endpoint] = [this.#dialect, this.#endpoint]
    const { random } = this.#deps
    const call = { ask: this.#ask, dialect, endpoint, provider: this.#target.provider, model, random }
    this.#note('call', await tryCall(call))
    if (!this.#hasFailed) this.#note('stream', await tryStream(call))
  }

  /** One that we know and the provider lists; where it lists none, one that the operator named. */
  #modelToTry(): string | undefined {
    const { listsModels, models } = this.#target.provider
    const known = models.find(({ id }) => !listsModels || this.#models.includes(id))
    return known?.id ?? this.#models[0]
  }

  get #hasFailed(): boolean {
    return this.#steps.some((step) => step.failure !== undefined)
  }

  #reached(reply: Result<ProbeReply, Failure>): reply is { ok: true; value: ProbeReply } {
    if (reply.ok) {
      this.#push({ step: 'resolve', ms: 0 }, { step: 'connect', ms: 0 })
      return true
    }
    if (reply.error.kind === 'auth') {
      this.#push({ step: 'resolve', ms: 0 }, { step: 'connect', ms: 0 })
      this.#note('auth', reply)
      return false
    }
    const atName = reply.error.kind === 'forbidden' || /^(ENOTFOUND|EAI_AGAIN)\b/.test(reply.error.detail ?? '')
    if (!atName) this.#push({ step: 'resolve', ms: 0 })
    this.#note(atName ? 'resolve' : 'connect', reply)
    return false
  }

  /**
   * A provider that answers anything but "who are you" has accepted the credentials. One that is not known to list models may
   * have nothing at that address, which says nothing about the credentials.
   */
  #accepted(reply: ProbeReply): boolean {
    const { status } = reply
    if (isSuccess(status)) {
      this.#note('auth', ok(status))
      return true
    }
    const refused = this.#refusalOf(reply)
    if (!this.#target.provider.listsModels && !isUnauthorized(status)) {
      this.#warnings.push('The credentials are not proven: this provider lists no models. Test with a call.')
      return true
    }
    const aboutTheKey = CREDENTIAL_KINDS.has(refused.kind)
    this.#note(aboutTheKey ? 'auth' : 'models', err(refused), status)
    return false
  }

  #listed(page: Result<ModelPage, Failure>, status: number | undefined): void {
    this.#note('models', page.ok ? ok(status ?? 0) : page, status)
    this.#models = page.ok ? page.value.models.map(({ id }) => id) : []
    if (page.ok && this.#models.length === 0) this.#warnings.push('The provider lists no models for this account.')
  }

  #note(step: StepName, outcome: Result<unknown, Failure>, status?: number): void {
    const ms = this.#lap()
    const http = status ?? (outcome.ok && typeof outcome.value === 'number' ? outcome.value : undefined)
    this.#steps.push({
      step,
      ms,
      ...(http === undefined ? {} : { http }),
      ...(outcome.ok ? {} : { failure: outcome.error }),
    })
  }

  #push(...steps: readonly ProbeStep[]): void {
    this.#steps.push(...steps)
  }

  #lap(): number {
    const nowMs = this.#deps.clock.monotonicMs()
    const ms = Math.round(nowMs - this.#stepStartedMs)
    this.#stepStartedMs = nowMs
    return ms
  }

  #refusalOf({ status, headers, body }: ProbeReply): Failure {
    return inOurWords(this.#dialect.decodeFailure(status, headers, textOf(body)), status)
  }
}

const CREDENTIAL_KINDS: ReadonlySet<FailureKind> = new Set(['auth', 'billing', 'not_entitled'])

function isUnauthorized(status: number): boolean {
  return status === 401 || status === 403
}
