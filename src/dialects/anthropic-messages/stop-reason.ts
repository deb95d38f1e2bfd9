/** Why an answer ended, both ways. */
import { asObject, asString, type Json, type JsonObject } from '../../core/json.ts'
import type { Finish, StopReason } from '../neutral.ts'

const REASONS: ReadonlyMap<string, StopReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop-sequence'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'context'],
  ['refusal', 'refusal'],
  // Hosts in China say so: https://github.com/router-for-me/CLIProxyAPI/commit/fab077a04 (read 2026-11-21)
  ['sensitive', 'refusal'],
  ['pause_turn', 'pause'],
])

/** `stop_reason` and its companions as `message_delta` and plain replies carry them. */
export interface WireStop {
  readonly reason: string
  readonly sequence: string | undefined
  readonly details: Json | undefined
}

export function readStop(holder: JsonObject): WireStop | undefined {
  const reason = asString(holder['stop_reason'])
  if (reason === undefined || reason === '') return undefined
  return { reason, sequence: asString(holder['stop_sequence']), details: holder['stop_details'] ?? undefined }
}

/** Calls that wait for the client decide the reason where the provider says only that it is done; without calls none wait. */
export function decodeFinish(stop: WireStop | undefined, hasCalls: boolean): Finish {
  if (stop === undefined) return { reason: hasCalls ? 'tool-calls' : 'stop', inferred: true }
  const known = REASONS.get(stop.reason) ?? 'other'
  const isDone = known === 'stop' || known === 'tool-calls' || (known === 'other' && hasCalls)
  const reason = isDone ? (hasCalls ? 'tool-calls' : 'stop') : known
  return {
    reason,
    ...(stop.sequence === undefined ? {} : { stopSequence: stop.sequence }),
    ...(known === 'other' || stop.reason === 'sensitive' ? { raw: stop.reason } : {}),
    ...(stop.details === undefined ? {} : { detail: stop.details }),
  }
}

const WIRE_REASONS: Readonly<Record<Exclude<StopReason, 'other'>, string>> = {
  stop: 'end_turn',
  'stop-sequence': 'stop_sequence',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  context: 'model_context_window_exceeded',
  refusal: 'refusal',
  pause: 'pause_turn',
}

/** Reasons that only newer versions of this format have and that a client of it may know. */
const NEWER: ReadonlySet<string | undefined> = new Set(['compaction'])

/** What of the answer's content bears on the reason. */
export interface Seen {
  readonly calls: boolean
  readonly refusal: boolean
}

export function encodeStop(finish: Finish, seen: Seen): JsonObject {
  const reason = wireReason(finish, seen)
  return {
    stop_reason: reason,
    stop_sequence: reason === 'stop_sequence' ? (finish.stopSequence ?? null) : null,
    stop_details: reason === 'refusal' ? refusalDetails(finish) : null,
  }
}

function wireReason({ reason, raw }: Finish, seen: Seen): string {
  const isPlainEnd = reason === 'stop' || reason === 'tool-calls' || reason === 'other'
  if (isPlainEnd && seen.calls) return 'tool_use'
  if (isPlainEnd && seen.refusal) return 'refusal'
  if (reason === 'other') return NEWER.has(raw) && raw !== undefined ? raw : 'end_turn'
  return WIRE_REASONS[reason === 'tool-calls' ? 'stop' : reason]
}

function refusalDetails({ detail }: Finish): JsonObject {
  const own = asObject(detail)
  return own?.['type'] === 'refusal' ? own : { type: 'refusal', category: null, explanation: null }
}
