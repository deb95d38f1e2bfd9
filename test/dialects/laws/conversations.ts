/** Conversations reach a provider whole, the same ones in the same bytes, and longer ones with the shorter as their beginning. */
import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { Json, JsonObject } from '../../../src/core/json.ts'
import type { MediaKind } from '../../../src/dialects/dialect.ts'
import type { ChatRequest, Message, Part } from '../../../src/dialects/neutral.ts'
import { REQUEST } from '../samples/wire.ts'
import { requests } from '../arbitraries.ts'
import { targetContext, type UpstreamSample, type UpstreamSide } from '../samples/sample.ts'

const MEDIA: readonly MediaKind[] = ['image', 'document']

export function conversationsArrive(sample: UpstreamSample): void {
  const { upstream } = sample
  const { read, opaque, media = MEDIA } = upstream

  test('the same history gives the same bytes, and a longer one begins with them', () => {
    fc.assert(
      fc.property(requests(opaque, media), (request) => {
        const whole = turnsIn(encoded(upstream, request))
        expect(encoded(upstream, structuredClone(request))).toEqual(encoded(upstream, request))
        for (let length = 1; length < request.messages.length; length += 2) {
          const earlier = turnsIn(encoded(upstream, { ...request, messages: request.messages.slice(0, length) }))
          expect(whole.slice(0, earlier.length)).toEqual([...earlier])
        }
      }),
    )
  })

  // Where clients do not carry state, what goes to a provider with it is not read back.
  const state = sample.client?.dialect.carriesOpaque === false ? undefined : opaque

  test('what a conversation holds arrives, each thing in its turn', () => {
    fc.assert(
      fc.property(requests(state, media), (request) => {
        const arrived = read(encoded(upstream, request))
        expect(summary(arrived.messages)).toEqual(summary(request.messages))
        expect(words(arrived.system)).toBe(words(request.system))
        expect(arrived.tools.map(offered)).toEqual(request.tools.map(offered))
      }),
    )
  })

  test('a call without arguments goes back with an empty object, whatever stands for none', () => {
    for (const argumentsText of ['', 'null', ' ']) {
      const call = {
        type: 'tool-call' as const,
        id: 'call_1',
        name: 'weather',
        kind: 'function' as const,
        argumentsText,
      }
      const answer = { type: 'tool-result' as const, callId: 'call_1', parts: [], isError: false }
      const messages: readonly Message[] = [
        ...REQUEST.messages,
        { role: 'assistant', parts: [call] },
        { role: 'user', parts: [answer] },
      ]
      const body = encoded(upstream, { ...REQUEST, messages })
      expect(JSON.stringify(body)).toMatch(/"(?:arguments|input|args)":(?:"\{\}"|\{\})/)
      expect(JSON.stringify(read(body).messages)).toMatch(/"argumentsText":"(?:\{\})?"/)
    }
  })

  test('what arrived says the same when it is sent again', () => {
    fc.assert(
      fc.property(requests(state, media), (request) => {
        const body = encoded(upstream, request)
        const again = encoded(upstream, { ...read(body), model: request.model })
        expect(turnsIn(again)).toEqual(turnsIn(body))
      }),
    )
  })
}

function encoded(upstream: UpstreamSide, request: ChatRequest): JsonObject {
  const result = upstream.dialect.encodeRequest(request, targetContext(upstream))
  if (!result.ok) throw new Error(result.error.message)
  return JSON.parse(JSON.stringify(result.value.body)) as JsonObject
}

/** The turns of a body, whatever the format calls them. */
function turnsIn(body: JsonObject): readonly Json[] {
  const turns = body['messages'] ?? body['input'] ?? body['contents']
  if (!Array.isArray(turns)) throw new Error('a body without turns')
  return turns
}

function offered({ name, description }: ChatRequest['tools'][number]): object {
  return { name, description }
}

interface Turn {
  readonly role: string
  text: string
  readonly calls: [name: string, args: unknown][]
  /** By the place of the call in the turn before: ids may be the format's own. */
  readonly results: [call: number, text: string][]
  readonly media: string[]
  thinks: boolean
}

/** What a conversation holds, without what formats lose: the order inside a turn, how a text is divided, and spaces. */
function summary(messages: readonly Message[]): readonly Turn[] {
  const turns: Turn[] = []
  let ids: string[] = []
  for (const { role, parts } of messages) {
    let turn = turns.at(-1)
    if (turn?.role !== role) {
      turn = { role, text: '', calls: [], results: [], media: [], thinks: false }
      turns.push(turn)
      if (role === 'assistant') ids = []
    }
    for (const part of parts) note(turn, part, ids)
  }
  return turns.map((turn) => ({ ...turn, text: turn.text.replaceAll(/\s+/g, '') }))
}

function note(turn: Turn, part: Part, ids: string[]): void {
  if (part.type === 'text') turn.text += part.text
  else if (part.type === 'image' || part.type === 'document') turn.media.push(mediumOf(part))
  else if (part.type === 'reasoning') turn.thinks = true
  else if (part.type === 'tool-call') {
    ids.push(part.id)
    turn.calls.push([part.name, JSON.parse(part.argumentsText || '{}')])
  } else if (part.type === 'tool-result') turn.results.push([ids.indexOf(part.callId), resultText(part.parts)])
}

function mediumOf({ type, source }: Extract<Part, { type: 'image' | 'document' }>): string {
  return source.kind === 'base64' ? `${type} ${source.mime} ${source.data}` : `${type} ${source.kind}`
}

/** That a result is an error is said in words where there is no field for it. */
function resultText(parts: readonly Part[]): string {
  return words(parts).replace(/^\[error\]|^Error:/, '')
}

function words(parts: readonly Part[]): string {
  return parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
    .replaceAll(/\s+/g, '')
}
