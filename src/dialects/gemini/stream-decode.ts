/**
 * Chunks of a provider → ChatEvents. Each chunk is a piece of the whole answer, and nothing but the end of the bytes says that no
 * more will come. Total: whatever comes in, what goes out is in the legal order and ends.
 */
import type { Failure } from '../../core/failure.ts'
import type { Frame } from '../../core/framing/frame.ts'
import { ARRAY_END } from '../../core/framing/json-array.ts'
import { asArray, asObject, asString, isObject, type Json, type JsonObject, parseJson } from '../../core/json.ts'
import { NO_USAGE } from '../../core/usage.ts'
import { brokenAnswer, endedEarly } from '../answer/broken-answer.ts'
import type { ReplyContext, StreamDecoder } from '../dialect.ts'
import { NAMELESS_CALL } from '../tools/nameless-call.ts'
import type { ChatEvent } from '../neutral.ts'
import { searchesIn } from './citations.ts'
import { PartReader } from './part-reader.ts'
import { decodeFinish, isBroken } from './stop-reason.ts'
import { readUsage } from './usage.ts'
import { failureInside, modelBroke } from './vendor-failure.ts'

export class GeminiDecoder implements StreamDecoder {
  readonly #parts: PartReader
  #started = false
  #ended = false
  #figures: JsonObject | undefined
  #grounding: JsonObject | undefined
  #finishReason: string | undefined
  #blockReason: string | undefined

  constructor(context: ReplyContext) {
    this.#parts = new PartReader(context)
  }

  push(frame: Frame): readonly ChatEvent[] {
    if (this.#ended || frame.event === ARRAY_END || frame.data === '[DONE]') return []
    const data = frame.data === '' ? bareError(frame.bytes) : frame.data
    if (data === '') return [{ type: 'ping' }]
    const chunk = parseJson(data)
    if (isObject(chunk)) return this.handle(chunk)
    const chunks = (asArray(chunk) ?? []).filter(isObject)
    return chunks.length === 0
      ? this.#fail(brokenAnswer('holds a chunk that is no object'))
      : chunks.flatMap((one) => this.handle(one))
  }

  /** One chunk, which a plain reply is, too. */
  handle(chunk: JsonObject): readonly ChatEvent[] {
    if (this.#ended) return []
    if ((chunk['error'] ?? null) !== null) return this.#fail(failureInside(chunk))
    const events = [...this.#start(chunk)]
    const candidate = firstCandidate(chunk)
    this.#blockReason ??= asString(asObject(chunk['promptFeedback'])?.['blockReason'])
    this.#finishReason = asString(candidate?.['finishReason']) ?? this.#finishReason
    this.#ground(asObject(candidate?.['groundingMetadata']))
    const parts = asArray(asObject(candidate?.['content'])?.['parts']) ?? []
    for (const part of parts) if (isObject(part)) events.push(...this.#parts.read(part))
    if (this.#parts.lostCall) return [...events, ...this.#fail(NAMELESS_CALL)]
    return [...events, ...this.#usage(asObject(chunk['usageMetadata']))]
  }

  finish(): readonly ChatEvent[] {
    if (this.#ended) return []
    const reason = this.#finishReason
    if (reason === undefined && this.#blockReason === undefined) return this.#fail(endedEarly(this.#parts.any))
    if (reason !== undefined && isBroken(reason)) return this.#fail(modelBroke(reason))
    const told = this.#parts.close()
    if (this.#parts.lostCall) return [...told, ...this.#fail(NAMELESS_CALL)]
    const usage: ChatEvent[] =
      this.#figures === undefined ? [{ type: 'usage', usage: { ...NO_USAGE, estimated: true } }] : []
    this.#ended = true
    const finish =
      reason === undefined
        ? ({ reason: 'refusal', raw: this.#blockReason ?? 'OTHER' } as const)
        : decodeFinish(reason, this.#parts.hasCalls)
    return [...told, ...usage, { type: 'finish', finish }, { type: 'end' }]
  }

  #start(chunk: JsonObject): readonly ChatEvent[] {
    if (this.#started) return []
    this.#started = true
    const id = asString(chunk['responseId'])
    const model = asString(chunk['modelVersion'])
    return [{ type: 'start', ...(id ? { id } : {}), ...(model ? { model } : {}) }]
  }

  #ground(grounding: JsonObject | undefined): void {
    if (grounding === undefined) return
    this.#grounding = grounding
    this.#parts.ground(grounding)
  }

  /** Figures are cumulative; one that a chunk leaves out keeps its value. */
  #usage(figures: JsonObject | undefined): readonly ChatEvent[] {
    if (figures === undefined) return []
    this.#figures = { ...this.#figures, ...figures }
    const usage = readUsage(this.#figures, searchesIn(this.#grounding))
    return usage === undefined ? [] : [{ type: 'usage', usage }]
  }

  #fail(failed: Failure): readonly ChatEvent[] {
    this.#ended = true
    return [{ type: 'failure', failure: failed }, { type: 'end' }]
  }
}

/** Others than the first are for clients that asked for several answers, and those are not translated. */
export function firstCandidate(chunk: JsonObject): JsonObject | undefined {
  const candidates = (asArray(chunk['candidates']) ?? []).filter(isObject)
  return candidates.find(({ index }) => (index ?? 0) === 0)
}

/** Some failures come into the stream as they are, without the marks of an event. */
function bareError(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('utf8').trim()
  const value: Json | undefined = text.startsWith('{') || text.startsWith('[') ? parseJson(text) : undefined
  return value === undefined ? '' : text
}
