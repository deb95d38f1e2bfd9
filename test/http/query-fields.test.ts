import { expect, test } from 'bun:test'
import { readInstant } from '../../src/http/query-fields.ts'

const check = (text: string, expected: string | undefined) => {
  const ms = readInstant(text)
  expect(ms === undefined ? undefined : new Date(ms).toISOString()).toBe(expected)
}

const INSTANTS = [
  ['2030-01-01T00:00:00Z', '2030-01-01T00:00:00.000Z'],
  ['2030-01-01t00:00:00z', '2030-01-01T00:00:00.000Z'],
  ['2030-01-01T00:00:00.123456Z', '2030-01-01T00:00:00.123Z'],
  ['2030-01-01T00:00:00+01:00', '2029-12-31T23:00:00.000Z'],
  ['2028-02-29T12:00:00Z', '2028-02-29T12:00:00.000Z'],
] as const

for (const [text, expected] of INSTANTS) {
  test(`${text} is a time`, () => check(text, expected))
}

const NO_INSTANTS = [
  '',
  'tomorrow',
  '2030-01-01',
  '2030-01-01T00:00:00',
  '2030-01-01 00:00:00Z',
  '2030-13-01T00:00:00Z',
  '2030-02-29T00:00:00Z',
  '2030-02-30T00:00:00Z',
  '2030-04-31T00:00:00+02:00',
  '2030-01-01T25:00:00Z',
]

for (const text of NO_INSTANTS) {
  test(`"${text}" is no time`, () => check(text, undefined))
}
