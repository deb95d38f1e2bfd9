import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { BoundedMap } from '../../src/core/bounded-map.ts'

const BOUNDS = { entriesPerOwnerMax: 3, bytesMax: 4_000, ttlMs: 100 }

test('what was used longest ago goes first', () => {
  const map = new BoundedMap<number>(BOUNDS)
  for (const id of ['a', 'b', 'c']) map.set('owner', id, 1, 0, 0)
  map.get('owner', 'a', 0)
  map.set('owner', 'd', 1, 0, 0)
  expect(['a', 'b', 'c', 'd'].map((id) => map.get('owner', id, 0) !== undefined)).toEqual([true, false, true, true])
})

test('an owner sees its own entries alone, and the same id means another for each', () => {
  const map = new BoundedMap<string>(BOUNDS)
  map.set('one', 'id', 'ours', 0, 0)
  map.set('other', 'id', 'theirs', 0, 0)
  expect([map.get('one', 'id', 0), map.get('other', 'id', 0)]).toEqual(['ours', 'theirs'])
  expect(map.delete('one', 'id')).toBe(true)
  expect([map.knows('one'), map.get('other', 'id', 0)]).toEqual([false, 'theirs'])
})

test('an entry that is set again counts once', () => {
  const map = new BoundedMap<number>(BOUNDS)
  map.set('owner', 'id', 1, 1_000, 0)
  const { bytes } = map
  map.set('owner', 'id', 2, 1_000, 0)
  expect([map.size, map.bytes, map.get('owner', 'id', 0)]).toEqual([1, bytes, 2])
})

test('whatever happens to it, no bound is passed and nothing is counted that is gone', () => {
  const step = fc.record({
    does: fc.constantFrom('set', 'get', 'delete', 'clear'),
    owner: fc.constantFrom('a', 'b'),
    id: fc.constantFrom('1', '2', '3', '4', '5'),
    bytes: fc.nat(5_000),
    laterMs: fc.nat(60),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const map = new BoundedMap<number>(BOUNDS)
      let nowMs = 0
      for (const { does, owner, id, bytes, laterMs } of steps) {
        nowMs += laterMs
        if (does === 'set') map.set(owner, id, bytes, bytes, nowMs)
        else if (does === 'get') map.get(owner, id, nowMs)
        else if (does === 'delete') map.delete(owner, id)
        else map.clear()
        expect(map.bytes).toBeLessThanOrEqual(BOUNDS.bytesMax)
        expect(map.size).toBeLessThanOrEqual(2 * BOUNDS.entriesPerOwnerMax)
      }
      map.get('a', 'none', nowMs + BOUNDS.ttlMs)
      expect([map.size, map.bytes, map.knows('a'), map.knows('b')]).toEqual([0, 0, false, false])
    }),
  )
})
