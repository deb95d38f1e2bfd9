/** Puts questions to one model at one address, as a request would be put, and waits where the host says that it has to. */
import type { ModelFacts, ProviderEndpoint, ProviderSpec, Quirks } from '../../catalog/provider.ts'
import type { Clock } from '../../core/clock.ts'
import { failure, type Failure, type FailureKind } from '../../core/failure.ts'
import type { Random } from '../../core/random.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { UpstreamDialect } from '../../dialects/dialect.ts'
import { prepareChat, type ChatAnswer, type ChatCall } from '../accounts/chat-call.ts'
import type { Ask, ProbeReply } from '../accounts/probe-ask.ts'
import { requestOf, type Question } from './questions.ts'

export interface Place {
  readonly provider: ProviderSpec
  readonly endpoint: ProviderEndpoint
  readonly dialect: UpstreamDialect
  /** The provider's own name of it. */
  readonly model: string
  readonly facts: ModelFacts
}

export interface InquiryDeps {
  readonly ask: Ask
  readonly clock: Clock
  readonly random: Random
  /** Told of every answer, for the bill. */
  readonly spent: (answer: ChatAnswer, call: ChatCall, model: string) => void
}

/** A question that was put, and what came of it. */
export interface Put {
  readonly question: Question
  readonly answer: ChatAnswer
  /** Undefined when nothing could be sent, or nothing came. */
  readonly exchange: { readonly call: ChatCall; readonly reply: ProbeReply } | undefined
}

/** A host that limits calls is waited for this often, and this long at most. */
const WAITS_MAX = 2
const WAIT_DEFAULT_MS = 2_000
const WAIT_MS_MAX = 20_000
const LIMITED: ReadonlySet<FailureKind> = new Set(['rate_limit', 'overloaded'])

/** Failure: `unsupported`, in our words, for what this model or the format cannot be asked; that is nobody's fault. */
export function prepareQuestion(
  question: Question,
  quirks: Quirks,
  place: Place,
  random: Random,
): Result<ChatCall, Failure> {
  const unfit = question.unfit(place.facts)
  if (unfit !== null) return err(failure('unsupported', unfit))
  const model = question.model ?? place.model
  const target = { ...place, endpoint: { ...place.endpoint, quirks }, model, random }
  return prepareChat(requestOf(question, model, place.facts, quirks), target)
}

/** Failure: a limit that did not pass, in the provider's words. */
export async function putQuestion(
  question: Question,
  call: ChatCall,
  place: Place,
  deps: InquiryDeps,
): Promise<Result<Put, Failure>> {
  for (let waits = 0; ; waits++) {
    const reply = await deps.ask(call.question)
    if (!reply.ok) return ok({ question, answer: unanswered(reply.error), exchange: undefined })
    const answer = call.read(reply.value)
    deps.spent(answer, call, place.model)
    const limit = limitOf(answer)
    if (limit === undefined) return ok({ question, answer, exchange: { call, reply: reply.value } })
    const waitMs = limit.retryAfterMs ?? WAIT_DEFAULT_MS
    if (waits >= WAITS_MAX || waitMs > WAIT_MS_MAX) return err(limit)
    await new Promise<void>((resolve) => void deps.clock.after(waitMs, resolve))
  }
}

function limitOf({ reply }: ChatAnswer): Failure | undefined {
  return !reply.ok && LIMITED.has(reply.error.kind) ? reply.error : undefined
}

function unanswered(error: Failure): ChatAnswer {
  return { status: 0, reply: err(error), usage: undefined, repairs: [], whole: true }
}
