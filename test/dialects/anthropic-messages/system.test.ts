import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { applySplices, scanObject } from '../../../src/core/json-scan.ts'
import { anthropicMessages } from '../../../src/dialects/anthropic-messages/index.ts'

const SKILL = 'Be "brief".\nAlways.'
const BLOCK = JSON.stringify({ type: 'text', text: SKILL })

function append(body: string): string | undefined {
  const scanned = scanObject(Buffer.from(body))
  if (!scanned.ok) throw new Error(scanned.error.message)
  const splices = anthropicMessages.appendSystem(scanned.value, SKILL)
  return splices.ok ? Buffer.from(applySplices(scanned.value.bytes, splices.value)).toString() : undefined
}

describe("text after the client's system prompt", () => {
  const cases: readonly [name: string, before: string, after: string][] = [
    ['none', '{"a":1.0}', `{"a":1.0,"system":[${BLOCK}]}`],
    ['none in an empty body', '{ }', `{ "system":[${BLOCK}]}`],
    ['null', '{"system": null ,"a":1e3}', `{"system": [${BLOCK}] ,"a":1e3}`],
    [
      'a string, whose token stays',
      '{"system":"caf\\u00e9 \\/", "n":12345678901234567890}',
      `{"system":[{"type":"text","text":"caf\\u00e9 \\/"},${BLOCK}], "n":12345678901234567890}`,
    ],
    ['an empty string', '{"system":""}', `{"system":[${BLOCK}]}`],
    [
      'an array',
      '{"system":[ {"type":"text","text":"x","cache_control":{"type":"ephemeral"}} ]}',
      `{"system":[ {"type":"text","text":"x","cache_control":{"type":"ephemeral"}} ,${BLOCK}]}`,
    ],
    ['an empty array', '{"system":[ ]}', `{"system":[ ${BLOCK}]}`],
    [
      'a doubled member, of which the last counts',
      '{"system":"a","system":"b"}',
      `{"system":"a","system":[{"type":"text","text":"b"},${BLOCK}]}`,
    ],
  ]
  for (const [name, before, after] of cases) test(name, () => expect(append(before)).toBe(after))

  for (const wrong of ['7', 'true', '{"type":"text"}', '[1', 'nul']) {
    test(`${wrong} is refused`, () => {
      const scanned = scanObject(Buffer.from(`{"system":${wrong}}`))
      const result = scanned.ok ? anthropicMessages.appendSystem(scanned.value, SKILL) : scanned
      expect(result.ok).toBe(false)
    })
  }

  test('every other member keeps its bytes, and the system grows by one block', () => {
    const system = fc.oneof(
      fc.string(),
      fc.array(fc.record({ type: fc.constant('text'), text: fc.string({ minLength: 1 }) })),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), system, (others, own) => {
        const body = { ...others, system: own }
        const after = JSON.parse(append(JSON.stringify(body, null, 1)) ?? '') as typeof body
        const before = typeof own === 'string' ? (own.trim() === '' ? [] : [{ type: 'text', text: own }]) : own
        expect(after).toEqual(
          JSON.parse(JSON.stringify({ ...body, system: [...before, { type: 'text', text: SKILL }] })),
        )
      }),
    )
  })
})
