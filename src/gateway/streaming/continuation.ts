/**
 * Goes on with an answer that was cut after its client had begun to read it, where the rules ask for that: the same conversation with
 * the text so far is put to the same target, then to others that are known to take it. Nothing is asked again that the client has, so
 * this is no repetition; where it cannot be done, the client gets the error that it would have got anyway. Every further request is an
 * attempt like any other.
 */
import type { Failure, FailureKind } from '../../core/failure.ts'
import { ok } from '../../core/result.ts'
import type { ChatRequest } from '../../dialects/neutral.ts'
import type { Candidate, Considered } from '../../routing/candidates.ts'
import { rankOf } from '../../routing/request-view.ts'
import { attempt } from '../attempt.ts'
import type { Begun } from './begun.ts'
import { continuationOf, isContinuable } from './continuable.ts'
import type { GatewayAccount } from '../deps.ts'
import { type Exchange, withMoreInput } from '../exchange.ts'
import type { Live, StreamAnswer } from './stream.ts'
import { EMPTY_STEP, type StreamStep } from './stream-mode.ts'

/** How often one answer is gone on with. */
export const CONTINUATIONS_MAX = 2

/** Ways to break off in which the answer so far is none the worse. */
const BREAKS: ReadonlySet<FailureKind> = new Set(['cut', 'timeout', 'overloaded'])

type Target = Candidate<GatewayAccount>

/** The answer, which is gone on with when it is cut, if it may be. */
export function continuing(answer: StreamAnswer): StreamAnswer {
  if (answer.begun === undefined) return answer
  const live = new ContinuedStream(answer, answer.begun)
  return { ...answer, live, first: live.held(answer.first) }
}

class ContinuedStream implements Live {
  readonly #exchange: Exchange
  readonly #begun: Begun
  #answer: StreamAnswer
  /** How the answer broke off; the client has all that came before. */
  #cut: Failure | undefined
  #times = 0

  constructor(answer: StreamAnswer, begun: Begun) {
    this.#exchange = answer.opened.exchange
    this.#answer = answer
    this.#begun = begun
  }

  get stopReason(): string | undefined {
    return this.#answer.live.stopReason
  }

  async step(): Promise<StreamStep> {
    const cut = this.#cut
    this.#cut = undefined
    return this.held(await (cut === undefined ? this.#answer.live.step() : this.#goOn(cut)))
  }

  close(cause: Failure | null): Promise<void> {
    return this.#answer.live.close(this.#cut ?? cause)
  }

  /** A step whose break is kept for the next one, so that what came before it leaves at once. */
  held(step: StreamStep): StreamStep {
    if (step.failure === undefined || !this.#mayGoOn(step.failure)) return step
    this.#cut = step.failure
    return { ...step, failure: undefined }
  }

  #mayGoOn({ kind }: Failure): boolean {
    const isOver = this.#times >= CONTINUATIONS_MAX || this.#exchange.cancellation.cause !== undefined
    return !isOver && BREAKS.has(kind) && this.#rest() !== undefined
  }

  #rest(): ChatRequest | undefined {
    const { texts, tokensEstimate } = this.#begun
    const request = this.#exchange.toSend()
    if (this.#outputLeft() === 0) return undefined
    return texts === undefined || !request.ok ? undefined : continuationOf(request.value, texts, tokensEstimate)
  }

  /** Of what the whole answer may have, in tokens; null: nobody limits it. */
  #outputLeft(): number | null {
    const { outputTokensMax } = this.#exchange
    return outputTokensMax === null ? null : Math.max(0, outputTokensMax - this.#begun.tokensEstimate)
  }

  async #goOn(cut: Failure): Promise<StreamStep> {
    const { live, opened } = this.#answer
    const rest = this.#rest()
    await live.close(cut)
    if (rest === undefined) return { ...EMPTY_STEP, failure: cut }
    this.#times++
    const next = await attempt(this.#asking(rest, opened.target))
    if (!next.ok || next.value.kind !== 'stream') return { ...EMPTY_STEP, failure: cut }
    this.#answer = next.value
    return { ...next.value.first, bytes: next.value.head }
  }

  #asking(rest: ChatRequest, target: Target): Exchange {
    const exchange = withMoreInput(this.#exchange, this.#begun.tokensEstimate)
    const candidates = () => thoseWhoMay(exchange, target)
    const outputTokensMax = this.#outputLeft()
    return { ...exchange, begun: this.#begun, toSend: () => ok(rest), candidates, outputTokensMax }
  }
}

/** The target that was cut, then what else can go on. */
function* thoseWhoMay(exchange: Exchange, target: Target): Generator<Considered<GatewayAccount>> {
  if (isUsable(exchange, target)) yield target
  for (const considered of exchange.candidates()) {
    if (considered.skipped !== null || isContinuable(exchange, considered)) {
      if (!isSame(considered, target)) yield considered
    } else yield { ...considered, skipped: 'cannot_continue', detail: null }
  }
}

function isUsable({ deps, choosing }: Exchange, { account, publicModel }: Target): boolean {
  return account === null || deps.accounts.unusable(account, publicModel, rankOf(choosing.view)) === null
}

function isSame(one: Considered<GatewayAccount>, { provider, model, account }: Target): boolean {
  return one.provider?.id === provider.id && one.model === model && one.account?.id === account?.id
}
