import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { NO_USAGE } from '../../src/core/usage.ts'
import type { ChatEvent } from '../../src/dialects/neutral.ts'
import { EventGuard } from '../../src/dialects/validator.ts'
import { firstViolation } from '../support/validator.ts'

const EVENTS = {
  start: { type: 'start' },
  ping: { type: 'ping' },
  usage: { type: 'usage', usage: NO_USAGE },
  'text-start': { type: 'text-start' },
  'text-delta': { type: 'text-delta', text: 'a' },
  'text-end': { type: 'text-end' },
  'reasoning-start': { type: 'reasoning-start' },
  'reasoning-delta': { type: 'reasoning-delta', text: 'a' },
  'reasoning-end': { type: 'reasoning-end', redacted: false },
  'refusal-start': { type: 'refusal-start' },
  'refusal-delta': { type: 'refusal-delta', text: 'a' },
  'refusal-end': { type: 'refusal-end' },
  'call-start': { type: 'tool-call-start', id: 'c', name: 'f', kind: 'function' },
  'call-delta': { type: 'tool-call-delta', text: '{}' },
  'call-end': { type: 'tool-call-end', complete: true },
  foreign: { type: 'foreign', part: { type: 'foreign', origin: 'openai-chat', kind: 'k', raw: {} } },
  citation: { type: 'text-end', citations: [{ url: 'https://a.example' }] },
  signature: { type: 'reasoning-end', redacted: true, opaque: { vendor: 'v', kind: 'signature', blob: 'b' } },
  finish: { type: 'finish', finish: { reason: 'stop' } },
  limit: { type: 'finish', finish: { reason: 'length' } },
  failure: { type: 'failure', failure: { kind: 'overloaded', message: 'm' } },
  end: { type: 'end' },
} as const satisfies Record<string, ChatEvent>

type Name = keyof typeof EVENTS

function eventsOf(names: string): readonly ChatEvent[] {
  return names === '' ? [] : names.split(' ').map((name) => EVENTS[name as Name])
}

function violation(names: string, whole?: boolean): string | undefined {
  return firstViolation(eventsOf(names), whole)
}

const LEGAL = [
  'start finish end',
  'ping start usage ping finish ping end',
  'start text-start text-delta text-delta text-end finish end',
  'start text-start text-end finish end',
  'start reasoning-start reasoning-delta usage reasoning-end call-start call-delta call-end finish end',
  'start text-start text-end foreign refusal-start refusal-delta refusal-end usage finish end',
  'failure end',
  'start failure end',
  'start text-start text-delta failure end',
]

describe('legal orders', () => {
  for (const names of LEGAL) test(names, () => expect(violation(names)).toBeUndefined())

  test('a beginning is legal when the whole is not asked for', () => {
    expect(violation('start text-start text-delta', false)).toBeUndefined()
  })
})

describe('broken rules', () => {
  const broken: readonly [names: string, rule: string][] = [
    ['text-start', 'event 0: text-start while before-start'],
    ['usage start', 'event 0: usage while before-start'],
    ['start start', 'event 1: start while between-parts'],
    ['start text-delta', 'event 1: text-delta while between-parts'],
    ['start text-start reasoning-delta', 'event 2: reasoning-delta while text'],
    ['start text-start call-start', 'event 2: tool-call-start while text'],
    ['start text-start foreign', 'event 2: foreign while text'],
    ['start text-start start', 'event 2: start while text'],
    ['start call-start text-end', 'event 2: text-end while tool-call'],
    ['start text-start finish', 'event 2: finish while text'],
    ['start end', 'event 1: end while between-parts'],
    ['start finish finish', 'event 2: finish while finished'],
    ['start finish usage', 'event 2: usage while finished'],
    ['start finish failure', 'event 2: failure while finished'],
    ['start finish end end', 'event 3: end while ended'],
    ['start finish end ping', 'event 3: ping while ended'],
    ['start finish', 'the events stop while finished'],
    ['start text-start', 'the events stop while text'],
    ['ping', 'the events stop while before-start'],
  ]
  for (const [names, rule] of broken) test(names, () => expect(violation(names)).toBe(rule))
})

/** What a guard lets through of `events`, its own end included. */
function guarded(events: readonly ChatEvent[]) {
  const guard = new EventGuard()
  const passed = events.flatMap((event) => guard.pass([event]))
  return { events: [...passed, ...guard.finish()], repairs: guard.repairs }
}

describe('a guard', () => {
  for (const names of LEGAL) {
    test(`leaves alone: ${names}`, () => {
      const events = eventsOf(names)
      const guard = new EventGuard()
      expect(guard.pass(events)).toBe(events)
      expect(guard.finish()).toEqual([])
      expect(guard.repairs).toEqual([])
    })
  }

  /** A failure that the guard makes is shown by its kind. */
  const nameOf = (event: ChatEvent): string =>
    event.type === 'failure' ? event.failure.kind : event.type.replace('tool-', '')
  const mended: readonly [seen: string, passed: string][] = [
    ['text-start text-delta text-end finish end', 'start text-start text-delta text-end finish end'],
    ['start start finish end', 'start finish end'],
    ['start text-delta text-end finish end', 'start text-start text-delta text-end finish end'],
    ['text-delta finish end', 'start text-start text-delta text-end finish end'],
    [
      'start text-start text-delta reasoning-start reasoning-delta call-start call-end finish end',
      'start text-start text-delta text-end reasoning-start reasoning-delta reasoning-end call-start call-end finish end',
    ],
    ['start text-start text-start text-end finish end', 'start text-start text-end text-start text-end finish end'],
    [
      'start reasoning-start text-delta finish end',
      'start reasoning-start reasoning-end text-start text-delta text-end finish end',
    ],
    ['start text-start foreign finish end', 'start text-start text-end foreign finish end'],
    ['start text-end refusal-end call-end finish end', 'start finish end'],
    ['start text-start refusal-end text-delta text-end finish end', 'start text-start text-delta text-end finish end'],
    ['start citation finish end', 'start text-start text-end finish end'],
    ['start text-start signature finish end', 'start text-start text-end reasoning-start reasoning-end finish end'],
    ['start finish finish usage text-delta failure end end ping', 'start finish end'],
    ['start call-start call-delta limit end', 'start call-start call-delta call-end finish end'],
    ['start call-start call-delta finish end', 'start call-start call-delta server end'],
    ['start call-start call-delta text-start text-delta text-end finish end', 'start call-start call-delta server end'],
    ['start call-delta finish end', 'start server end'],
    ['start text-start call-delta finish end', 'start text-start text-end server end'],
    ['start text-start text-delta end', 'start text-start text-delta cut end'],
    ['start text-start text-delta', 'start text-start text-delta cut end'],
    ['start finish', 'start finish end'],
    ['failure text-delta finish', 'overloaded end'],
    ['', 'cut end'],
  ]
  for (const [seen, passed] of mended) {
    test(`makes of "${seen}": ${passed}`, () => {
      const { events } = guarded(eventsOf(seen))
      expect(events.map(nameOf).join(' ')).toBe(passed)
      expect(firstViolation(events)).toBeUndefined()
    })
  }

  test('names each thing that was out of order once', () => {
    const { repairs } = guarded(eventsOf('text-delta text-end start start text-delta text-end finish end'))
    expect(repairs).toEqual([
      'text-delta while before-start',
      'start while between-parts',
      'text-delta while between-parts',
    ])
  })

  test('keeps what citations and state a stray end brings', () => {
    expect(guarded(eventsOf('start citation signature finish end')).events).toContain(EVENTS.citation)
    expect(guarded(eventsOf('start citation signature finish end')).events).toContain(EVENTS.signature)
  })

  const anyEvents = fc.array(fc.constantFrom<ChatEvent[]>(...Object.values(EVENTS)), { maxLength: 30 })

  test('lets nothing illegal through, whatever comes in and in whatever pieces', () => {
    fc.assert(
      fc.property(anyEvents, fc.nat(30), (events, place) => {
        const guard = new EventGuard()
        const first = guard.pass(events.slice(0, place))
        const passed = [...first, ...guard.pass(events.slice(place)), ...guard.finish()]
        expect(firstViolation(passed)).toBeUndefined()
        expect(passed).toEqual(guarded(events).events)
      }),
      { numRuns: 2_000 },
    )
  })

  test('loses no text of an answer, and adds none', () => {
    const isDelta = ({ type }: ChatEvent): boolean => type.endsWith('-delta')
    fc.assert(
      fc.property(anyEvents, (events) => {
        const passed = guarded(events).events
        const over = passed.findIndex(({ type }) => type === 'finish' || type === 'failure')
        const shown = passed.slice(0, over).filter(isDelta)
        expect(events.filter(isDelta).slice(0, shown.length)).toEqual(shown)
        if (passed[over]?.type === 'finish')
          expect(events.slice(0, events.indexOf(passed[over])).filter(isDelta)).toEqual(shown)
      }),
      { numRuns: 2_000 },
    )
  })
})
