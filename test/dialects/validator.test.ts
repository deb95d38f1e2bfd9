import { describe, expect, test } from 'bun:test'
import { NO_USAGE } from '../../src/core/usage.ts'
import type { ChatEvent } from '../../src/dialects/neutral.ts'
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
  finish: { type: 'finish', finish: { reason: 'stop' } },
  failure: { type: 'failure', failure: { kind: 'cut', message: 'm' } },
  end: { type: 'end' },
} as const satisfies Record<string, ChatEvent>

type Name = keyof typeof EVENTS

function violation(names: string, whole?: boolean): string | undefined {
  return firstViolation(
    names.split(' ').map((name) => EVENTS[name as Name]),
    whole,
  )
}

describe('legal orders', () => {
  const legal = [
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
  for (const names of legal) test(names, () => expect(violation(names)).toBeUndefined())

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
