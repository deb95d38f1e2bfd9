/** What each kind of failure looks like to a client before it has any content, and who else is asked then. */
import type { FailureKind } from '../../src/core/failure.ts'

export interface Appearance {
  readonly messages: readonly [status: number, type: string]
  readonly chat: readonly [status: number, type: string, code: string | null]
  /** Another account of the same provider is asked. */
  readonly account: boolean
  /** Another provider is asked. */
  readonly provider: boolean
}

const INVALID = 'invalid_request_error'
const ANYONE = { account: true, provider: true }
const NOBODY = { account: false, provider: false }

export const APPEARANCES = {
  rejected: { messages: [400, INVALID], chat: [400, INVALID, null], ...NOBODY },
  context_too_long: {
    messages: [400, INVALID],
    chat: [400, INVALID, 'context_length_exceeded'],
    account: false,
    provider: true,
  },
  refused_content: { messages: [400, INVALID], chat: [400, INVALID, 'content_policy_violation'], ...NOBODY },
  auth: { messages: [502, 'api_error'], chat: [502, 'server_error', 'upstream_auth'], ...ANYONE },
  billing: {
    messages: [429, 'rate_limit_error'],
    chat: [429, 'insufficient_quota', 'insufficient_quota'],
    ...ANYONE,
  },
  not_entitled: { messages: [404, 'not_found_error'], chat: [404, INVALID, 'model_not_found'], ...ANYONE },
  rate_limit: {
    messages: [429, 'rate_limit_error'],
    chat: [429, 'rate_limit_error', 'rate_limit_exceeded'],
    ...ANYONE,
  },
  overloaded: { messages: [529, 'overloaded_error'], chat: [503, 'server_error', 'overloaded'], ...ANYONE },
  server: { messages: [502, 'api_error'], chat: [502, 'server_error', 'upstream_error'], ...ANYONE },
  empty: { messages: [502, 'api_error'], chat: [502, 'server_error', 'upstream_error'], ...ANYONE },
  connect: { messages: [502, 'api_error'], chat: [502, 'server_error', 'upstream_unreachable'], ...ANYONE },
  timeout: { messages: [504, 'timeout_error'], chat: [504, 'server_error', 'timeout'], ...ANYONE },
} as const satisfies Partial<Record<FailureKind, Appearance>>

export type TellingKind = keyof typeof APPEARANCES
