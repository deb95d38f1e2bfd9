/** What depends on the key alone: may it be used now, from there, for this endpoint and this model? */
import { failure, type Failure } from '../core/failure.ts'
import { allowsModel } from '../core/model-pattern.ts'
import { err, ok, type Result } from '../core/result.ts'
import { isInside, parseCidr } from '../http/cidr.ts'
import type { RequestFacts } from '../ledger/record.ts'
import type { Limits } from '../resources/plans/limits.ts'
import type { GatewayKey } from './deps.ts'
import type { FactFields } from './endpoint.ts'
import { memberAt, type ReadBody } from './read.ts'

export interface Visit {
  /** The word of `endpoints_allow`. */
  readonly endpoint: string
  /** Null when the client's address cannot be known. */
  readonly address: string | null
  readonly nowMs: number
}

export const DISABLED = 'This gateway key is disabled.'

/** Failures: `unauthenticated` (disabled, expired), `forbidden` (address, endpoint). */
export function admit(key: GatewayKey, visit: Visit): Result<undefined, Failure> {
  if (key.status === 'disabled') return refuse('unauthenticated', DISABLED)
  if (key.expiresAtMs !== null && key.expiresAtMs <= visit.nowMs)
    return refuse('unauthenticated', 'This gateway key has expired.')
  if (key.ipAllowlist.length > 0 && !isListed(visit.address, key.ipAllowlist))
    return refuse('forbidden', 'This gateway key may not be used from this address.')
  if (!allowsEndpoint(key, visit.endpoint))
    return refuse('forbidden', `This gateway key may not use the endpoint "${visit.endpoint}".`)
  return ok(undefined)
}

/**
 * How long the answer to a request may be, in tokens, whatever it and rules on its way say; null: nobody limits it. Failures:
 * `context_too_long` when the request is longer itself than those of the key may be; `malformed` when it asks for more than it may
 * have and is not to be given less.
 */
export function admitSize({ limits }: GatewayKey, body: ReadBody, fields: FactFields): Result<number | null, Failure> {
  const { inputTokensMax, outputTokensMax } = limits
  const over = overSize(limits, body.facts)
  if (over === undefined) return ok(outputTokensMax)
  if (over === 'input') return err(tooLong(body.facts.inputTokensEstimate, inputTokensMax))
  const param = fields.maxTokens.find((name) => memberAt(body.scanned, name) !== undefined) ?? 'max_tokens'
  return err(
    failure('malformed', `${param}: this gateway key may ask for ${outputTokensMax} tokens at most.`, { param }),
  )
}

type Sizes = Pick<Limits, 'inputTokensMax' | 'outputTokensMax' | 'onOutputOver'>

/** What of a request is larger than it may be and cannot be made smaller; undefined: nothing. */
export function overSize(
  { inputTokensMax, outputTokensMax, onOutputOver }: Sizes,
  { inputTokensEstimate, maxTokens }: Pick<RequestFacts, 'inputTokensEstimate' | 'maxTokens'>,
): 'input' | 'output' | undefined {
  if (inputTokensMax !== null && inputTokensEstimate > inputTokensMax) return 'input'
  const isOver = outputTokensMax !== null && maxTokens !== null && maxTokens > outputTokensMax
  return isOver && onOutputOver === 'reject' ? 'output' : undefined
}

function tooLong(tokens: number, most: number | null): Failure {
  const message = `prompt is too long: about ${tokens} tokens, and this gateway key may send ${most}.`
  return failure('context_too_long', message, { final: true })
}

/** A key is asked about every name of the model: the one in the request and the one that it resolved to. Deny beats allow. */
export function mayUse(key: Pick<GatewayKey, 'modelsAllow' | 'modelsDeny'>, names: readonly string[]): boolean {
  const denied = names.some((name) => !allowsModel(name, null, key.modelsDeny))
  return !denied && names.some((name) => allowsModel(name, key.modelsAllow, null))
}

export function allowsEndpoint(key: Pick<GatewayKey, 'endpointsAllow'>, endpoint: string): boolean {
  const allowed = key.endpointsAllow
  return allowed === null || allowed.includes('*') || allowed.includes(endpoint)
}

/** An address that cannot be read is on no list. */
export function isListed(address: string | null, ranges: readonly string[]): boolean {
  const blocks = ranges.flatMap((range) => parseCidr(range) ?? [])
  return address !== null && isInside(blocks, address)
}

function refuse(
  kind: 'unauthenticated' | 'forbidden',
  message: string,
): { readonly ok: false; readonly error: Failure } {
  return err(failure(kind, message))
}
