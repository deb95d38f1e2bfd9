import { failure, type Failure } from '../../core/failure.ts'
import { asArray, asString, isObject, type JsonObject } from '../../core/json.ts'
import type { Frame } from '../../core/framing/frame.ts'
import type { Usage } from '../../core/usage.ts'
import { CUT, EMPTY } from '../answer/broken-answer.ts'
import type { ReplyContext, StreamWatcher, WatchedFrame } from '../dialect.ts'
import { choicesOf, reasoningText, toolFragments, usageOf } from './chunk.ts'
import { failureInside, failureOfEvent } from './failure.ts'
import { stopReasonOf } from './reply.ts'
import { chunkOf, isWholeFrame } from './stream-decode.ts'
import { saysBroken, STREAM_END } from './wire.ts'

const NOTHING: WatchedFrame = { content: false, ended: false, omit: false }
const CONTENT: WatchedFrame = { content: true, ended: false, omit: false }
const ENDED: WatchedFrame = { content: false, ended: true, omit: false }

/** A quote that is data is escaped, so these match keys alone. The value must begin like one that says something. */
const SAYS_SOMETHING = /"(?:usage"\s*:\s*\{|error"\s*:\s*[^\sn]|object"\s*:\s*"error"|finish_reason"\s*:\s*")/

/** Looks into a chunk only until content has come, and afterwards when its text may hold usage, an error or the end. */
export class ChatStreamWatcher implements StreamWatcher {
  readonly #context: ReplyContext
  readonly #omitUsage: boolean
  #usage: Usage | undefined
  #word: string | undefined
  #content = false
  #calls = false
  #settled = false

  constructor(context: ReplyContext, omitUsage: boolean) {
    this.#context = context
    this.#omitUsage = omitUsage
  }

  get usage(): Usage | undefined {
    return this.#usage
  }

  get stopReason(): string | undefined {
    return stopReasonOf(this.#word)
  }

  push(frame: Frame): WatchedFrame {
    const { data } = frame
    if (data === '' || this.#settled) return NOTHING
    if (data.charCodeAt(0) !== OPEN_BRACE) return this.#other(frame)
    const isError = frame.event === 'error'
    if (this.#content && !isError && !SAYS_SOMETHING.test(data)) {
      this.#noteCalls(data)
      return CONTENT
    }
    const chunk = chunkOf(data)
    if (chunk === undefined) return this.#broken(frame)
    if (isError) return this.#fail(failureOfEvent(chunk))
    return this.#look(chunk)
  }

  finish(): Failure | undefined {
    if (this.#settled || this.#word !== undefined) return undefined
    if (!this.#content) return EMPTY
    if (this.#context.quirks.endsWithoutFinish === true && !this.#calls) return undefined
    return CUT
  }

  /** Not an object at its first character: the end, blank space, an array around an error, or broken. */
  #other(frame: Frame): WatchedFrame {
    const data = frame.data.trim()
    if (data === '') return NOTHING
    if (data === STREAM_END) return this.#end()
    const chunk = chunkOf(data)
    return chunk === undefined ? this.#broken(frame) : this.#look(chunk)
  }

  #look(chunk: JsonObject): WatchedFrame {
    const choices = choicesOf(chunk, this.#context)
    const failed = failureInside(chunk) ?? firstFailure(choices)
    if (failed !== undefined) return this.#fail(failed)
    this.#usage = usageOf(chunk, choices, this.#context) ?? this.#usage
    let content = false
    for (const choice of choices) content = this.#lookInside(choice) || content
    this.#content ||= content
    return { content, ended: false, omit: this.#omitUsage && isUsageAlone(chunk) }
  }

  #lookInside(choice: JsonObject): boolean {
    const word = asString(choice['finish_reason'])
    if (word !== undefined && word !== '') this.#word = word
    const delta = choice['delta'] ?? choice['message']
    if (!isObject(delta)) return false
    const calls = toolFragments(delta, 'delta').length > 0
    this.#calls ||= calls
    return calls || carriesContent(delta)
  }

  /** Whether there were calls matters only on hosts that never say how they stopped. */
  #noteCalls(data: string): void {
    if (this.#context.quirks.endsWithoutFinish === true) this.#calls ||= data.includes('"tool_calls"')
  }

  #end(): WatchedFrame {
    if (this.#word === undefined && !this.#content) {
      return this.#fail(EMPTY)
    }
    this.#settled = true
    return ENDED
  }

  #broken(frame: Frame): WatchedFrame {
    if (!isWholeFrame(frame)) return NOTHING
    return this.#fail(failure('server', 'The provider sent an event that is not a chunk of an answer.'))
  }

  #fail(failed: Failure): WatchedFrame {
    this.#settled = true
    return { ...NOTHING, failure: failed }
  }
}

const OPEN_BRACE = 0x7b

function firstFailure(choices: readonly JsonObject[]): Failure | undefined {
  for (const choice of choices) {
    const word = asString(choice['finish_reason'])
    const failed =
      failureInside(choice) ??
      (word !== undefined && saysBroken(word)
        ? failure('server', 'The provider broke off its answer.', { detail: word })
        : undefined)
    if (failed !== undefined) return failed
  }
  return undefined
}

/** The chunk that `include_usage` adds. An empty list of choices alone does not make it one: Azure begins with such a chunk. */
function isUsageAlone(chunk: JsonObject): boolean {
  return isObject(chunk['usage']) && asArray(chunk['choices'])?.length === 0
}

/** Thinking, audio and images count too; an empty text does not. */
function carriesContent(delta: JsonObject): boolean {
  if (reasoningText(delta) !== undefined) return true
  return ['content', 'refusal', 'reasoning_details', 'audio', 'images'].some((name) => {
    const value = delta[name]
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== ''
  })
}
