/** Names and ids: within a provider's limits on the way out, the client's own on the way back. */
import { expect, test } from 'bun:test'
import { foldEvents } from '../../../src/dialects/answer/fold.ts'
import type { ChatReply, ChatRequest, Part } from '../../../src/dialects/neutral.ts'
import { targetContext, type UpstreamSample, type UpstreamSide } from '../samples/sample.ts'
import { replyContext, REQUEST } from '../samples/wire.ts'
import { decodeAll, folded, framesOf } from '../streams.ts'
import { USAGE } from './compare.ts'

const LONG = 'a'.repeat(100)
const NAMES: readonly string[] = [
  'plain',
  'with.dots',
  'with_dots',
  'mcp__server.tool/x',
  LONG,
  `${LONG}b`,
  'grüße',
  'a b',
  'a_b',
]

export function namesSurvive({ upstream }: UpstreamSample): void {
  const { dialect, toolName } = upstream
  const tools = NAMES.map((name) => ({ kind: 'function' as const, name, schema: { type: 'object' } }))

  test('every tool name is sent in a legal form of its own and comes back', () => {
    const encoded = dialect.encodeRequest({ ...REQUEST, tools }, targetContext(upstream))
    if (!encoded.ok) throw new Error(encoded.error.message)
    const { toolNames } = encoded.value
    const sent = new Map(NAMES.map((name) => [name, [...toolNames].find(([, own]) => own === name)?.[0] ?? name]))
    expect(new Set(sent.values()).size).toBe(NAMES.length)
    for (const [name, as] of sent) {
      expect(as).toMatch(toolName)
      expect(JSON.stringify(encoded.value.body)).toContain(JSON.stringify(as))
      expect(calledName(upstream, as, toolNames)).toBe(name)
      // And towards a client, who gave the name, it stays what it is.
      expect(calledName(upstream, name, new Map())).toBe(name)
    }
  })
}

function calledName(
  { dialect, vendor, voice }: UpstreamSide,
  name: string,
  toolNames: ReadonlyMap<string, string>,
): string | undefined {
  const call = { type: 'tool-call' as const, id: 'call_1', name, kind: 'function' as const, argumentsText: '{}' }
  const bytes = voice.stream({ parts: [call], finish: { reason: 'tool-calls' }, usage: USAGE })
  const events = decodeAll(dialect, framesOf(dialect.framing, bytes), replyContext(vendor, { toolNames }))
  const [part] = folded(events).parts
  return part?.type === 'tool-call' ? part.name : undefined
}

const IDS = ['call_1', 'functions.weather:0', 'x'.repeat(100), `${'x'.repeat(100)}y`, 'ünï']

/** An answer with a call under each of the ids, and the results that follow it. */
function roundOf(ids: readonly string[]): ChatRequest {
  const call = { type: 'tool-call' as const, name: 'f', kind: 'function' as const, argumentsText: '{}' }
  const results = ids.map((id, index) => ({
    type: 'tool-result' as const,
    callId: id,
    parts: [{ type: 'text' as const, text: `result ${index}` }],
    isError: false,
  }))
  const turns = [
    { role: 'assistant' as const, parts: ids.map((id) => ({ ...call, id })) },
    { role: 'user' as const, parts: results },
  ]
  return { ...REQUEST, messages: [...REQUEST.messages, ...turns] }
}

export function idsSurvive({ upstream }: UpstreamSample): void {
  const { dialect, read } = upstream

  test('calls and their results stay together under whatever id the client gave', () => {
    const encoded = dialect.encodeRequest(roundOf(IDS), targetContext(upstream))
    if (!encoded.ok) throw new Error(encoded.error.message)
    const parts: readonly Part[] = read(encoded.value.body).messages.flatMap((message) => message.parts)
    const sent = parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []))
    expect(new Set(sent).size).toBe(IDS.length)
    for (const [index, id] of sent.entries()) {
      expect(id).toMatch(/^.{1,64}$/)
      const result = parts.find((part) => part.type === 'tool-result' && part.callId === id)
      expect(result).toMatchObject({ parts: [{ text: `result ${index}` }] })
    }
  })
}

export function callsAreNamed({ upstream }: UpstreamSample): void {
  const { dialect, vendor, voice } = upstream
  const call = { type: 'tool-call' as const, id: '', name: 'f', kind: 'function' as const, argumentsText: '{"a":1}' }
  const saying = (...calls: readonly (typeof call)[]): ChatReply => ({
    parts: calls,
    finish: { reason: 'tool-calls' },
    usage: USAGE,
  })
  const streamed = (reply: ChatReply) =>
    foldEvents(decodeAll(dialect, framesOf(dialect.framing, voice.stream(reply)), replyContext(vendor)))
  const plain = (reply: ChatReply) => dialect.decodeReply(voice.plain(reply), replyContext(vendor))

  for (const [how, read] of [
    ['streamed', streamed],
    ['plain', plain],
  ] as const) {
    test(`calls without ids get one each, ${how}`, () => {
      const reply = read(saying(call, call))
      if (!reply.ok) throw new Error(reply.error.message)
      const ids = reply.value.parts.map((part) => (part.type === 'tool-call' ? part.id : ''))
      expect(ids.filter((id) => id !== '')).toHaveLength(2)
      expect(new Set(ids).size).toBe(2)
    })

    test(`a call without a name is a failure of the provider, never an answer without it, ${how}`, () => {
      expect(read(saying(call, { ...call, name: '' }))).toMatchObject({ ok: false, error: { kind: 'server' } })
      expect(read(saying({ ...call, name: '' }, call))).toMatchObject({ ok: false, error: { kind: 'server' } })
    })
  }
}
