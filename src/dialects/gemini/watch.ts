/** Looks at a stream that passes through. Cheap: after the first content only chunks that say something else are parsed. */
import type { Failure } from '../../core/failure.ts'
import type { Frame } from '../../core/framing/frame.ts'
import { ARRAY_END } from '../../core/framing/json-array.ts'
import { asArray, asObject, asString, isObject, type JsonObject, parseJson } from '../../core/json.ts'
import type { Usage } from '../../core/usage.ts'
import { EMPTY, endedEarly } from '../answer/broken-answer.ts'
import type { StreamWatcher, WatchedFrame } from '../dialect.ts'
import { searchesIn } from './citations.ts'
import { isBroken } from './stop-reason.ts'
import { firstCandidate } from './stream-decode.ts'
import { readUsage } from './usage.ts'
import { failureInside, modelBroke } from './vendor-failure.ts'

const NOTHING: WatchedFrame = { content: false, ended: false, omit: false }
const CONTENT: WatchedFrame = { content: true, ended: false, omit: false }

/** A chunk that has one of these is more than a piece of the answer. */
const TELLING = /"(?:finishReason|error|blockReason|groundingMetadata)"/
const FIGURES = '"usageMetadata"'
const PARTS = '"parts"'

export class GeminiWatcher implements StreamWatcher {
  #sawContent = false
  #failed = false
  #searches = 0
  /** The last chunk that has figures, which are cumulative; parsed when somebody asks. */
  #counted = ''
  stopReason: string | undefined = undefined

  get usage(): Usage | undefined {
    return readUsage(asObject(parsed(this.#counted)?.['usageMetadata']), this.#searches)
  }

  push(frame: Frame): WatchedFrame {
    if (frame.event === ARRAY_END) return this.#arrayEnd()
    const { data } = frame
    if (data === '') return NOTHING
    if (data.includes(FIGURES)) this.#counted = data
    if (this.#sawContent && !TELLING.test(data)) return data.includes(PARTS) ? CONTENT : NOTHING
    return this.#look(parsed(data) ?? {})
  }

  /** Only the end of the bytes ends a stream. */
  finish(): Failure | undefined {
    if (this.#failed) return undefined
    if (this.stopReason === undefined) return endedEarly(this.#sawContent)
    if (this.#sawContent) return undefined
    if (isBroken(this.stopReason)) return modelBroke(this.stopReason)
    return this.stopReason === 'STOP' ? EMPTY : undefined
  }

  #arrayEnd(): WatchedFrame {
    const early = this.finish()
    return early === undefined ? { ...NOTHING, ended: true } : this.#fail(early)
  }

  #look(chunk: JsonObject): WatchedFrame {
    if ((chunk['error'] ?? null) !== null) return this.#fail(failureInside(chunk))
    const candidate = firstCandidate(chunk)
    const blocked = asString(asObject(chunk['promptFeedback'])?.['blockReason'])
    this.stopReason = asString(candidate?.['finishReason']) ?? blocked ?? this.stopReason
    this.#searches = Math.max(this.#searches, searchesIn(asObject(candidate?.['groundingMetadata'])))
    const parts = asArray(asObject(candidate?.['content'])?.['parts']) ?? []
    if (!parts.some((part) => isObject(part) && isFilled(part))) return NOTHING
    this.#sawContent = true
    return CONTENT
  }

  #fail(failed: Failure): WatchedFrame {
    this.#failed = true
    return { ...NOTHING, failure: failed }
  }
}

/** Words, calls and media; and thinking of which there is nothing but its state, as it is when the answer is translated. */
function isFilled(part: JsonObject): boolean {
  if (asString(part['thoughtSignature'])) return true
  return (
    asString(part['text']) !== '' && Object.keys(part).some((name) => name !== 'thoughtSignature' && name !== 'thought')
  )
}

function parsed(data: string): JsonObject | undefined {
  const value = parseJson(data)
  return isObject(value) ? value : asObject(asArray(value)?.[0])
}
