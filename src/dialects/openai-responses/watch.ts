/** Looks at replies of a provider that pass through unchanged: usage, errors, the first content, the end. */
import { failure, type Failure } from '../../core/failure.ts'
import { asObject, asString, isObject, type Json, type JsonObject, parseJson } from '../../core/json.ts'
import { memberOf, valueOf, type ScannedObject } from '../../core/json-scan.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { Frame } from '../../core/framing/frame.ts'
import type { Usage } from '../../core/usage.ts'
import { CUT, EMPTY, emptyAnswer } from '../answer/broken-answer.ts'
import type { InspectedReply, ReplyContext, StreamWatcher, WatchedFrame } from '../dialect.ts'
import { decodeUsage } from './usage.ts'
import { failureInside } from './vendor-failure.ts'
import { TERMINAL } from './wire.ts'

const SILENT: WatchedFrame = { content: false, ended: false, omit: false }
const CONTENT: WatchedFrame = { content: true, ended: false, omit: false }

/** Events that announce what is to come and hold nothing yet: a target may still be switched after them. */
const ANNOUNCEMENTS: ReadonlySet<string> = new Set([
  'response.created',
  'response.queued',
  'response.in_progress',
  'response.output_item.added',
  'response.content_part.added',
  'response.reasoning_summary_part.added',
  'keepalive',
])

export function streamWatcher(context: ReplyContext): StreamWatcher {
  return new Watcher(context)
}

class Watcher implements StreamWatcher {
  readonly #context: ReplyContext
  #sawContent = false
  #ended = false
  #failed = false
  answerId: string | undefined = undefined
  usage: Usage | undefined = undefined
  stopReason: string | undefined = undefined

  constructor(context: ReplyContext) {
    this.#context = context
  }

  push(frame: Frame): WatchedFrame {
    const type = frame.event === '' ? typeOf(frame.data) : frame.event
    if (type === '') return this.#untyped(frame.data)
    if (type === 'response.created') this.answerId = announcedId(frame.data)
    if (ANNOUNCEMENTS.has(type)) return SILENT
    if (TERMINAL.has(type)) return this.#terminal(type, frame.data)
    if (type === 'error') return this.#failure(failureInside(parseJson(frame.data)))
    if (!type.startsWith('response.')) return SILENT
    this.#sawContent = true
    return CONTENT
  }

  /** Comments and end marks; but some hosts say nothing except `{error}` when they fail. */
  #untyped(data: string): WatchedFrame {
    const error = asObject(parseJson(data))?.['error'] ?? null
    return error === null ? SILENT : this.#failure(failureInside(isObject(error) ? error : { error }))
  }

  finish(): Failure | undefined {
    if (this.#failed) return undefined
    if (!this.#sawContent) return EMPTY
    return this.#ended ? undefined : CUT
  }

  #terminal(type: string, data: string): WatchedFrame {
    const response = asObject(asObject(parseJson(data))?.['response'])
    if (response === undefined) return this.#failure(failure('server', 'The provider ended with a broken event.'))
    this.usage = decodeUsage(response, this.#context.quirks) ?? this.usage
    this.answerId ??= asString(response['id'])
    this.stopReason = stopReasonOf(response)
    if (type === 'response.failed') return this.#failure(failureInside(response['error']))
    this.#ended = true
    const output = response['output']
    // An answer that a limit or a filter ended is an answer, even without a word in it.
    const content = (Array.isArray(output) && output.length > 0) || type === 'response.incomplete'
    this.#sawContent ||= content
    return { content, ended: true, omit: false }
  }

  #failure(failed: Failure): WatchedFrame {
    this.#failed = true
    return { content: false, ended: true, omit: false, failure: failed }
  }
}

/** The usage of a plain reply with status 200, or the Failure that it is: `server` for a body that is no response. */
export function inspectReply(body: ScannedObject, context: ReplyContext): Result<InspectedReply, Failure> {
  const error = valueOf(body, 'error') ?? null
  if (error !== null) return err(failureInside(isObject(error) ? error : { error: error as Json }))
  const status = valueOf(body, 'status')
  if (status === 'failed') return err(failureInside({}))
  const output = memberOf(body, 'output')
  if (output === undefined) return err(failure('server', 'The provider answered without an output.'))
  const named = ['id', 'status', 'usage', 'service_tier', 'tool_usage', 'incomplete_details']
  const response = Object.fromEntries(named.map((name) => [name, valueOf(body, name)])) as JsonObject
  const usage = decodeUsage(response, context.quirks)
  if (status === 'completed' && output.items === 0) return err(emptyAnswer(usage))
  return ok({ usage, stopReason: stopReasonOf(response), answerId: asString(response['id']) })
}

/** The response repeats the whole request, so it is not parsed for its first member. */
const ANNOUNCED_ID = /"response"\s*:\s*\{\s*"id"\s*:\s*"([^"\\]{1,200})"/
const ANNOUNCED_CHARACTERS = 512

function announcedId(data: string): string | undefined {
  return ANNOUNCED_ID.exec(data.slice(0, ANNOUNCED_CHARACTERS))?.[1]
}

/** The vendor's own word for why it stopped. */
function stopReasonOf(response: JsonObject): string | undefined {
  return asString(asObject(response['incomplete_details'])?.['reason']) ?? asString(response['status'])
}

/** Hosts that write no `event:` line put the type first; those that do neither are parsed. */
function typeOf(data: string): string {
  const first = /^\s*\{\s*"type"\s*:\s*"([^"\\]*)"/.exec(data)?.[1]
  if (first !== undefined) return first
  return asString(asObject(parseJson(data))?.['type']) ?? ''
}
