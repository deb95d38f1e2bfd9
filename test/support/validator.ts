/**
 * The legal orders of ChatEvents, as a state machine that names the first broken rule. It is written apart from the guard that
 * runs in production, so that tests judge decoders, and the guard itself, by something else.
 */
import type { ChatEvent } from '../../src/dialects/neutral.ts'

type Phase = 'before-start' | 'between-parts' | 'text' | 'reasoning' | 'refusal' | 'tool-call' | 'finished' | 'ended'

const OPENS: Partial<Record<ChatEvent['type'], Phase>> = {
  'text-start': 'text',
  'reasoning-start': 'reasoning',
  'refusal-start': 'refusal',
  'tool-call-start': 'tool-call',
}

const INSIDE: Partial<Record<ChatEvent['type'], Phase>> = {
  'text-delta': 'text',
  'text-end': 'text',
  'reasoning-delta': 'reasoning',
  'reasoning-end': 'reasoning',
  'refusal-delta': 'refusal',
  'refusal-end': 'refusal',
  'tool-call-delta': 'tool-call',
  'tool-call-end': 'tool-call',
}

/** The first rule that `events` break, or undefined. With `whole`, a missing `end` counts too. */
export function firstViolation(events: readonly ChatEvent[], whole = true): string | undefined {
  let phase: Phase = 'before-start'
  for (const [index, event] of events.entries()) {
    const next = step(phase, event)
    if (next === undefined) return `event ${index}: ${event.type} while ${phase}`
    phase = next
  }
  return whole && phase !== 'ended' ? `the events stop while ${phase}` : undefined
}

function step(phase: Phase, event: ChatEvent): Phase | undefined {
  if (phase === 'ended') return undefined
  if (event.type === 'ping') return phase
  if (event.type === 'end') return phase === 'finished' ? 'ended' : undefined
  if (phase === 'finished') return undefined
  if (event.type === 'failure') return 'finished'
  if (phase === 'before-start') return event.type === 'start' ? 'between-parts' : undefined
  if (event.type === 'usage') return phase
  const opened = OPENS[event.type]
  if (opened !== undefined) return phase === 'between-parts' ? opened : undefined
  const inside = INSIDE[event.type]
  if (inside !== undefined) return insideStep(phase, inside, event)
  if (phase !== 'between-parts') return undefined
  if (event.type === 'foreign') return phase
  return event.type === 'finish' ? 'finished' : undefined
}

function insideStep(phase: Phase, inside: Phase, event: ChatEvent): Phase | undefined {
  if (phase !== inside) return undefined
  return event.type.endsWith('-end') ? 'between-parts' : phase
}
