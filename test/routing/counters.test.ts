import { expect, test } from 'bun:test'
import { RoutingCounters } from '../../src/routing/counters.ts'
import { HandClock } from '../support/clock.ts'

function counted() {
  const clock = new HandClock()
  return { clock, counters: new RoutingCounters(clock) }
}

test('what is under way is counted at its account and its model until it ends, once', () => {
  const { counters } = counted()
  const ends = [counters.begin('openai', 'gpt', 'acc'), counters.begin('openai', 'gpt', null)]
  expect([counters.inFlightOfAccount('acc'), counters.inFlightOfModel('openai', 'gpt')]).toEqual([1, 2])
  for (const end of [...ends, ...ends]) end()
  expect([counters.inFlightOfAccount('acc'), counters.inFlightOfModel('openai', 'gpt')]).toEqual([0, 0])
})

test('a latency follows the last answers slowly, and is forgotten when they are old', () => {
  const { clock, counters } = counted()
  counters.answered('openai', 'gpt', 100)
  counters.answered('openai', 'gpt', 600)
  expect(counters.latencyMs('openai', 'gpt')).toBe(200)
  clock.advance(300_000)
  expect(counters.latencyMs('openai', 'gpt')).toBeUndefined()
  counters.answered('openai', 'gpt', 50)
  expect(counters.latencyMs('openai', 'gpt')).toBe(50)
})

test('looking at the next turn does not take it', () => {
  const { counters } = counted()
  expect([counters.nextTurn('a'), counters.turn('a'), counters.nextTurn('a'), counters.turn('a')]).toEqual([0, 0, 1, 1])
})

test('what clients name is remembered up to a bound', () => {
  const { counters } = counted()
  for (let name = 0; name < 5_000; name++) {
    counters.turn(`turn-${name}`)
    counters.answered('openai', `model-${name}`, 1)
  }
  expect([counters.nextTurn('turn-0'), counters.nextTurn('turn-4999')]).toEqual([0, 1])
  expect([counters.latencyMs('openai', 'model-0'), counters.latencyMs('openai', 'model-4999')]).toEqual([undefined, 1])
})

test('a pin counts the requests in a row, and is that of its owner', () => {
  const { counters } = counted()
  const pin = { owner: 'key_1', scope: 'rule', key: 's:one' }
  counters.pin({ ...pin, to: 'a' })
  counters.pin({ ...pin, to: 'a' })
  expect(counters.pinned('key_1', 'rule', 's:one', 1_000)).toMatchObject({ to: 'a', requests: 2 })
  counters.pin({ ...pin, to: 'b' })
  expect(counters.pinned('key_1', 'rule', 's:one', 1_000)).toMatchObject({ to: 'b', requests: 1 })
  expect(counters.pinned('key_2', 'rule', 's:one', 1_000)).toBeUndefined()
})

test('no owner can crowd out another by the number of its sessions', () => {
  const { counters } = counted()
  counters.pin({ owner: 'key_1', scope: 'rule', key: 's:one', to: 'a' })
  for (let session = 0; session < 12_000; session++)
    counters.pin({ owner: 'key_2', scope: 'rule', key: `s:${session}`, to: 'a' })
  expect(counters.pinned('key_1', 'rule', 's:one', 1_000)?.to).toBe('a')
  expect(counters.pinned('key_2', 'rule', 's:0', 1_000)).toBeUndefined()
})
