import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import {
  applySplices,
  checkNesting,
  elementsOf,
  extendString,
  insertElement,
  insertMember,
  memberOf,
  parseRange,
  replaceValue,
  reshape,
  scanArrayAt,
  scanObject,
  textOf,
  valueOf,
  type ScannedObject,
  type Splice,
} from '../../src/core/json-scan.ts'

function scan(text: string): ScannedObject {
  const scanned = scanObject(Buffer.from(text))
  if (!scanned.ok) throw new Error(scanned.error.message)
  return scanned.value
}

function tokens(text: string): readonly [name: string, token: string][] {
  const { bytes, members } = scan(text)
  return members.map(({ name, valueStart, valueEnd }) => [name, textOf(bytes, valueStart, valueEnd)])
}

/** JSON with spaces in all the places where they may be, and escapes where they need not. */
const anyObject = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()).chain((value) =>
  fc.constantFrom(undefined, 1, '\t').map((indent) => ({
    value: JSON.parse(JSON.stringify(value)) as object,
    text: JSON.stringify(value, null, indent),
  })),
)

describe('the members of an object', () => {
  const cases: readonly [text: string, members: readonly (readonly [string, string])[]][] = [
    ['{}', []],
    [' { } ', []],
    ['{"a":1.0}', [['a', '1.0']]],
    [
      '{"n":12345678901234567890 ,\n"e" : 1e5}',
      [
        ['n', '12345678901234567890'],
        ['e', '1e5'],
      ],
    ],
    [
      '{"a":"\\"}{","b":[{"c":"]"}],"d":{"e":{}}}',
      [
        ['a', '"\\"}{"'],
        ['b', '[{"c":"]"}]'],
        ['d', '{"e":{}}'],
      ],
    ],
    [
      '{"a":1,"a":2}',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    ['{"\\u0061\\"":null}', [['a"', 'null']]],
    ['{"é👋":"é👋"}', [['é👋', '"é👋"']]],
    ['{"__proto__":true}', [['__proto__', 'true']]],
    [
      `{"a":"${'\\\\'.repeat(40)}","b":0}`,
      [
        ['a', `"${'\\\\'.repeat(40)}"`],
        ['b', '0'],
      ],
    ],
    [
      `{"a":"${'x'.repeat(31)}\\"y","b":0}`,
      [
        ['a', `"${'x'.repeat(31)}\\"y"`],
        ['b', '0'],
      ],
    ],
  ]
  for (const [text, members] of cases) test(text.slice(0, 60), () => expect(tokens(text)).toEqual(members as never))

  test('they are what JSON.parse finds', () => {
    fc.assert(
      fc.property(anyObject, ({ value, text }) => {
        const object = scan(text)
        const found = Object.fromEntries(object.members.map(({ name }) => [name, valueOf(object, name)]))
        expect(found).toEqual(value as never)
        for (const { name, keyStart, valueEnd } of object.members) {
          expect(JSON.parse(`{${textOf(object.bytes, keyStart, valueEnd)}}`)).toEqual({ [name]: found[name] } as never)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('of a doubled one the last counts, as with JSON.parse', () => {
    expect(valueOf(scan('{"a":1,"b":0,"a":2}'), 'a')).toBe(2)
  })

  test('strings of any content and length end where they end', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 80 }), { minLength: 1 }), (strings) => {
        const object = scan(JSON.stringify({ strings: strings.join('\\"'), last: 1 }))
        expect(valueOf(object, 'strings')).toBe(strings.join('\\"'))
      }),
    )
  })
})

describe('what is no object', () => {
  const wrong = [
    '',
    ' ',
    'null',
    '7',
    '[]',
    '"a"',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    '{,}',
    '{a:1}',
    '{"a" 1}',
    '{"a":}',
    '{"a":"b}',
    '{"a":[1,2}',
    '{"a":{"b":1}',
    '{"a":1}}',
    '{"a":1}x',
    '{"a":1 "b":2}',
    '\ufeff{}',
    '{"a":1}{"b":2}',
    '{"\\x":1}',
    '{"a":"\\',
  ]
  for (const text of wrong) {
    test(`${JSON.stringify(text)} is malformed`, () => {
      expect(scanObject(Buffer.from(text))).toMatchObject({ ok: false, error: { kind: 'malformed' } })
    })
  }

  test('no bytes make it throw or run past their end', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ',',
      ':',
      ' ',
      'a',
      '1',
      '"a"',
      '"a":',
      'null',
      '\\u00',
      '\u0000',
    )
    const odd = fc.oneof(
      fc.array(piece, { maxLength: 25 }).map((pieces) => Buffer.from(`{${pieces.join('')}`)),
      fc.uint8Array({ maxLength: 60 }),
    )
    fc.assert(
      fc.property(odd, (bytes) => {
        const scanned = scanObject(bytes)
        if (!scanned.ok) return
        for (const member of scanned.value.members) {
          expect(member.valueEnd).toBeLessThanOrEqual(bytes.length)
          parseRange(bytes, { start: member.valueStart, end: member.valueEnd })
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('everything that JSON.parse takes for an object is taken', () => {
    fc.assert(fc.property(anyObject, ({ text }) => expect(scanObject(Buffer.from(` ${text}\n`)).ok).toBe(true)))
  })
})

describe('the elements of an array', () => {
  test('they are what JSON.parse finds', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 2), (array, indent) => {
        const bytes = Buffer.from(JSON.stringify(array, null, indent))
        const scanned = scanArrayAt(bytes, 0)
        if (!scanned.ok) throw new Error(scanned.error.message)
        expect(scanned.value.elements.map((range) => parseRange(bytes, range))).toEqual(
          JSON.parse(bytes.toString()) as never,
        )
        expect(scanned.value.close).toBe(bytes.length - 1)
      }),
    )
  })

  for (const text of ['[', '[1', '[1,', '[1,]', '[,]', '["a]', '[1 2]', '{}']) {
    test(`${text} is malformed`, () => expect(scanArrayAt(Buffer.from(text), 0).ok).toBe(false))
  }

  const counts: readonly [value: string, items: number][] = [
    ['[]', 0],
    ['[ ]', 0],
    ['[1]', 1],
    ['[[1,2],{"a":[3,4]},"x,y"]', 3],
    ['{"a":1,"b":[1,2,3]}', 2],
    ['"a,b"', 0],
    ['12', 0],
  ]
  for (const [value, items] of counts) {
    test(`${value} holds ${items}`, () => expect(memberOf(scan(`{"v":${value}}`), 'v')?.items).toBe(items))
  }
})

describe('splices', () => {
  test('a replaced value and a new member leave every other byte as it was', () => {
    fc.assert(
      fc.property(anyObject, fc.nat(), fc.jsonValue(), ({ text }, chosen, fresh) => {
        const object = scan(text)
        const member = object.members[chosen % Math.max(1, object.members.length)]
        const json = JSON.stringify(fresh)
        const splices = [insertMember(object, 'added', json), ...(member ? [replaceValue(member, json)] : [])]
        const after = Buffer.from(applySplices(object.bytes, splices)).toString()
        const tail = `${object.members.length > 0 ? ',' : ''}"added":${json}}`
        const head = member
          ? textOf(object.bytes, 0, member.valueStart) + json + textOf(object.bytes, member.valueEnd, object.close)
          : textOf(object.bytes, 0, object.close)
        expect(after).toBe(head + tail)
      }),
    )
  })

  test('without any the bytes are the same ones', () => {
    const bytes = Buffer.from('{}')
    expect(applySplices(bytes, [])).toBe(bytes)
  })

  test('their order does not matter', () => {
    const bytes = Buffer.from('abc')
    const splices = [
      { start: 2, end: 3, text: 'Z' },
      { start: 0, end: 0, text: 'é' },
    ]
    expect(Buffer.from(applySplices(bytes, splices)).toString()).toBe('éabZ')
  })
})

describe('members taken away and put first', () => {
  const reshaped = (text: string, removed: readonly string[], added: readonly (readonly [string, string])[] = []) => {
    const object = scan(text)
    return Buffer.from(applySplices(object.bytes, reshape(object, new Set(removed), added))).toString()
  }

  const CASES: readonly (readonly [text: string, removed: readonly string[], result: string])[] = [
    ['{"a":1,"b":2,"c":3}', ['a'], '{"b":2,"c":3}'],
    ['{"a":1, "b":2 ,"c":3}', ['b'], '{"a":1, "c":3}'],
    ['{"a":1,"b":2,"c":3 }', ['c'], '{"a":1,"b":2 }'],
    ['{"a":1,"b":2,"c":3}', ['b', 'c'], '{"a":1}'],
    ['{ "a":1 }', ['a'], '{  }'],
    ['{"a":1,"a":2,"b":3}', ['a'], '{"b":3}'],
    ['{"a":1}', ['x'], '{"a":1}'],
  ]
  for (const [text, removed, result] of CASES) {
    test(`${text} without ${removed.join(' and ')}`, () => expect(reshaped(text, removed)).toBe(result))
  }

  test('what is put first stands before what is left, or alone', () => {
    expect(reshaped('{"a":1,"b":2}', ['a'], [['v', '"x"']])).toBe('{"v":"x","b":2}')
    expect(
      reshaped(
        '{"a":1}',
        ['a'],
        [
          ['v', '"x"'],
          ['w', '1'],
        ],
      ),
    ).toBe('{"v":"x","w":1}')
    expect(reshaped('{}', [], [['v', '1']])).toBe('{"v":1}')
  })

  test('whatever is taken and put, the rest is as it was, beside edits of values and a new last member', () => {
    fc.assert(
      fc.property(anyObject, fc.infiniteStream(fc.boolean()), fc.boolean(), ({ text, value }, coins, adds) => {
        const names = Object.keys(value)
        const removed = names.filter(() => coins.next().value === true)
        const kept = names.filter((name) => !removed.includes(name))
        if (kept.length === 0) return
        const object = scan(text)
        const edits = [...object.members]
          .filter(({ name }) => kept.includes(name))
          .map((member) => replaceValue(member, '"new"'))
        const added = adds ? ([['first of all', '1']] as const) : []
        const splices = [...reshape(object, new Set(removed), added), ...edits, insertMember(object, 'last', '2')]
        const expected = [...added.map(([name]) => [name, 1]), ...kept.map((name) => [name, 'new']), ['last', 2]]
        const result = JSON.parse(Buffer.from(applySplices(object.bytes, splices)).toString())
        expect(result).toEqual(Object.fromEntries(expected))
      }),
    )
  })
})

describe('limits', () => {
  test('depth and number of values are bounded', () => {
    expect(checkNesting(Buffer.from('[[[1]]]'), 3, 10).ok).toBe(true)
    expect(checkNesting(Buffer.from('[[[[1]]]]'), 3, 10)).toMatchObject({ ok: false, error: { kind: 'malformed' } })
    expect(checkNesting(Buffer.from('[1,2,3,4,5]'), 3, 4)).toMatchObject({ ok: false, error: { kind: 'malformed' } })
    expect(checkNesting(Buffer.from('["[[[[", "a,b,c,d,e,f"]'), 1, 4).ok).toBe(true)
  })

  test('a million brackets are refused, not followed', () => {
    const deep = Buffer.from('['.repeat(1_000_000))
    expect(checkNesting(deep, 100, 1e9).ok).toBe(false)
    expect(scanObject(Buffer.from(`{"a":${'['.repeat(1_000_000)}`)).ok).toBe(false)
  })
})

describe('what a value gets more of', () => {
  const grown = (text: string, name: string, splice: (object: ScannedObject) => Splice | undefined) => {
    const edit = splice(scan(text))
    return edit === undefined
      ? undefined
      : JSON.parse(Buffer.from(applySplices(Buffer.from(text), [edit])).toString())[name]
  }

  test.each<[list: string, index: number, becomes: readonly unknown[]]>([
    ['[]', 0, ['new']],
    ['[ ]', 1, ['new']],
    ['[ 1, {"b":2} ]', 0, ['new', 1, { b: 2 }]],
    ['[1,2]', 1, [1, 'new', 2]],
    ['[1,2]', 2, [1, 2, 'new']],
  ])('%s has an element at %d', (list, index, becomes) => {
    const insert = ({ bytes, members }: ScannedObject) => {
      const array = scanArrayAt(bytes, members[0]?.valueStart ?? 0)
      return array.ok ? insertElement(array.value, index, '"new"') : undefined
    }
    expect(grown(`{"a":${list}}`, 'a', insert)).toEqual([...becomes])
  })

  test('text goes on at the end of a string', () => {
    const extend = (object: ScannedObject) => object.members[0] && extendString(object.members[0], 'b"\n')
    expect(grown('{"a": "x\\" y"}', 'a', extend)).toBe('x" yb"\n')
    expect(grown('{"a":""}', 'a', extend)).toBe('b"\n')
  })
})

test('the elements of what is no list are none', () => {
  const object = scan('{"a":[1, [2]],"b":"[","c":{"d":1},"e":[]}')
  expect(['a', 'b', 'c', 'e', 'f'].map((name) => elementsOf(object, name).length)).toEqual([2, 0, 0, 0, 0])
})
