/** Skills go behind the client's own system prompt by splices alone. */
import { expect, test } from 'bun:test'
import { applySplices, scanObject } from '../../../src/core/json-scan.ts'
import type { ChatRequest } from '../../../src/dialects/neutral.ts'
import type { ClientSample } from '../samples/sample.ts'

const SKILL = 'Say "é" \\ and\nnew lines. 😀'

export function systemTextIsAppended({ client }: ClientSample): void {
  const { dialect, bodies } = client

  for (const [index, body] of bodies.entries()) {
    test(`skill text goes behind the client's own system prompt, and nothing else moves (body ${index})`, () => {
      // Numbers and spaces that no serialiser would write this way again.
      const bytes = Buffer.from(JSON.stringify(body, null, 1).replace('{', '{ "temperature" : 1.0 ,'))
      const before = scanObject(bytes)
      if (!before.ok) throw new Error(before.error.message)
      const splices = dialect.appendSystem(before.value, SKILL)
      if (!splices.ok) throw new Error(splices.error.message)
      const after = Buffer.from(applySplices(bytes, splices.value))
      expect(systemText(after)).toBe([systemText(bytes), SKILL].filter((text) => text !== '').join('\n\n'))
      expect(withoutSplices(bytes, splices.value)).toBe(remaining(after, splices.value))
      expect(conversation(after)).toEqual(conversation(bytes))
    })
  }

  function decoded(bytes: Uint8Array): ChatRequest {
    const request = dialect.decodeRequest(JSON.parse(Buffer.from(bytes).toString()), new Headers())
    if (!request.ok) throw new Error(request.error.message)
    return request.value
  }

  function systemText(bytes: Uint8Array): string {
    return decoded(bytes)
      .system.map(({ text }) => text)
      .join('\n\n')
  }

  function conversation(bytes: Uint8Array): object {
    const { system: _, ...rest } = decoded(bytes)
    return rest
  }
}

type Splices = readonly { readonly start: number; readonly end: number; readonly text: string }[]

/** The bytes of the client that no splice replaces. */
function withoutSplices(bytes: Uint8Array, splices: Splices): string {
  return Buffer.from(
    applySplices(
      bytes,
      splices.map((splice) => ({ ...splice, text: '' })),
    ),
  ).toString()
}

/** The edited bytes without what the splices put in. */
function remaining(after: Uint8Array, splices: Splices): string {
  let shift = 0
  const inserted = splices
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end, text }) => {
      const length = Buffer.byteLength(text)
      const place = { start: start + shift, end: start + shift + length, text: '' }
      shift += length - (end - start)
      return place
    })
  return Buffer.from(applySplices(after, inserted)).toString()
}
