/** Plain replies, both ways. A reply is read as the one chunk of a stream, so that both follow one set of rules. */
import type { Failure } from '../../core/failure.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { memberOf, elementsOf, scanObjectAt, valueOf, type ScannedObject } from '../../core/json-scan.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { brokenAnswer, emptyAnswer } from '../answer/broken-answer.ts'
import type { ClientContext, InspectedReply, ReplyContext } from '../dialect.ts'
import { foldEvents, unfoldReply } from '../answer/fold.ts'
import type { ChatReply } from '../neutral.ts'
import { AnswerParts } from './answer-parts.ts'
import { responseOf } from './answer.ts'
import { searchesIn } from './citations.ts'
import { encodeFinish, isBroken } from './stop-reason.ts'
import { GeminiDecoder } from './stream-decode.ts'
import { encodeUsage, readUsage } from './usage.ts'
import { failureInside, modelBroke } from './vendor-failure.ts'
import type { WirePart } from './wire.ts'

/** Failure: what the body says went wrong, or `server` when it is no answer of this format. */
export function decodeReply(body: JsonObject, context: ReplyContext): Result<ChatReply, Failure> {
  if (!isAnswer(body) && (body['error'] ?? null) === null) return err(brokenAnswer('has no candidates'))
  const decoder = new GeminiDecoder(context)
  return foldEvents([...decoder.handle(body), ...decoder.finish()])
}

function isAnswer(body: JsonObject): boolean {
  return Array.isArray(body['candidates']) || isObject(body['promptFeedback'])
}

/** Looks into a reply that passes through, without reading more of it than usage and reason. Failures: as `decodeReply`. */
export function inspectReply(body: ScannedObject): Result<InspectedReply, Failure> {
  const error = valueOf(body, 'error')
  if (error !== undefined && error !== null) return err(failureInside({ error: error as Json }))
  const candidate = candidateOf(body)
  const blocked = valueOf(body, 'promptFeedback')
  if (candidate === undefined && !isObject(blocked)) return err(brokenAnswer('has no candidates'))
  const reason = candidate && valueOf(candidate, 'finishReason')
  const said = valueOf(body, 'usageMetadata')
  const grounding = candidate && valueOf(candidate, 'groundingMetadata')
  const usage = readUsage(isObject(said) ? said : undefined, searchesIn(isObject(grounding) ? grounding : undefined))
  if (candidate !== undefined && !holdsParts(candidate)) {
    if (reason === 'STOP') return err(emptyAnswer(usage))
    if (typeof reason === 'string' && isBroken(reason)) return err(modelBroke(reason))
  }
  const stopReason = reason ?? (isObject(blocked) ? blocked['blockReason'] : undefined)
  return ok({ usage, stopReason: typeof stopReason === 'string' ? stopReason : undefined })
}

function candidateOf(body: ScannedObject): ScannedObject | undefined {
  const [first] = elementsOf(body, 'candidates')
  const scanned = first && scanObjectAt(body.bytes, first.start)
  return scanned?.ok === true ? scanned.value : undefined
}

function holdsParts(candidate: ScannedObject): boolean {
  const content = memberOf(candidate, 'content')
  const scanned = content && scanObjectAt(candidate.bytes, content.valueStart)
  return scanned?.ok === true && (memberOf(scanned.value, 'parts')?.items ?? 0) > 0
}

export function encodeReply(reply: ChatReply, context: ClientContext): JsonObject {
  const parts = new AnswerParts(context.request)
  const wire: readonly WirePart[] = unfoldReply(reply).flatMap((event) => [...parts.push(event)])
  const grounding = parts.grounding()
  const candidate = {
    finishReason: encodeFinish(reply.finish),
    ...(grounding === undefined ? {} : { groundingMetadata: grounding }),
  }
  return responseOf(context, reply.id ?? context.requestId, wire, candidate, {
    usageMetadata: encodeUsage(reply.usage),
  })
}
