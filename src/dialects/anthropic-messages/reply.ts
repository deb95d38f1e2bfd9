/** Plain replies, both ways. A reply is read as the stream that would have told it, so that both follow one set of rules. */
import type { Failure } from '../../core/failure.ts'
import { asArray, asObject, isObject, type JsonObject, parseJson } from '../../core/json.ts'
import { parseRange, memberOf, valueOf, type ScannedObject } from '../../core/json-scan.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { brokenAnswer, emptyAnswer } from '../answer/broken-answer.ts'
import { argumentsObject } from '../tools/call-arguments.ts'
import type { ClientContext, InspectedReply, ReplyContext } from '../dialect.ts'
import { foldEvents } from '../answer/fold.ts'
import type { ChatEvent, ChatReply, Citation } from '../neutral.ts'
import { messageId, messageSkeleton, sealedThinking, showsThinking } from './answer.ts'
import { writeCitations } from './citations.ts'
import { failureInside } from './failure.ts'
import { encodeStop } from './stop-reason.ts'
import { MessagesDecoder } from './stream-decode.ts'
import { encodeUsage, readUsage } from './usage.ts'
import { ID, type WireBlock } from './wire.ts'

/** Failure: what the body says went wrong, or `server` when it is no answer of this format. */
export function decodeReply(body: JsonObject, context: ReplyContext): Result<ChatReply, Failure> {
  if (isError(body['type'], body['error'])) return err(failureInside(body))
  const content = asArray(body['content'])
  if (content === undefined) return err(brokenAnswer('has no content'))
  const decoder = new MessagesDecoder(context)
  const events: ChatEvent[] = [...decoder.handle({ type: 'message_start', message: body })]
  for (const [index, block] of content.entries()) {
    events.push(...decoder.handle({ type: 'content_block_start', index, content_block: block }))
    events.push(...decoder.handle({ type: 'content_block_stop', index }))
  }
  events.push(...decoder.handle({ type: 'message_delta', delta: body }), ...decoder.handle({ type: 'message_stop' }))
  return foldEvents(events)
}

/** Looks into a reply that passes through, without reading more of it than usage and reason. Failures: as `decodeReply`. */
export function inspectReply(body: ScannedObject): Result<InspectedReply, Failure> {
  if (isError(valueOf(body, 'type'), valueOf(body, 'error'))) {
    const whole = parseRange(body.bytes, { start: body.open, end: body.close + 1 })
    return err(isObject(whole) ? failureInside(whole) : brokenAnswer('is not JSON'))
  }
  const content = memberOf(body, 'content')
  if (content === undefined) return err(brokenAnswer('has no content'))
  const said = valueOf(body, 'usage')
  const usage = readUsage(isObject(said) ? said : undefined)
  const reason = valueOf(body, 'stop_reason')
  if (content.items === 0 && reason === 'end_turn') return err(emptyAnswer(usage))
  return ok({ usage, stopReason: typeof reason === 'string' ? reason : undefined })
}

function isError(type: unknown, error: unknown): boolean {
  return type === 'error' || (error !== undefined && error !== null)
}

export function encodeReply(reply: ChatReply, context: ClientContext): JsonObject {
  const content = reply.parts.flatMap((part) => encodePart(part, reply, context))
  const seen = {
    calls: content.some(({ type }) => type === 'tool_use'),
    refusal: reply.parts.some(({ type }) => type === 'refusal'),
  }
  return {
    ...messageSkeleton(messageId(reply.id, context.random), context.model),
    content,
    ...encodeStop(reply.finish, seen),
    usage: encodeUsage(reply.usage),
  }
}

function encodePart(part: ChatReply['parts'][number], reply: ChatReply, context: ClientContext): readonly WireBlock[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: part.text, citations: citationsOf(part.citations) }]
    case 'refusal':
      return part.text === '' ? [] : [{ type: 'text', text: part.text, citations: null }]
    case 'reasoning':
      return showsThinking(part, context.request) ? [sealedThinking(part, context.request)] : []
    case 'tool-call':
      // Arguments that a limit cut off cannot be an object; a half call is worse than none.
      if (reply.finish.reason === 'length' && isBroken(part.argumentsText)) return []
      return [{ type: 'tool_use', id: part.id, name: part.name, input: argumentsObject(part) }]
    case 'foreign':
      return part.origin === ID ? [{ ...part.raw, type: part.kind }] : []
  }
}

function citationsOf(citations: readonly Citation[] | undefined): readonly JsonObject[] | null {
  const written = writeCitations(citations)
  return written.length === 0 ? null : written
}

function isBroken(argumentsText: string): boolean {
  return argumentsText.trim() !== '' && asObject(parseJson(argumentsText)) === undefined
}
