/** What the rules on the way to a target say about an attempt, where the settings say otherwise. */
import type { Terms } from '../routing/route.ts'
import type { GatewaySettings, StreamPreferences, Timeouts } from './deps.ts'

/** A rule's wait for the first token stands for both: for any event and for content. */
export function timeoutsFor({ timeouts }: GatewaySettings, { timeouts: own }: Terms): Timeouts {
  return {
    connectMs: own.connectMs ?? timeouts.connectMs,
    firstEventMs: own.firstTokenMs ?? timeouts.firstEventMs,
    firstContentMs: own.firstTokenMs ?? timeouts.firstContentMs,
    idleMs: own.idleMs ?? timeouts.idleMs,
    totalMs: own.totalMs ?? timeouts.totalMs,
  }
}

export function streamPreferencesFor({ stream }: GatewaySettings, { stream: own }: Terms): StreamPreferences {
  return own ?? stream
}
