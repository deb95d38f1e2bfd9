/** Looks at a stream that passes through. Cheap: most frames are known by their name, and only few are parsed. */
import type { Failure } from '../../core/failure.ts'
import { asObject, asString, isObject, type JsonObject, parseJson } from '../../core/json.ts'
import type { Frame } from '../../core/framing/frame.ts'
import type { Usage } from '../../core/usage.ts'
import { endedEarly } from '../answer/broken-answer.ts'
import type { StreamWatcher, WatchedFrame } from '../dialect.ts'
import { failureInside } from './failure.ts'
import { readStop } from './stop-reason.ts'
import { mergeFigures, usageOf, type Figures } from './usage.ts'

const NOTHING: WatchedFrame = { content: false, ended: false, omit: false }
const CONTENT: WatchedFrame = { content: true, ended: false, omit: false }
const ENDED: WatchedFrame = { content: false, ended: true, omit: false }

export class MessagesWatcher implements StreamWatcher {
  #figures: Figures | undefined
  #stopReason: string | undefined
  #sawContent = false
  #isDone = false

  get usage(): Usage | undefined {
    return this.#figures && usageOf(this.#figures)
  }

  get stopReason(): string | undefined {
    return this.#stopReason
  }

  push(frame: Frame): WatchedFrame {
    if (frame.data === '') return NOTHING
    const event = frame.event === '' ? parsed(frame) : undefined
    const watched = this.#watch(frame, frame.event === '' ? (asString(event?.['type']) ?? '') : frame.event, event)
    this.#sawContent ||= watched.content
    this.#isDone ||= watched.ended || watched.failure !== undefined
    return watched
  }

  finish(): Failure | undefined {
    return this.#isDone || this.#stopReason !== undefined ? undefined : endedEarly(this.#sawContent)
  }

  #watch(frame: Frame, type: string, event: JsonObject | undefined): WatchedFrame {
    switch (type) {
      case 'content_block_delta':
        return CONTENT
      case 'content_block_start':
        return isFilled(event ?? parsed(frame)) ? CONTENT : NOTHING
      case 'message_start':
        this.#usage(asObject((event ?? parsed(frame))?.['message']))
        return NOTHING
      case 'message_delta':
        this.#messageDelta(event ?? parsed(frame) ?? {})
        return NOTHING
      case 'message_stop':
        return ENDED
      case 'error':
        return { ...NOTHING, failure: failureInside(event ?? parsed(frame) ?? {}) }
      default:
        return NOTHING
    }
  }

  #messageDelta(event: JsonObject): void {
    this.#usage(event)
    this.#stopReason = readStop(asObject(event['delta']) ?? {})?.reason ?? this.#stopReason
  }

  #usage(holder: JsonObject | undefined): void {
    const usage = asObject(holder?.['usage'])
    if (usage !== undefined) this.#figures = mergeFigures(this.#figures, usage)
  }
}

/** Text and thinking begin empty; every other block says something by its start alone. */
function isFilled(event: JsonObject | undefined): boolean {
  const block = asObject(event?.['content_block']) ?? {}
  if (block['type'] === 'text') return block['text'] !== ''
  if (block['type'] === 'thinking') return Boolean(block['thinking']) || Boolean(block['signature'])
  return true
}

function parsed(frame: Frame): JsonObject | undefined {
  const event = parseJson(frame.data)
  return isObject(event) ? event : undefined
}
