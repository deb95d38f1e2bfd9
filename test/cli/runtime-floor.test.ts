import { expect, test } from 'bun:test'
import { belowFloor, BUN_MIN, runtimeFacts, SQLITE_MIN } from '../../src/cli/runtime-floor.ts'

test('the runtime that the tests run in is good enough and has its compiler', () => {
  const facts = runtimeFacts()
  expect(belowFloor(facts)).toBeUndefined()
  expect(facts.jit).toBe(true)
})

test('an older Bun or SQLite is refused by name', () => {
  expect(belowFloor({ bun: '1.4.4', sqlite: SQLITE_MIN })).toStartWith('Bun 1.4.4 is too old')
  expect(belowFloor({ bun: BUN_MIN, sqlite: '3.50.9' })).toStartWith('SQLite 3.50.9 is too old')
})
