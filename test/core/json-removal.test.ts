import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { removals } from '../../src/core/json-removal.ts'
import { applySplices, doOverlap, scanArrayAt, scanObject, type Range, type Splice } from '../../src/core/json-scan.ts'

const SPACE = fc.constantFrom('', ' ', '\n  ', '\t')
const TOKEN = fc.constantFrom('1.0', '"a,]}\\""', '[1 , 2]', '{"a":[{}]}', 'null', '12345678901234567890', '"é 🚦"')

interface Listed {
  readonly elements: readonly { readonly token: string; readonly goes: boolean }[]
  readonly space: string
}
const LISTED: fc.Arbitrary<Listed> = fc.record({
  elements: fc.array(fc.record({ token: TOKEN, goes: fc.boolean() }), { maxLength: 8 }),
  space: SPACE,
})

function edited(text: string, ranges: readonly Range[], goes: (index: number) => boolean): string {
  return Buffer.from(applySplices(Buffer.from(text), removals(ranges, goes))).toString()
}

/** The tokens in order, apart from spaces and commas around them. */
function tokensIn(text: string, kept: readonly string[]): boolean {
  let rest = text
  for (const [index, token] of kept.entries()) {
    rest = rest.trimStart()
    if (index > 0) rest = rest.startsWith(',') ? rest.slice(1).trimStart() : 'no comma'
    if (!rest.startsWith(token)) return false
    rest = rest.slice(token.length)
  }
  return rest.trim() === ''
}

test('elements go with one comma each, and what stays keeps its bytes', () => {
  fc.assert(
    fc.property(LISTED, ({ elements, space }) => {
      const text = `[${space}${elements.map(({ token }) => token).join(`${space},${space}`)}${space}]`
      const scanned = scanArrayAt(Buffer.from(text), 0)
      const ranges = scanned.ok ? scanned.value.elements : []
      const result = edited(text, ranges, (index) => elements[index]?.goes === true)
      expect(() => JSON.parse(result)).not.toThrow()
      const kept = elements.flatMap(({ token, goes }) => (goes ? [] : [token]))
      expect(tokensIn(result.slice(1, -1), kept)).toBe(true)
    }),
  )
})

test('members go with their names, and what stays keeps its bytes', () => {
  fc.assert(
    fc.property(LISTED, ({ elements, space }) => {
      const members = elements.map(({ token }, index) => `"m${index}"${space}:${space}${token}`)
      const text = `{${space}${members.join(`${space},${space}`)}${space}}`
      const scanned = scanObject(Buffer.from(text))
      const ranges = scanned.ok
        ? scanned.value.members.map(({ keyStart, valueEnd }) => ({ start: keyStart, end: valueEnd }))
        : []
      const result = edited(text, ranges, (index) => elements[index]?.goes === true)
      expect(() => JSON.parse(result)).not.toThrow()
      expect(
        tokensIn(
          result.slice(1, -1),
          members.filter((_, index) => elements[index]?.goes === false),
        ),
      ).toBe(true)
    }),
  )
})

const splice = (start: number, end: number): Splice => ({ start, end, text: 'x' })

test.each<[string, Splice, Splice, boolean]>([
  ['apart', splice(0, 2), splice(5, 6), false],
  ['side by side', splice(0, 2), splice(2, 4), false],
  ['one in the other', splice(0, 9), splice(3, 4), true],
  ['one over the end of the other', splice(0, 5), splice(4, 9), true],
  ['the same', splice(1, 2), splice(1, 2), true],
  ['an insertion inside a removal', splice(3, 3), splice(1, 5), true],
  ['an insertion where a removal begins', splice(1, 1), splice(1, 5), false],
  ['an insertion where a removal ends', splice(5, 5), splice(1, 5), false],
  ['two insertions at one place', splice(1, 1), splice(1, 1), false],
])('edits that are %s', (_, a, b, overlap) => {
  expect([doOverlap([a], [b]), doOverlap([b], [a])]).toEqual([overlap, overlap])
})

test('an edit inside what another edit replaces goes with it', () => {
  const bytes = Buffer.from('{"a":{"b":1},"c":2}')
  const outer = { start: 1, end: 13, text: '' }
  const inner = { start: 10, end: 11, text: '2' }
  for (const splices of [
    [outer, inner],
    [inner, outer],
  ]) {
    expect(Buffer.from(applySplices(bytes, splices)).toString()).toBe('{"c":2}')
  }
})
