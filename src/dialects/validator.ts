/**
 * The legal order of ChatEvents, held between every decoder and every encoder, so that no encoder ever sees another. What a
 * decoder gets wrong is mended where the meaning is plain and ends the answer with an honest failure where it is not. It runs in
 * production: a legal event costs one look-up in a table and no memory.
 */
import { failure } from '../core/failure.ts'
import type { ChatEvent } from './neutral.ts'

type Part = 'text' | 'reasoning' | 'refusal' | 'tool-call'
type Phase = 'before-start' | 'between-parts' | Part | 'finished' | 'ended'
type Order = Readonly<Record<Phase, { readonly [Type in ChatEvent['type']]?: Phase }>>

/** Which event may come when, and what holds after it. */
const ORDER: Order = {
  'before-start': { start: 'between-parts', ping: 'before-start', failure: 'finished' },
  'between-parts': {
    'text-start': 'text',
    'reasoning-start': 'reasoning',
    'refusal-start': 'refusal',
    'tool-call-start': 'tool-call',
    foreign: 'between-parts',
    usage: 'between-parts',
    ping: 'between-parts',
    finish: 'finished',
    failure: 'finished',
  },
  text: inside('text'),
  reasoning: inside('reasoning'),
  refusal: inside('refusal'),
  'tool-call': inside('tool-call'),
  finished: { end: 'ended', ping: 'finished' },
  ended: {},
}

function inside(part: Part): Order[Phase] {
  return { [`${part}-delta`]: part, [`${part}-end`]: 'between-parts', usage: part, ping: part, failure: 'finished' }
}

export class EventGuard {
  #phase: Phase = 'before-start'
  readonly #repairs = new Set<string>()

  /** What was out of order, each thing once: at most as many as there are events and phases. */
  get repairs(): readonly string[] {
    return [...this.#repairs]
  }

  /** The events that go on in place of `events`: these themselves when their order is legal. */
  pass(events: readonly ChatEvent[]): readonly ChatEvent[] {
    let at = 0
    for (const event of events) {
      const next = ORDER[this.#phase][event.type]
      if (next === undefined) return [...events.slice(0, at), ...events.slice(at).flatMap((rest) => this.#mend(rest))]
      this.#phase = next
      at++
    }
    return events
  }

  /** The decoder has nothing more to say: what an answer lacks that has no end. */
  finish(): readonly ChatEvent[] {
    return this.#phase === 'ended' ? [] : this.pass([{ type: 'end' }])
  }

  #mend(event: ChatEvent): readonly ChatEvent[] {
    const legal = ORDER[this.#phase][event.type] !== undefined
    if (!legal) this.#repairs.add(`${event.type} while ${this.#phase}`)
    const mended = fitted(this.#phase, event)
    for (const { type } of mended) this.#phase = ORDER[this.#phase][type] ?? this.#phase
    return mended
  }
}

function fitted(phase: Phase, event: ChatEvent): readonly ChatEvent[] {
  return ORDER[phase][event.type] === undefined ? replacement(phase, event) : [event]
}

/** What stands for an event that may not come in this phase. */
function replacement(phase: Phase, event: ChatEvent): readonly ChatEvent[] {
  // What is over cannot change any more, and nothing begins twice.
  if (phase === 'finished' || phase === 'ended' || event.type === 'start') return []
  if (event.type === 'end') return [CUT, event]
  if (phase === 'before-start') return [{ type: 'start' }, ...fitted('between-parts', event)]
  if (isBareEnd(event)) return []
  if (phase === 'between-parts') return begun(event)
  const closing = closed(phase, event)
  return closing.type === 'failure' ? [closing] : [closing, ...fitted('between-parts', event)]
}

/** The end of a part that is not open and that says nothing besides. */
function isBareEnd(event: ChatEvent): boolean {
  if (event.type === 'text-end') return event.citations === undefined
  if (event.type === 'reasoning-end') return event.opaque === undefined
  return event.type.endsWith('-end')
}

const STARTS: { readonly [Type in ChatEvent['type']]?: ChatEvent } = {
  'text-delta': { type: 'text-start' },
  'text-end': { type: 'text-start' },
  'reasoning-delta': { type: 'reasoning-start' },
  'reasoning-end': { type: 'reasoning-start' },
  'refusal-delta': { type: 'refusal-start' },
}

/** A piece of a part that is not open. A call cannot be opened for it: it has no name. */
function begun(event: ChatEvent): readonly ChatEvent[] {
  const start = STARTS[event.type]
  return start === undefined ? [broken('sent arguments for a tool call that it had not begun')] : [start, event]
}

/** What ends the open part before `event`. A call without its end may lack arguments and must not be run as if it were whole. */
function closed(part: Part, event: ChatEvent): ChatEvent {
  if (part === 'reasoning') return { type: 'reasoning-end', redacted: false }
  if (part !== 'tool-call') return { type: `${part}-end` }
  const isLimit = event.type === 'finish' && event.finish.reason === 'length'
  return isLimit ? { type: 'tool-call-end', complete: false } : broken('went on without ending a tool call')
}

const CUT: ChatEvent = { type: 'failure', failure: failure('cut', 'The answer stopped before its end.') }

function broken(what: string): ChatEvent {
  return { type: 'failure', failure: failure('server', `The provider ${what}.`) }
}
