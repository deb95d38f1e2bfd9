/**
 * What of an answer has to be known when the conversation goes on: the answer itself, who keeps it, and the vendor state that its
 * client will not send back. All of it is noted once the answer is whole, and before the client has its last byte.
 */
import type { JsonObject } from '../../core/json.ts'
import type { ClientDialect, StreamEncoder, StreamWatcher } from '../../dialects/dialect.ts'
import { unfoldReply } from '../../dialects/answer/fold.ts'
import type { ChatReply, ChatRequest } from '../../dialects/neutral.ts'
import type { Candidate } from '../../routing/candidates.ts'
import { countItems } from '../count-tokens.ts'
import type { GatewayAccount, GatewayDeps, GatewayKey } from '../deps.ts'
import type { Exchange } from '../exchange.ts'
import { Thoughts, withThoughts } from './signature-memory.ts'

/** The encoder of a translated stream, whose answer is kept at its end. */
export function keeping(exchange: Exchange, encoder: StreamEncoder): StreamEncoder {
  const thoughts = new Thoughts()
  return {
    push(event) {
      thoughts.push(event)
      const text = encoder.push(event)
      if (event.type === 'end') keep(exchange, thoughts, encoder.answer)
      return text
    },
  }
}

/** The same for a plain reply. `answer`: as the client gets it. */
export function keepReply(exchange: Exchange, reply: ChatReply, answer: JsonObject): void {
  const thoughts = new Thoughts()
  for (const event of unfoldReply(reply)) thoughts.push(event)
  keep(exchange, thoughts, answer)
}

function keep(exchange: Exchange, thoughts: Thoughts, answer: JsonObject | undefined): void {
  const request = exchange.decoded()
  if (request.ok && !bringsState(exchange.endpoint.dialect, request.value)) keepThoughts(exchange, thoughts)
  if (answer !== undefined) keepAnswer(exchange, answer)
}

function keepThoughts({ deps, key }: Exchange, { byCall }: Thoughts): void {
  const nowMs = deps.clock.monotonicMs()
  for (const [callId, thought] of byCall) deps.memory.signatures.remember(key.id, callId, thought, nowMs)
}

/** Whether the client sends vendor state back: its format has a place for it, and it asked for the thinking that the state belongs to. */
function bringsState(dialect: ClientDialect, { reasoning }: ChatRequest): boolean {
  return dialect.carriesOpaque && reasoning?.summary !== undefined
}

/** The request with the vendor state that its client could not send back. */
export function withRemembered(
  deps: GatewayDeps,
  key: GatewayKey,
  dialect: ClientDialect,
  request: ChatRequest,
): ChatRequest {
  if (bringsState(dialect, request)) return request
  const nowMs = deps.clock.monotonicMs()
  return withThoughts(request, (callId) => deps.memory.signatures.recall(key.id, callId, nowMs))
}

/** Keeps a translated answer, when its client can ask for it later. */
function keepAnswer(exchange: Exchange, answer: JsonObject): void {
  const { thread, deps, key, body } = exchange
  const { id } = answer
  if (thread === undefined || typeof id !== 'string' || !keepsAnswer(exchange)) return
  const before = thread.from?.kind === 'kept' ? thread.from : { items: [], bytes: 0, tokens: 0 }
  const asked = thread.threads.itemsOf(body.scanned, deps.random, thread.find)
  const output = thread.threads.answerItems(answer)
  const bytes = before.bytes + body.scanned.bytes.length + JSON.stringify(answer).length
  const tokens = before.tokens + countItems([...asked, ...output])
  const kept = { answer, input: [...before.items, ...asked], output, bytes, tokens }
  deps.memory.responses.put(key.id, id, kept, deps.clock.monotonicMs())
}

/** Whether a translated answer can be asked for later. */
export function keepsAnswer({ thread, deps }: Exchange): boolean {
  return thread?.mayKeep === true && deps.settings().keepsResponses
}

/** The watcher of a passed-through stream; whoever issued its answer is noted as soon as that has an id. */
export function noting(exchange: Exchange, target: Candidate<GatewayAccount>, watcher: StreamWatcher): StreamWatcher {
  if (exchange.thread?.mayKeep !== true) return watcher
  let isNoted = false
  return {
    push(frame) {
      const watched = watcher.push(frame)
      if (!isNoted && watcher.answerId !== undefined) {
        isNoted = true
        noteIssuer(exchange, target, watcher.answerId)
      }
      return watched
    },
    finish: () => watcher.finish(),
    get usage() {
      return watcher.usage
    },
    get stopReason() {
      return watcher.stopReason
    },
    get answerId() {
      return watcher.answerId
    },
  }
}

/** Notes which account can go on from a passed-through answer. */
export function noteIssuer(exchange: Exchange, target: Candidate<GatewayAccount>, answerId: string | undefined): void {
  const { thread, deps, key } = exchange
  if (answerId === undefined || target.account === null || thread?.mayKeep !== true) return
  const issuer = { providerId: target.provider.id, accountId: target.account.id, model: target.model }
  deps.memory.issued.note(key.id, answerId, issuer, deps.clock.monotonicMs())
}
