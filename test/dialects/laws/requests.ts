/** Requests: whatever a client sends is decoded or refused, and what a provider gets depends on nothing else. */
import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { JsonObject } from '../../../src/core/json.ts'
import type { ChatRequest } from '../../../src/dialects/neutral.ts'
import { UPSTREAMS } from '../samples/index.ts'
import { targetContext, type ClientSample, type WholeSample } from '../samples/sample.ts'

const MEMBERS = ['model', 'messages', 'input', 'contents', 'prompt', 'system', 'tools', 'x']

export function clientRequestsAreTotal({ client }: ClientSample): void {
  const { dialect, bodies } = client

  test('any JSON object is decoded or refused, never thrown at', () => {
    const objects = fc.dictionary(fc.constantFrom(...MEMBERS), fc.jsonValue())
    fc.assert(fc.property(objects, (body) => void dialect.decodeRequest(body as JsonObject, new Headers())))
  })

  test('a body with one wrong value is decoded and sent to every provider, or refused, never thrown at', () => {
    fc.assert(
      fc.property(fc.constantFrom(...bodies), fc.nat(500), fc.jsonValue({ maxDepth: 1 }), (body, place, value) => {
        const request = dialect.decodeRequest(withOneChanged(body, place, value), new Headers())
        if (!request.ok) return expect(['malformed', 'unsupported']).toContain(request.error.kind)
        for (const { upstream } of UPSTREAMS) upstream.dialect.encodeRequest(request.value, targetContext(upstream))
      }),
      { numRuns: 500 },
    )
  })
}

export function requestsRepeat({ client, upstream }: WholeSample): void {
  test('the same request gives the same bytes, and asks for the same again', () => {
    for (const body of client.bodies) {
      const request = client.dialect.decodeRequest(body, new Headers())
      if (!request.ok) throw new Error(request.error.message)
      const [first, second] = [1, 2].map(() => upstream.dialect.encodeRequest(request.value, targetContext(upstream)))
      if (!first?.ok || !second?.ok) throw new Error('the request was refused')
      expect(JSON.stringify(first.value.body)).toBe(JSON.stringify(second.value.body))
      const again = client.dialect.decodeRequest(first.value.body, new Headers())
      if (!again.ok) throw new Error(again.error.message)
      expect(again.value.messages).toEqual(withoutMarks(request.value.messages))
    }
  })
}

/** Marks that a format may not carry. */
function withoutMarks(messages: ChatRequest['messages']): ChatRequest['messages'] {
  return JSON.parse(JSON.stringify(messages, (name, value) => (name === 'cache' ? undefined : value)))
}

/** `body` with the value at one place replaced, counting places depth first. */
function withOneChanged(body: JsonObject, place: number, value: unknown): JsonObject {
  let count = 0
  const total = JSON.stringify(body).split(/[:,[]/).length
  const target = place % total
  return JSON.parse(
    JSON.stringify(body, (name, old) => (name !== '' && count++ === target ? (value ?? null) : old)),
  ) as JsonObject
}
