/** Why an answer ended. */
import { asObject, asString, type JsonObject } from '../../core/json.ts'
import type { Finish, StopReason } from '../neutral.ts'

// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html (read 2026-11-21)
const REASONS: ReadonlyMap<string, StopReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop-sequence'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'context'],
  ['guardrail_intervened', 'refusal'],
  ['content_filtered', 'refusal'],
  // What a maker's own format calls it, should it come through.
  ['refusal', 'refusal'],
])

/** The model's output was none that it was allowed to give. */
const BROKEN: ReadonlySet<string> = new Set(['malformed_model_output', 'malformed_tool_use'])

/** `stopReason` and its companion as `messageStop` and plain replies carry them. */
export interface WireStop {
  readonly reason: string
  readonly sequence: string | undefined
}

export function readStop(holder: JsonObject): WireStop | undefined {
  const reason = asString(holder['stopReason'])
  if (reason === undefined || reason === '') return undefined
  const fields = asObject(holder['additionalModelResponseFields']) ?? {}
  const sequence = asString(fields['stop_sequence']) ?? asString(asObject(fields['delta'])?.['stop_sequence'])
  return { reason, sequence }
}

export function isBroken({ reason }: WireStop): boolean {
  return BROKEN.has(reason)
}

/** Calls that wait for the client decide the reason where the provider says only that it is done; without calls none wait. */
export function decodeFinish({ reason, sequence }: WireStop, hasCalls: boolean): Finish {
  const known = REASONS.get(reason) ?? 'other'
  const isDone = known === 'stop' || known === 'tool-calls' || (known === 'other' && hasCalls)
  return {
    reason: isDone ? (hasCalls ? 'tool-calls' : 'stop') : known,
    ...(sequence === undefined ? {} : { stopSequence: sequence }),
    ...(known === 'other' || known === 'refusal' ? { raw: reason } : {}),
  }
}
