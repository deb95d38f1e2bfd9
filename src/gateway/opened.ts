/** A provider's reply that is being read: what every reader of it needs, and the ways out that give the client nothing. */
import type { Deadline } from '../core/deadlines.ts'
import type { Failure } from '../core/failure.ts'
import { err } from '../core/result.ts'
import { inputTokens, type Usage } from '../core/usage.ts'
import type { BodyReader } from '../outbound/body-reader.ts'
import type { OutboundReply } from '../outbound/transport.ts'
import { fixedSecrets } from '../outbound/upstream.ts'
import type { Candidate } from '../routing/candidates.ts'
import type { GatewayAccount, Timeouts } from './deps.ts'
import type { Exchange } from './exchange.ts'
import type { MeteredAttempt } from './meter/meter.ts'
import { renameModel, type RenameModel } from './translate/rename-model.ts'
import type { UpstreamCall } from './translate/translate.ts'

export interface Failed {
  readonly failure: Failure
  /** Whether the request had left for the provider. */
  readonly sent: boolean
  /** Whether the provider had answered with a status. */
  readonly answered: boolean
  readonly http?: number
  /** It may have cost what a budget that refuses has to know: the client is not to try again by itself. */
  readonly doubtful?: boolean
}

/** A reply's head together with what ends it: the attempt's own abort and its deadline. */
export interface Opened {
  readonly exchange: Exchange
  readonly target: Candidate<GatewayAccount>
  readonly call: UpstreamCall
  /** Its record. */
  readonly attempt: MeteredAttempt
  readonly reply: OutboundReply
  readonly reader: BodyReader
  readonly deadline: Deadline
  /** The failure that a due deadline stands for. */
  readonly timedOut: () => Failure | undefined
  readonly sentMs: number
  readonly timeouts: Timeouts
  readonly upstreamRequestId: string | null
}

/** What puts a rule's name in the place of the model's; undefined where the answer keeps the real one. */
export function renamerOf({ target }: Pick<Opened, 'target'>): RenameModel | undefined {
  const { answersAs } = target.terms
  return answersAs === null ? undefined : renameModel(target.model, answersAs)
}

/** Known secrets never reach a client, a log or a row, even when a provider echoes them. */
export function redact(
  exchange: Pick<Exchange, 'deps'>,
  target: Pick<Candidate<GatewayAccount>, 'account' | 'provider'>,
  text: string,
): string {
  if (target.account === null) return text
  const secrets = [
    ...exchange.deps.accounts.secretsOf(target.provider, target.account),
    ...fixedSecrets(target.provider),
  ]
  return secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '[redacted]'), text)
}

/** Where an oddity of an answer was seen, for the log. */
export function placeOf({ exchange, target }: Pick<Opened, 'exchange' | 'target'>) {
  return { request_id: exchange.call.id, provider: target.provider.id, model: target.model }
}

/** A host whose calls cannot be run looks well otherwise. */
export function logBrokenCalls(opened: Opened, calls: number): void {
  if (calls === 0) return
  opened.exchange.deps.log.write('warn', 'provider', 'tool arguments are no JSON', { ...placeOf(opened), calls })
}

/** The failure as others may see it: dialects redact what looks like a credential, and here goes what is known to be one. */
export function redactFailure(exchange: Exchange, target: Candidate<GatewayAccount>, cause: Failure): Failure {
  const { message, detail, upstream } = cause
  return {
    ...cause,
    message: redact(exchange, target, message),
    ...(detail === undefined ? {} : { detail: redact(exchange, target, detail) }),
    ...(upstream === undefined ? {} : { upstream: { ...upstream, body: redact(exchange, target, upstream.body) } }),
  }
}

/**
 * Ends an attempt that gave the client nothing. `usage`: what the provider had said of it by then. Whoever answered with an error, or
 * was never reached, charges nothing; what it began before a client left, it may, and an answer that is none it does, as it counts it.
 */
export function closeFailed(
  { exchange, target, attempt }: Pick<Opened, 'exchange' | 'target' | 'attempt'>,
  cause: Failure,
  progress: Omit<Failed, 'failure'>,
  upstreamRequestId: string | null,
  usage?: Usage,
): { readonly ok: false; readonly error: Failed } {
  const counted = cause.kind === 'empty' ? countedIn(cause.usage ?? usage) : undefined
  const mayHaveCost = counted !== undefined || (progress.sent && !progress.answered)
  const failure = redactFailure(exchange, target, cause)
  attempt.close({
    failure,
    http: progress.http ?? null,
    upstreamRequestId,
    usage: counted ?? (mayHaveCost ? usage : undefined),
    outputTokensEstimate: 0,
    mayHaveCost,
  })
  return err({ failure, ...progress })
}

/** Undefined where it counts nothing. */
function countedIn(usage: Usage | undefined): Usage | undefined {
  return usage !== undefined && inputTokens(usage) + usage.output > 0 ? usage : undefined
}
