/**
 * The conversation that a request goes on from by the id of an answer: kept by us, or by the provider that issued the answer, and
 * then only its account can go on.
 */
import { failure, type Failure } from '../../core/failure.ts'
import type { JsonObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { FindItem, Threads } from '../../dialects/dialect.ts'
import { isResting, type Considered } from '../../routing/candidates.ts'
import type { Route } from '../../routing/route.ts'
import type { GatewayAccount, GatewayDeps, GatewayKey } from '../deps.ts'
import type { ReadBody } from '../read.ts'
import type { Issuer, KeptAnswer } from './response-store.ts'

export interface Thread {
  readonly threads: Threads
  /** The client lets the answer be kept. */
  readonly mayKeep: boolean
  readonly from: From | undefined
  readonly find: FindItem
  /** What we keep is part of the request, so that no provider can read it as it stands. */
  readonly needsOurs: boolean
}

/** `kept`: here, with `items` up to the answer and the answer's own. `issued`: by a provider. */
export type From =
  | ({ readonly kind: 'kept'; readonly id: string; readonly items: readonly JsonObject[] } & Pick<
      KeptAnswer,
      'bytes' | 'tokens'
    >)
  | { readonly kind: 'issued'; readonly id: string; readonly issuer: Issuer }

type Target = Considered<GatewayAccount>

/** Failures: `malformed`; `unknown_route` for an id that is not, or no longer, known to this key. */
export function threadOf(
  deps: GatewayDeps,
  threads: Threads,
  key: GatewayKey,
  { scanned }: ReadBody,
): Result<Thread, Failure> {
  const id = threads.previousId(scanned)
  if (!id.ok) return id
  const from = id.value === undefined ? undefined : fromOf(deps, key, id.value)
  if (id.value !== undefined && from === undefined) return err(unknownAnswer(id.value, PARAM))
  const find: FindItem = (itemId) => keptItem(deps, key, itemId)
  const refers = threads.refersToItems(scanned) && threads.itemsOf(scanned, deps.random, find).some(isFound(find))
  return ok({ threads, mayKeep: threads.mayKeep(scanned), from, find, needsOurs: from?.kind === 'kept' || refers })
}

const PARAM = 'previous_response_id'

function keptItem({ memory, settings, clock }: GatewayDeps, key: GatewayKey, itemId: string): JsonObject | undefined {
  return settings().keepsResponses ? memory.responses.item(key.id, itemId, clock.monotonicMs()) : undefined
}

function isFound(find: FindItem): (item: JsonObject) => boolean {
  return ({ id }) => typeof id === 'string' && find(id) !== undefined
}

export function unknownAnswer(id: string, param?: string): Failure {
  const message = `No response with the id "${id}" is known to this gateway key.`
  return failure('unknown_route', message, param === undefined ? {} : { param })
}

/** An answer that we keep, for as long as the owner wants any to be kept. */
export function keptAnswer(
  { memory, settings, clock }: GatewayDeps,
  key: GatewayKey,
  id: string,
): KeptAnswer | undefined {
  return settings().keepsResponses ? memory.responses.get(key.id, id, clock.monotonicMs()) : undefined
}

function fromOf(deps: GatewayDeps, key: GatewayKey, id: string): From | undefined {
  const kept = keptAnswer(deps, key, id)
  if (kept !== undefined) {
    const { input, output, bytes, tokens } = kept
    return { kind: 'kept', id, items: [...input, ...output], bytes, tokens }
  }
  const issuer = deps.memory.issued.find(key.id, id, deps.clock.monotonicMs())
  return issuer && { kind: 'issued', id, issuer }
}

/** The request counted with the conversation that we keep of it; what a provider keeps of one, nobody here knows. */
export function withConversation(body: ReadBody, thread: Thread | undefined): ReadBody {
  if (thread?.from?.kind !== 'kept') return body
  const inputTokensEstimate = body.facts.inputTokensEstimate + thread.from.tokens
  return { ...body, facts: { ...body.facts, inputTokensEstimate } }
}

/**
 * Of the candidates, those that can go on. Failures: `unsupported` when another provider keeps the conversation, `unconnected`
 * when its account is gone or switched off.
 */
export function candidatesOn(
  thread: Thread | undefined,
  route: Route,
  candidates: Iterable<Target>,
): Result<Iterable<Target>, Failure> {
  const from = thread?.from
  if (from?.kind !== 'issued') return ok(candidates)
  const { providerId, accountId } = from.issuer
  const { providers, issuer } = searched(candidates, accountId)
  if (issuer === undefined && !providers.has(providerId)) return err(keptElsewhere(from, route))
  if (issuer === undefined) return err(withoutAccount(from, 'is no longer there'))
  if (issuer.skipped !== null && !isResting(issuer))
    return err(withoutAccount(from, `cannot be used (${issuer.skipped})`))
  return ok([issuer])
}

/** Where a provider keeps the conversation, only its account can go on. */
export function onlyKeeper(thread: Thread | undefined): { readonly onlyAccountId?: string } {
  const from = thread?.from
  return from?.kind === 'issued' ? { onlyAccountId: from.issuer.accountId } : {}
}

function searched(candidates: Iterable<Target>, accountId: string) {
  const providers = new Set<string>()
  for (const candidate of candidates) {
    if (candidate.provider !== null) providers.add(candidate.provider.id)
    if (candidate.account?.id === accountId) return { providers, issuer: candidate }
  }
  return { providers, issuer: undefined }
}

function keptElsewhere({ id, issuer }: Extract<From, { kind: 'issued' }>, route: Route): Failure {
  const asked = route.kind === 'model' ? `${route.step.provider.id}/${route.step.model}` : route.name
  const message = `The conversation of "${id}" is kept by ${issuer.providerId}, where ${asked} cannot go on. Send the whole conversation instead.`
  return failure('unsupported', message, { param: PARAM })
}

function withoutAccount({ id }: From, why: string): Failure {
  const message = `The account that keeps the conversation of "${id}" ${why}. Send the whole conversation instead.`
  return failure('unconnected', message, { param: PARAM })
}
