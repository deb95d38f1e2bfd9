import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../src/core/json.ts'
import type { ChatRequest } from '../../../src/dialects/neutral.ts'
import { sealOpaque } from '../../../src/dialects/opaque.ts'
import { decoded, USER } from './request-decoding.ts'

const conversation = (...messages: readonly JsonObject[]): ChatRequest => decoded({ messages })

const text = (words: string): JsonObject => ({ type: 'text', text: words })

const calling = (...ids: readonly string[]): JsonObject => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: `f_${id}`, arguments: '{"x": 1}' } })),
})

const call = (id: string): JsonObject => ({
  type: 'tool-call',
  id,
  name: `f_${id}`,
  kind: 'function',
  argumentsText: '{"x": 1}',
})

const result = (callId: string, words: string): JsonObject => ({
  type: 'tool-result',
  callId,
  parts: [text(words)],
  isError: false,
})

describe('the conversation', () => {
  const cases: readonly (readonly [string, readonly JsonObject[], JsonObject])[] = [
    [
      'leading system and developer messages are the system text',
      [{ role: 'system', content: 'a' }, { role: 'developer', content: [text('b'), text('c')] }, USER],
      { system: [text('a'), text('b'), text('c')], messages: [{ role: 'user', parts: [text('hi')] }] },
    ],
    [
      'a later system message stays where it stands',
      [USER, { role: 'system', content: 'be brief' }, USER],
      {
        system: [],
        messages: [
          { role: 'user', parts: [text('hi')] },
          { role: 'system', parts: [text('be brief')] },
          { role: 'user', parts: [text('hi')] },
        ],
      },
    ],
    [
      'results are one turn of the user, first in it, in the order of the calls',
      [
        USER,
        calling('a', 'b'),
        { role: 'tool', tool_call_id: 'b', content: 'two' },
        { role: 'tool', tool_call_id: 'a', content: [text('one')] },
        { role: 'user', content: 'and?' },
      ],
      {
        messages: [
          { role: 'user', parts: [text('hi')] },
          { role: 'assistant', parts: [call('a'), call('b')] },
          { role: 'user', parts: [result('a', 'one'), result('b', 'two'), text('and?')] },
        ],
      },
    ],
    [
      'empty text leaves nothing',
      [
        { role: 'user', content: [text(''), text('x')] },
        { role: 'assistant', content: '' },
        { role: 'user', content: 'y' },
      ],
      { messages: [{ role: 'user', parts: [text('x'), text('y')] }] },
    ],
    [
      'users of different names stay apart',
      [
        { role: 'user', name: 'ann', content: 'x' },
        { role: 'user', name: 'bob', content: 'y' },
      ],
      {
        messages: [
          { role: 'user', name: 'ann', parts: [text('x')] },
          { role: 'user', name: 'bob', parts: [text('y')] },
        ],
      },
    ],
    [
      'an assistant turn: reasoning, text, refusal, calls',
      [
        USER,
        {
          role: 'assistant',
          content: [text('a'), { type: 'refusal', refusal: 'no' }],
          reasoning_content: 'hm',
          tool_calls: calling('a')['tool_calls'] as JsonObject[],
        },
      ],
      {
        messages: [
          { role: 'user', parts: [text('hi')] },
          {
            role: 'assistant',
            parts: [
              { type: 'reasoning', text: 'hm', redacted: false },
              text('a'),
              { type: 'refusal', text: 'no' },
              call('a'),
            ],
          },
        ],
      },
    ],
    [
      'a custom call',
      [{ role: 'assistant', tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'sql', input: 'select 1' } }] }],
      {
        messages: [
          {
            role: 'assistant',
            parts: [{ type: 'tool-call', id: 'a', name: 'sql', kind: 'custom', argumentsText: 'select 1' }],
          },
        ],
      },
    ],
    [
      'the deprecated functions find their call by name',
      [
        USER,
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
        { role: 'function', name: 'f', content: 'done' },
      ],
      {
        messages: [
          { role: 'user', parts: [text('hi')] },
          {
            role: 'assistant',
            parts: [{ type: 'tool-call', id: 'call_messages_1', name: 'f', kind: 'function', argumentsText: '{}' }],
          },
          { role: 'user', parts: [result('call_messages_1', 'done')] },
        ],
      },
    ],
  ]
  for (const [name, messages, expected] of cases) {
    test(name, () => expect(conversation(...messages)).toMatchObject(expected))
  }

  test('our envelopes bring their state back, with the text that it belongs to', () => {
    const opaque = { vendor: 'anthropic', kind: 'signature', blob: 'EqQB' } as const
    const hidden = { vendor: 'openai', kind: 'encrypted', blob: 'gAAA' } as const
    const [turn] = conversation({
      role: 'assistant',
      content: 'x',
      reasoning_content: 'ab',
      reasoning_details: [
        { type: 'reasoning.text', text: 'ab', signature: sealOpaque(opaque), index: 0 },
        { type: 'reasoning.encrypted', data: sealOpaque(hidden), index: 1 },
      ],
    }).messages
    expect(turn?.parts.slice(0, 2)).toEqual([
      { type: 'reasoning', text: 'ab', opaque, redacted: false },
      { type: 'reasoning', text: '', opaque: hidden, redacted: true },
    ])
  })

  test("a host's own state, whose origin nobody knows, is left behind; the text stays", () => {
    const [turn] = conversation({
      role: 'assistant',
      reasoning: 'hm',
      reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: 'EqQB' }],
    }).messages
    expect(turn?.parts).toEqual([{ type: 'reasoning', text: 'hm', redacted: false }])
  })
})

describe('parts', () => {
  const PNG = 'iVBORw0KGgoAAAANSUhEUg=='
  const cases: readonly (readonly [string, JsonObject, JsonObject])[] = [
    [
      'an image by address',
      { type: 'image_url', image_url: { url: 'https://x.example/a.png', detail: 'low' } },
      { type: 'image', source: { kind: 'url', url: 'https://x.example/a.png' }, detail: 'low' },
    ],
    [
      'an image inside',
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
      { type: 'image', source: { kind: 'base64', mime: 'image/png', data: PNG } },
    ],
    [
      'the type that the bytes show, not the one that was claimed',
      { type: 'image_url', image_url: { url: `data:image/*;charset=utf-8;base64,${PNG}` } },
      { type: 'image', source: { kind: 'base64', mime: 'image/png', data: PNG } },
    ],
    [
      'a payload that is not base64',
      { type: 'image_url', image_url: { url: 'data:image/svg+xml,%3Csvg%2F%3E' } },
      {
        type: 'image',
        source: { kind: 'base64', mime: 'image/svg+xml', data: Buffer.from('<svg/>').toString('base64') },
      },
    ],
    [
      'audio',
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
      { type: 'audio', source: { kind: 'base64', mime: 'audio/mpeg', data: 'AAAA' }, format: 'mp3' },
    ],
    [
      'a PDF',
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0x' } },
      {
        type: 'document',
        title: 'a.pdf',
        source: { kind: 'base64', mime: 'application/pdf', data: 'JVBERi0x', filename: 'a.pdf' },
      },
    ],
    [
      'a file that is stored at the vendor',
      { type: 'file', file: { file_id: 'file-1' } },
      { type: 'document', source: { kind: 'file', id: 'file-1', origin: 'openai-chat' } },
    ],
    [
      'a mark for the cache',
      { type: 'text', text: 'x', prompt_cache_breakpoint: { mode: 'explicit', ttl: '30m' } },
      { type: 'text', text: 'x', cache: { ttl: '30m' } },
    ],
  ]
  for (const [name, wire, part] of cases) {
    test(name, () => {
      const [turn] = conversation({ role: 'user', content: [wire] }).messages
      expect(turn?.parts[0] as unknown).toEqual(part)
    })
  }
})
