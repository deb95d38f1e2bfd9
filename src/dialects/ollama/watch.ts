import type { Failure } from '../../core/failure.ts'
import type { Frame } from '../../core/framing/frame.ts'
import { asObject, asString, type JsonObject, parseJson } from '../../core/json.ts'
import type { Usage } from '../../core/usage.ts'
import { endedEarly } from '../answer/broken-answer.ts'
import type { StreamWatcher, WatchedFrame } from '../dialect.ts'
import { failureInside } from './failure.ts'
import { notALine } from './stream-decode.ts'
import { readUsage } from './usage.ts'
import { messageOf } from './wire.ts'

const NOTHING: WatchedFrame = { content: false, ended: false, omit: false }
const CONTENT: WatchedFrame = { ...NOTHING, content: true }

/** A quote that is data is escaped, so these match keys alone. */
const SAYS_SOMETHING = /"(?:done"\s*:\s*true|error"\s*:)/

/** Looks into a line only until content has come, and afterwards when its text may hold the end or an error. */
export class OllamaStreamWatcher implements StreamWatcher {
  #usage: Usage | undefined
  #stopReason: string | undefined
  #content = false
  #settled = false

  get usage(): Usage | undefined {
    return this.#usage
  }

  get stopReason(): string | undefined {
    return this.#stopReason
  }

  push({ data }: Frame): WatchedFrame {
    if (data === '' || this.#settled) return NOTHING
    if (this.#content && !SAYS_SOMETHING.test(data)) return CONTENT
    const line = asObject(parseJson(data))
    const failed = line === undefined ? notALine() : failureInside(line)
    if (line === undefined || failed !== undefined) {
      this.#settled = true
      return failed === undefined ? NOTHING : { ...NOTHING, failure: failed }
    }
    return this.#look(line)
  }

  finish(): Failure | undefined {
    return this.#settled ? undefined : endedEarly(this.#content)
  }

  #look(line: JsonObject): WatchedFrame {
    const content = carriesContent(messageOf(line))
    const ended = line['done'] === true
    this.#content ||= content
    this.#settled = ended
    this.#usage = readUsage(line) ?? this.#usage
    if (ended) this.#stopReason = asString(line['done_reason']) ?? 'stop'
    return { content, ended, omit: false }
  }
}

function carriesContent(message: JsonObject): boolean {
  return ['content', 'thinking', 'tool_calls'].some((name) => {
    const value = message[name]
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== ''
  })
}
