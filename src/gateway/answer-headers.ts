/** What the headers of an answer tell its client: who answered, after what, and what budgets warn of. */
import type { Warning } from '../ledger/spending/spending.ts'
import type { Call, Exchange } from './exchange.ts'
import { isRated } from './limits/key-limits.ts'
import { retirementHeaders } from './retirement.ts'
import type { Answer } from './send.ts'

/** Headers of the provider's reply that mean something to the client; all others describe our side of the connection. */
const KEPT_HEADERS = /^(?:openai-(?:processing-ms|version|model)|anthropic-organization-id|retry-after(?:-ms)?)$/
/** Its own limits, which are none of the caller's whose key has limits here: see `limit-headers.ts`. */
const LIMIT_HEADERS = /^(?:x-ratelimit-|anthropic-ratelimit-)/

export function answerHeaders(exchange: Exchange, answer: Answer): Record<string, string> {
  const { reply, upstreamRequestId, call, target } = answer.opened
  const headers: Record<string, string> = {
    ...requestIds(exchange.call),
    'x-gateway-provider': target.provider.id,
    'x-gateway-model': headerToken(`${target.provider.id}/${target.model}`),
    ...routeHeaders(exchange),
    ...retirementHeaders(exchange.route, exchange.call.atMs),
  }
  if (upstreamRequestId !== null) headers['x-gateway-upstream-request-id'] = upstreamRequestId
  const budgets = exchange.meter.warnings
  if (budgets.length > 0) headers['x-gateway-budget'] = budgets.map(budgetToken).join(',')
  if (call.dropped.length > 0) headers['x-gateway-dropped'] = call.dropped.map(headerToken).join(',')
  // Rate limits describe our account: they go on only when no other account could have answered.
  if (call.passThrough === undefined || hasAlternatives(exchange)) return headers
  const tellsLimits = !isRated(exchange.key.limits)
  for (const [name, value] of reply.headerPairs())
    if (KEPT_HEADERS.test(name) || (tellsLimits && LIMIT_HEADERS.test(name))) headers[name] = value
  return headers
}

function hasAlternatives({ route, deps }: Exchange): boolean {
  return route.kind === 'rule' || deps.accounts.of(route.step.provider.id).length > 1
}

/** Ours under both names, whichever the client's library reads: OpenAI's the first, Anthropic's the second. */
export function requestIds({ id }: Call): Record<string, string> {
  return { 'x-request-id': id, 'request-id': id }
}

export function routeHeaders(exchange: Exchange): Record<string, string> {
  const attempts = { 'x-gateway-attempts': String(exchange.meter.attempts) }
  if (exchange.call.request.headers.get('x-gateway-explain') !== '1') return attempts
  const steps = exchange.meter.route.map(
    ({ provider, model, accountId, outcome, reason }) =>
      `${headerToken(provider === '' ? model : `${provider}/${model}`)}@${accountId ?? '-'}=${outcome === 'ok' ? 'ok' : (reason ?? outcome)}`,
  )
  return { ...attempts, 'x-gateway-route': steps.join(',') }
}

/** `Team=83%`: of which budget how much is spent. */
function budgetToken({ name, share }: Warning): string {
  return `${headerToken(name)}=${Math.floor(100 * share)}%`
}

const NOT_A_TOKEN = /[^\x21-\x2b\x2d-\x7e]/

/** Visible ASCII without separators: what comes from a client or a provider cannot break a header. */
function headerToken(text: string): string {
  const token = NOT_A_TOKEN.test(text) ? text.replaceAll(new RegExp(NOT_A_TOKEN, 'g'), '_') : text
  return token.slice(0, 200)
}
