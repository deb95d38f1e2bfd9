/** What is changed in bodies that pass through, and that nothing else is. */
import { describe, expect, test } from 'bun:test'
import { applySplices, scanObject } from '../../../src/core/json-scan.ts'
import type { StandingState } from '../../../src/dialects/dialect.ts'
import { editState } from '../../../src/dialects/gemini/edit-state.ts'
import { gemini } from '../../../src/dialects/gemini/index.ts'
import { unsealedFor } from '../../../src/dialects/opaque.ts'

function scanned(body: string) {
  const result = scanObject(Buffer.from(body))
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

describe('text of the system', () => {
  function appended(body: string): string {
    const object = scanned(body)
    const splices = gemini.appendSystem(object, 'S')
    return splices.ok ? Buffer.from(applySplices(object.bytes, splices.value)).toString() : splices.error.kind
  }

  const CASES: readonly (readonly [string, string])[] = [
    ['{ "a" : 1.0 }', '{ "a" : 1.0 ,"systemInstruction":{"parts":[{"text":"S"}]}}'],
    ['{"systemInstruction":null}', '{"systemInstruction":{"parts":[{"text":"S"}]}}'],
    ['{"systemInstruction":"own"}', '{"systemInstruction":{"parts":[{"text":"own"},{"text":"S"}]}}'],
    ['{"systemInstruction":""}', '{"systemInstruction":{"parts":[{"text":"S"}]}}'],
    ['{"systemInstruction":{ "role":"x" }}', '{"systemInstruction":{ "role":"x" ,"parts":[{"text":"S"}]}}'],
    ['{"systemInstruction":{"parts":[]}}', '{"systemInstruction":{"parts":[{"text":"S"}]}}'],
    ['{"systemInstruction":{"parts":null}}', '{"systemInstruction":{"parts":[{"text":"S"}]}}'],
    ['{"systemInstruction":{"parts":{"text":"own"}}}', '{"systemInstruction":{"parts":[{"text":"own"},{"text":"S"}]}}'],
    [
      '{"system_instruction":{"parts":[ {"text":"\\u00e9"} ]}}',
      '{"system_instruction":{"parts":[ {"text":"\\u00e9"} ,{"text":"S"}]}}',
    ],
    [
      '{"cachedContent":"cachedContents/1","contents":[{"parts":[]}]}',
      '{"cachedContent":"cachedContents/1","contents":[{"role":"user","parts":[{"text":"S"}]},{"parts":[]}]}',
    ],
    ['{"systemInstruction":[1]}', 'malformed'],
    ['{"systemInstruction":{"parts":1}}', 'malformed'],
  ]
  for (const [body, expected] of CASES) test(body, () => expect(appended(body)).toBe(expected))
})

describe('signatures', () => {
  const seal = (vendor: string, kind: string, blob: string) =>
    Buffer.from(`gw1:${Buffer.from(JSON.stringify({ vendor, kind, blob })).toString('base64url')}`).toString('base64')

  function edited(parts: string, standing: StandingState = (blob, kind) => unsealedFor('google', blob, kind)): string {
    const object = scanned(`{"contents":[{"role":"model","parts":[${parts}]}]}`)
    const after = Buffer.from(applySplices(object.bytes, editState(object, standing))).toString()
    return after.slice('{"contents":[{"role":"model","parts":['.length, -']}]}'.length)
  }

  test('of the vendor stay as they are', () => {
    const own =
      '{"functionCall":{"name":"f"}, "thoughtSignature" : "Q3ByZQ=="},{"text":"","thought_signature":"Q3ByZQ=="}'
    expect(edited(own)).toBe(own)
  })

  test('in envelopes are unwrapped for their maker', () => {
    expect(edited(`{"functionCall":{"name":"f"},"thoughtSignature":"${seal('google', 'signature', 'own')}"}`)).toBe(
      '{"functionCall":{"name":"f"},"thoughtSignature":"own"}',
    )
  })

  test('of others leave a call standing, and take a thought with them', () => {
    const foreign = seal('anthropic', 'signature', 'theirs')
    expect(
      edited(
        `{"text":"","thought":true,"thoughtSignature":"${foreign}"},{"text":"a"},{"functionCall":{"name":"f"},"thoughtSignature":"${foreign}"}`,
      ),
    ).toBe('{"text":"a"},{"functionCall":{"name":"f"},"thoughtSignature":"skip_thought_signature_validator"}')
  })

  test('that the provider refuses go as well', () => {
    expect(
      edited('{"text":"a","thoughtSignature":"Q3ByZQ=="},{"text":"","thoughtSignature":"Q3ByZQ=="}', () => undefined),
    ).toBe('{"text":"a","thoughtSignature":"skip_thought_signature_validator"}')
  })
})
