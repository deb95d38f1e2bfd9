/**
 * Conversations that the maker keeps between turns, so that later requests bring only what is new. They are best-effort: clients
 * hold the whole, and send it when they are told that the thread is lost. So that is what they are told wherever it cannot go on,
 * and that one may begin is never refused: nobody is promised that it is kept.
 * https://platform.claude.com/docs/en/build-with-claude/message-threads (read 2026-11-21)
 */
import type { Quirks } from '../../catalog/provider.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { isObject } from '../../core/json.ts'
import { valueOf, type ScannedObject } from '../../core/json-scan.ts'
import { matchesPattern } from '../../core/model-pattern.ts'

export const THREAD = 'thread'
const BETA = 'message-threads-2026-08-12'

/** Whether a request leaves out what was said before. `thread`: its member of that name. */
export function goesOn(thread: unknown): boolean {
  return isObject(thread) && thread['type'] === 'continue'
}

/** Of a body that was not parsed. */
export function bodyGoesOn(body: ScannedObject): boolean {
  return goesOn(valueOf(body, THREAD))
}

/** A host that does not know of threads would answer the new messages alone. */
export function keepsThreads({ acceptsBetas, betasAllowed }: Quirks): boolean {
  return acceptsBetas === true && (betasAllowed?.some((pattern) => matchesPattern(pattern, BETA)) ?? true)
}

/** Clients send the whole conversation upon this. */
export function lostThread(): Failure {
  return failure('unknown_route', 'This thread is not kept here: the conversation has to be sent as a whole.', {
    param: THREAD,
    reason: 'lost-thread',
  })
}

/** As clients look for it. */
export const LOST_THREAD_DETAILS = { error_code: 'thread_not_found' } as const

/** Whether a refusal is about the thread alone: its client knows what to do. */
export function saysThreadLost(body: unknown): boolean {
  const error = isObject(body) ? body['error'] : undefined
  const details = isObject(error) ? error['details'] : undefined
  const code = isObject(details) ? details['error_code'] : undefined
  return typeof code === 'string' && code.startsWith('thread_')
}
