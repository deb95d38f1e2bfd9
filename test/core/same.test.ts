import { expect, test } from 'bun:test'
import { isSame } from '../../src/core/same.ts'
import { Secret } from '../../src/core/secret.ts'

const CASES: readonly (readonly [what: string, a: unknown, b: unknown, same: boolean])[] = [
  ['records in another order', { a: 1, b: { c: [1], d: null } }, { b: { d: null, c: [1] }, a: 1 }, true],
  ['a field that is undefined, and none', { a: 1, b: undefined }, { a: 1 }, true],
  ['a field that is null, and none', { a: 1, b: null }, { a: 1 }, false],
  ['lists in another order', [1, 2], [2, 1], false],
  ['a list and its beginning', [1, 2], [1], false],
  ['a list and a record like it', ['x'], { 0: 'x' }, false],
  ['nothing in a list and in a record', [], {}, false],
  ['a number and its text', 1, '1', false],
  ['two copies of a secret', { a: [new Secret('x')] }, { a: [new Secret('x')] }, true],
  ['two secrets', { a: [new Secret('x')] }, { a: [new Secret('y')] }, false],
  ['a secret and what has no fields either', new Secret('x'), {}, false],
  ['a secret and its text', new Secret('x'), 'x', false],
]

for (const [what, a, b, same] of CASES) {
  test(`${what} ${same ? 'say the same' : 'do not say the same'}`, () => {
    expect([isSame(a, b), isSame(b, a)]).toEqual([same, same])
  })
}
