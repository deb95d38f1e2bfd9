/**
 * Unwraps answers that were given as the call of a tool of ours: its arguments are the text, and a model that "called a tool"
 * has simply stopped. What the model says beside a call is no part of the answer, and clients that expect JSON stumble over it.
 */
import { ok } from '../../core/result.ts'
import type { StreamDecoder, UpstreamDialect } from '../dialect.ts'
import type { ChatEvent, ChatReply, Finish } from '../neutral.ts'

type ReplyPart = ChatReply['parts'][number]

/** `dialect`, whose answers come as calls of the tool `name`. */
export function answeringByTool(dialect: UpstreamDialect, name: string): UpstreamDialect {
  return {
    ...dialect,
    decodeReply: (body, context) => {
      const reply = dialect.decodeReply(body, context)
      return reply.ok ? ok(unwrapReply(reply.value, name)) : reply
    },
    streamDecoder: (context) => new AnswerToolDecoder(dialect.streamDecoder(context), name),
  }
}

function unwrapReply(reply: ChatReply, name: string): ChatReply {
  const calls = reply.parts.filter((part) => part.type === 'tool-call')
  if (calls.length === 0) return reply
  const answer = calls.find((call) => call.name === name)
  const parts = reply.parts.flatMap((part): readonly ReplyPart[] => {
    if (part === answer) return [{ type: 'text', text: answer.argumentsText }]
    return part.type === 'text' || (part.type === 'tool-call' && part.name === name) ? [] : [part]
  })
  const callsOthers = calls.some((call) => call.name !== name)
  return { ...reply, parts, finish: finishOf(reply.finish, callsOthers) }
}

function finishOf(finish: Finish, callsOthers: boolean): Finish {
  return finish.reason === 'tool-calls' && !callsOthers ? { ...finish, reason: 'stop' } : finish
}

/** Text is held back until it is clear that it is the answer; an answer is never longer than what a provider gives at once. */
class AnswerToolDecoder implements StreamDecoder {
  readonly #inner: StreamDecoder
  readonly #name: string
  #held: ChatEvent[] = []
  /** Which kind of call is open. */
  #open: 'answer' | 'again' | undefined
  #answered = false
  #callsOthers = false

  constructor(inner: StreamDecoder, name: string) {
    this.#inner = inner
    this.#name = name
  }

  push(frame: Parameters<StreamDecoder['push']>[0]): readonly ChatEvent[] {
    return this.#inner.push(frame).flatMap((event) => this.#unwrap(event))
  }

  finish(): readonly ChatEvent[] {
    return this.#inner.finish().flatMap((event) => this.#unwrap(event))
  }

  #unwrap(event: ChatEvent): readonly ChatEvent[] {
    switch (event.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        this.#held.push(event)
        return []
      case 'start':
      case 'ping':
      case 'usage':
        return [event]
      case 'tool-call-start':
        return event.name === this.#name ? this.#openAnswer() : this.#openOther(event)
      case 'tool-call-delta':
        if (this.#open === undefined) return [event]
        return this.#open === 'answer' ? [{ type: 'text-delta', text: event.text }] : []
      case 'tool-call-end':
        return this.#closeCall(event)
      case 'finish':
        return [...this.#release(), { ...event, finish: finishOf(event.finish, this.#callsOthers || !this.#answered) }]
      default:
        return [...this.#release(), event]
    }
  }

  #openAnswer(): readonly ChatEvent[] {
    this.#held = []
    this.#open = this.#answered ? 'again' : 'answer'
    this.#answered = true
    return this.#open === 'answer' ? [{ type: 'text-start' }] : []
  }

  #openOther(event: ChatEvent): readonly ChatEvent[] {
    this.#held = []
    this.#callsOthers = true
    return [event]
  }

  #closeCall(event: ChatEvent): readonly ChatEvent[] {
    const open = this.#open
    this.#open = undefined
    if (open === undefined) return [event]
    return open === 'answer' ? [{ type: 'text-end' }] : []
  }

  /** What was said instead of the answer, when none has come. */
  #release(): readonly ChatEvent[] {
    const held = this.#answered || this.#callsOthers ? [] : this.#held
    this.#held = []
    return held
  }
}
