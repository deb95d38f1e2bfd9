/** Streamed or plain, a reply is the same thing: `foldEvents` and `unfoldReply` are each other's inverse. */
import { failure, type Failure } from '../../core/failure.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { NO_USAGE, type Usage } from '../../core/usage.ts'
import { emptyAnswer } from './broken-answer.ts'
import type { ChatEvent, ChatReply, Finish, ReasoningPart, TextPart } from '../neutral.ts'

type ReplyPart = ChatReply['parts'][number]

/** The reply that a whole stream amounts to, or the failure that it ended with. */
export function foldEvents(events: readonly ChatEvent[]): Result<ChatReply, Failure> {
  const parts: ReplyPart[] = []
  let names: { readonly id?: string; readonly model?: string } = {}
  let text: string[] = []
  let call: Extract<ChatEvent, { type: 'tool-call-start' }> | undefined
  let usage: Usage = NO_USAGE
  let finish: Finish | undefined
  for (const event of events) {
    if (event.type === 'failure') return err(event.failure.kind === 'empty' ? emptyAnswer(usage) : event.failure)
    if (event.type === 'start') names = { ...pick('id', event.id), ...pick('model', event.model) }
    else if (event.type === 'usage') usage = event.usage
    else if (event.type === 'finish') finish = event.finish
    else if (event.type === 'foreign') parts.push(event.part)
    else if (event.type.endsWith('-start')) {
      text = []
      call = event.type === 'tool-call-start' ? event : undefined
    } else if ('text' in event) text.push(event.text)
    else {
      const part = closedPart(event, text.join(''), call)
      if (part !== undefined) parts.push(part)
    }
  }
  if (finish === undefined) return err(failure('cut', 'The answer stopped before its end.'))
  return ok({ ...names, parts, finish, usage })
}

function closedPart(
  event: ChatEvent,
  text: string,
  call: Extract<ChatEvent, { type: 'tool-call-start' }> | undefined,
): ReplyPart | undefined {
  switch (event.type) {
    case 'text-end':
      return {
        type: 'text',
        text,
        ...pick('citations', event.citations),
        ...pick('odds', event.odds),
      } satisfies TextPart
    case 'reasoning-end':
      return {
        type: 'reasoning',
        text,
        redacted: event.redacted,
        ...pick('opaque', event.opaque),
      } satisfies ReasoningPart
    case 'refusal-end':
      return { type: 'refusal', text }
    case 'tool-call-end':
      return call && { type: 'tool-call', id: call.id, name: call.name, kind: call.kind, argumentsText: text }
    default:
      return undefined
  }
}

/** A plain reply as the stream that would fold to it. */
export function unfoldReply(reply: ChatReply): readonly ChatEvent[] {
  const events: ChatEvent[] = [{ type: 'start', ...pick('id', reply.id), ...pick('model', reply.model) }]
  for (const part of reply.parts) events.push(...unfoldPart(part, reply.finish))
  events.push({ type: 'usage', usage: reply.usage }, { type: 'finish', finish: reply.finish }, { type: 'end' })
  return events
}

function unfoldPart(part: ReplyPart, finish: Finish): readonly ChatEvent[] {
  switch (part.type) {
    case 'text':
      return [
        { type: 'text-start' },
        ...delta('text-delta', part.text),
        { type: 'text-end', ...pick('citations', part.citations), ...pick('odds', part.odds) },
      ]
    case 'reasoning':
      return [
        { type: 'reasoning-start' },
        ...delta('reasoning-delta', part.text),
        { type: 'reasoning-end', redacted: part.redacted, ...pick('opaque', part.opaque) },
      ]
    case 'refusal':
      return [{ type: 'refusal-start' }, ...delta('refusal-delta', part.text), { type: 'refusal-end' }]
    case 'tool-call':
      return [
        { type: 'tool-call-start', id: part.id, name: part.name, kind: part.kind },
        ...delta('tool-call-delta', part.argumentsText),
        { type: 'tool-call-end', complete: finish.reason !== 'length' },
      ]
    case 'foreign':
      return [{ type: 'foreign', part }]
  }
}

function delta(
  type: 'text-delta' | 'reasoning-delta' | 'refusal-delta' | 'tool-call-delta',
  text: string,
): readonly ChatEvent[] {
  return text === '' ? [] : [{ type, text }]
}

/** `{ [name]: value }`, or nothing when there is no value: keeps absent members absent. */
function pick<K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [P in K]?: V })
}
