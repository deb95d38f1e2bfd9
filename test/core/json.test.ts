import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { isJson, parseJson } from '../../src/core/json.ts'

describe('reading JSON of others', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const strings = `[${Array.from({ length: 600 }, () => '"[{\\"["').join(',')}]`

  test.each<[name: string, text: string, isRead: boolean]>([
    ['a value', '{"a":[1]}', true],
    ['half a value', '{"a":[1]', false],
    ['a page', '<html></html>', false],
    ['nothing', '', false],
    ['as many levels as may be', nested(512), true],
    ['one level too many', nested(513), false],
    ['brackets that stand in strings', strings, true],
  ])('%s', (_, text, isRead) => {
    expect(parseJson(text) !== undefined).toBe(isRead)
  })

  test('what it reads is what it says', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => expect<unknown>(parseJson(JSON.stringify(value))).toEqual(toJson(value))),
    )
  })

  test('whether a text is JSON does not depend on its depth', () => {
    expect([nested(513), '1', '{', ''].map(isJson)).toEqual([true, true, false, false])
  })
})

function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
