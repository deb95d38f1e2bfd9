/**
 * What of an answer has to be known when the conversation goes on: the answer itself, who keeps it, and the vendor state that its
 * client will not send back. All of it is noted once the answer is whole, and before the client has its last byte.
 */
import type { JsonObject } from '../core/json.ts'
import type { StreamEncoder, StreamWatcher } from '../dialects/dialect.ts'
import type { Candidate } from '../routing/candidates.ts'
import type { GatewayAccount } from './deps.ts'
import type { Exchange } from './exchange.ts'

/** The encoder of a translated stream, whose answer is kept at its end. */
export function keeping(exchange: Exchange, encoder: StreamEncoder): StreamEncoder {
  return {
    push(event) {
      const text = encoder.push(event)
      if (event.type === 'end' && encoder.answer !== undefined) keepAnswer(exchange, encoder.answer)
      return text
    },
  }
}

/** Keeps a translated answer, when its client can ask for it later. */
export function keepAnswer(exchange: Exchange, answer: JsonObject): void {
  const { thread, deps, key, body } = exchange
  const { id } = answer
  if (thread === undefined || typeof id !== 'string' || !keepsAnswer(exchange)) return
  const before = thread.from?.kind === 'kept' ? thread.from : { items: [], bytes: 0 }
  const input = [...before.items, ...thread.threads.itemsOf(body.scanned, deps.random, thread.find)]
  const bytes = before.bytes + body.scanned.bytes.length + JSON.stringify(answer).length
  const kept = { answer, input, output: thread.threads.answerItems(answer), bytes }
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
