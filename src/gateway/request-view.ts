/** The request as rules see it. Everything that costs more than a look is done when a rule asks for it, and once. */
import type { Failure } from '../core/failure.ts'
import { bufferOf, type ScannedObject } from '../core/json-scan.ts'
import { once } from '../core/once.ts'
import type { Result } from '../core/result.ts'
import type { ChatRequest, Part } from '../dialects/neutral.ts'
import type { AffinityFacts, Medium, RequestView } from '../routing/request-view.ts'
import { clientOf, sessionOf } from './client-facts.ts'
import { cacheKeyOf, userTagOf } from './client-names.ts'
import type { GatewayDeps, GatewayKey } from './deps.ts'
import type { ChatEndpoint } from './endpoint.ts'
import type { Call } from './exchange.ts'
import { promptPrefix } from './prompt-prefix.ts'
import type { ReadBody } from './read.ts'

/** What rules may know of a key. */
export type ViewedKey = Pick<GatewayKey, 'id' | 'tags' | 'planId' | 'priority'>

export function viewOf(
  endpoint: ChatEndpoint,
  call: Pick<Call, 'request' | 'atMs'>,
  key: ViewedKey,
  body: ReadBody,
  decoded: () => Result<ChatRequest, Failure>,
  budgetLeftPct: RequestView['budgetLeftPct'],
): RequestView {
  const { facts, stream } = body
  const { headers } = call.request
  return {
    atMs: call.atMs,
    inputTokens: facts.inputTokensEstimate,
    maxTokens: facts.maxTokens,
    tools: facts.tools,
    media: (kind) => mayHold(kind, body) && holds(kind, decoded()),
    thinking: facts.thinking,
    structuredOutput: facts.structuredOutput,
    stream,
    keyId: key.id,
    tags: key.tags,
    header: (name) => headers.get(name),
    dialect: endpoint.dialect.id,
    client: clientOf(headers.get('user-agent')),
    planId: key.planId,
    budgetLeftPct,
    priority: key.priority,
    affinity: affinityFacts(endpoint, headers, body.scanned),
  }
}

const ALL_LEFT_PCT = 100

/** Of the budgets that could refuse the key's requests; see `RequestView`. */
export function budgetLeftPct({ spending }: Pick<GatewayDeps, 'spending'>, key: ViewedKey): number {
  return spending.leftPct({ keyId: key.id, planId: key.planId, tags: key.tags }) ?? ALL_LEFT_PCT
}

/** A look at the bytes, which are not parsed as long as they hold no sign of it. */
function mayHold(kind: Medium, { facts, scanned }: ReadBody): boolean {
  if (kind === 'image') return facts.images > 0
  if (kind === 'document') return facts.documents > 0 || holdsText(scanned, 'application/pdf')
  return holdsText(scanned, '"input_audio"') || holdsText(scanned, 'audio/')
}

function holdsText({ bytes }: ScannedObject, text: string): boolean {
  return bufferOf(bytes).includes(text)
}

/** A body that cannot be read is refused where it is translated, not here. */
function holds(kind: Medium, request: Result<ChatRequest, Failure>): boolean {
  const isOne = (part: Part): boolean =>
    part.type === kind || (part.type === 'tool-result' && part.parts.some((inner) => isOne(inner)))
  return request.ok && request.value.messages.some(({ parts }) => parts.some((part) => isOne(part)))
}

function affinityFacts({ fields }: ChatEndpoint, headers: Headers, scanned: ScannedObject): AffinityFacts {
  return {
    get cacheKey() {
      return cacheKeyOf(scanned)
    },
    get sessionId() {
      return sessionOf(headers)
    },
    get user() {
      return userTagOf(scanned)
    },
    prefix: once(() => promptPrefix(scanned, fields.conversation)),
  }
}
