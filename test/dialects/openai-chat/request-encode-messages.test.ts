import { describe, expect, test } from 'bun:test'
import type { Quirks } from '../../../src/catalog/provider.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import type { ChatRequest, Part } from '../../../src/dialects/neutral.ts'
import {
  assistant,
  call,
  encoded,
  type Host,
  image,
  messagesOf,
  refusalOf,
  result,
  text,
  user,
} from './request-encoding.ts'

const wireImage = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }

const wireCall = (id: string, name = 'f', args = '{}'): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})

describe('messages', () => {
  interface Case {
    readonly name: string
    readonly request: Partial<ChatRequest>
    readonly host?: Host
    readonly messages: readonly JsonObject[]
  }

  const cases: readonly Case[] = [
    {
      name: 'system text is joined to one message',
      request: { system: [text('a'), text('b')] },
      messages: [
        { role: 'system', content: 'a\n\nb' },
        { role: 'user', content: 'Hello' },
      ],
    },
    {
      name: 'a model that knows `developer` gets it',
      request: { system: [text('a')] },
      host: { can: { developerRole: true } },
      messages: [
        { role: 'developer', content: 'a' },
        { role: 'user', content: 'Hello' },
      ],
    },
    {
      name: 'a host that does not know it, not',
      request: { system: [text('a')] },
      host: { can: { developerRole: true }, quirks: { noDeveloperRole: true } },
      messages: [
        { role: 'system', content: 'a' },
        { role: 'user', content: 'Hello' },
      ],
    },
    {
      name: 'without a system role its text opens the first user message',
      request: { system: [text('a')], messages: [user(text('x'), image), { role: 'system', parts: [text('b')] }] },
      host: { quirks: { noSystemRole: true } },
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'x' }, wireImage] },
        { role: 'user', content: 'b' },
      ],
    },
    {
      name: 'text alone is a string, with media it is parts',
      request: { messages: [user(text('a'), text('b')), assistant(text('c'), text('d')), user(text('e'), image)] },
      messages: [
        { role: 'user', content: 'a\n\nb' },
        { role: 'assistant', content: 'cd' },
        { role: 'user', content: [{ type: 'text', text: 'e' }, wireImage] },
      ],
    },
    {
      name: 'content is null beside calls alone',
      request: { messages: [user(text('a')), assistant(call('1', 'f', '')), user(result('1', text('ok')))] },
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: null, tool_calls: [wireCall('1')] },
        { role: 'tool', tool_call_id: '1', content: 'ok' },
      ],
    },
    {
      name: 'text behind a call still is content',
      request: {
        messages: [user(text('a')), assistant(text('b'), call('1'), text('c')), user(result('1', text('ok')))],
      },
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'bc', tool_calls: [wireCall('1')] },
        { role: 'tool', tool_call_id: '1', content: 'ok' },
      ],
    },
    {
      name: 'results in the order of the calls, their images behind all of them',
      request: {
        messages: [
          user(text('a')),
          assistant(call('1'), call('2')),
          user(result('2', image), result('1', text('one'), image), text('look')),
        ],
      },
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: null, tool_calls: [wireCall('1'), wireCall('2')] },
        { role: 'tool', tool_call_id: '1', content: 'one\n\n(image attached)' },
        { role: 'tool', tool_call_id: '2', content: '(image attached)' },
        { role: 'user', content: [wireImage, wireImage, { type: 'text', text: 'look' }] },
      ],
    },
    {
      name: 'an image of a result without anything behind it',
      request: { messages: [user(text('a')), assistant(call('1')), user(result('1', image))] },
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: null, tool_calls: [wireCall('1')] },
        { role: 'tool', tool_call_id: '1', content: '(image attached)' },
        { role: 'user', content: [wireImage] },
      ],
    },
    {
      name: 'of two results for one call the last counts; an error says so; an empty one is told',
      request: {
        messages: [
          user(text('a')),
          assistant(call('1'), call('2')),
          user(
            result('1', text('old')),
            { type: 'tool-result', callId: '1', parts: [text('new')], isError: true },
            result('2'),
          ),
        ],
      },
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: null, tool_calls: [wireCall('1'), wireCall('2')] },
        { role: 'tool', tool_call_id: '1', content: '[error] new' },
        { role: 'tool', tool_call_id: '2', content: '(no output)' },
      ],
    },
    {
      name: 'a call that nobody answered, and a result that nobody asked for',
      request: { messages: [user(text('a')), assistant(call('1')), user(result('9', text('stray')), text('b'))] },
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: null, tool_calls: [wireCall('1')] },
        { role: 'tool', tool_call_id: '1', content: '[error] (no result)' },
        { role: 'user', content: 'stray\n\nb' },
      ],
    },
    {
      name: 'results behind a system message still go to their calls',
      request: {
        messages: [
          user(text('a')),
          assistant(call('1')),
          { role: 'system', parts: [text('s')] },
          user(result('1', text('ok'))),
        ],
      },
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: null, tool_calls: [wireCall('1')] },
        { role: 'tool', tool_call_id: '1', content: 'ok' },
        { role: 'system', content: 's' },
      ],
    },
    {
      name: 'a refusal keeps its own form',
      request: { messages: [user(text('a')), assistant(text('b'), { type: 'refusal', text: 'no' }), user(text('c'))] },
      messages: [
        { role: 'user', content: 'a' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'b' },
            { type: 'refusal', refusal: 'no' },
          ],
        },
        { role: 'user', content: 'c' },
      ],
    },
    {
      name: 'documents: text inline under its title, a PDF as a file',
      request: {
        messages: [
          user(
            { type: 'document', source: { kind: 'text', text: 'body', mime: 'text/plain' }, title: 'T', context: 'C' },
            { type: 'document', source: { kind: 'base64', mime: 'application/pdf', data: 'JVBE' }, title: 'a.pdf' },
            { type: 'document', source: { kind: 'file', id: 'file-1', origin: 'openai-chat' } },
          ),
        ],
      },
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'T\n\nC\n\nbody' },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' } },
            { type: 'file', file: { file_id: 'file-1' } },
          ],
        },
      ],
    },
    {
      name: 'audio',
      request: { messages: [user({ type: 'audio', source: { kind: 'base64', mime: 'audio/wav', data: 'AA' } })] },
      messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } }] }],
    },
    {
      name: 'blocks of another format are left out',
      request: {
        messages: [user(text('a'), { type: 'foreign', origin: 'anthropic-messages', kind: 'search_result', raw: {} })],
      },
      messages: [{ role: 'user', content: 'a' }],
    },
  ]
  for (const { name, request, host, messages } of cases) {
    test(name, () =>
      expect(JSON.parse(JSON.stringify(messagesOf(request, host)))).toEqual(JSON.parse(JSON.stringify(messages))),
    )
  }

  test('what cannot be carried at all refuses the request and names its place', () => {
    const image_ = (source: (Part & { type: 'image' })['source']): Part => ({ type: 'image', source })
    const pdf = (source: (Part & { type: 'document' })['source']): Part => ({ type: 'document', source })
    const place = 'unsupported messages.0.content'
    expect(refusalOf({ messages: [user(image_({ kind: 'file', id: 'f', origin: 'anthropic-messages' }))] })).toBe(place)
    expect(refusalOf({ messages: [user(pdf({ kind: 'file', id: 'f', origin: 'anthropic-messages' }))] })).toBe(place)
    expect(refusalOf({ messages: [user(pdf({ kind: 'url', url: 'https://x.example/a.pdf' }))] })).toBe(place)
    expect(refusalOf({ messages: [user(image)] }, { can: { images: false } })).toBe(place)
    const audio: Part = { type: 'audio', source: { kind: 'base64', mime: 'audio/wav', data: 'A' } }
    expect(refusalOf({ messages: [user(audio)] }, { can: { audio: false } })).toBe(place)
  })
})

describe('reasoning in the history', () => {
  const thought = (vendor: string | undefined, blob = ''): Part => ({
    type: 'reasoning',
    text: 'hm',
    redacted: false,
    ...(vendor === undefined ? {} : { opaque: { vendor, kind: 'signature', blob } }),
  })
  const turns = (...parts: readonly Part[]): Partial<ChatRequest> => ({
    messages: [user(text('a')), assistant(...parts), user(result('1', text('ok')))],
  })
  const replays: Quirks = { replayReasoning: true }

  const cases: readonly (readonly [string, readonly Part[], Quirks, JsonObject, readonly string[]])[] = [
    ['it goes back with calls', [thought('acme'), call('1')], replays, { reasoning_content: 'hm' }, []],
    [
      'under the name that the host uses',
      [thought('acme'), call('1')],
      { ...replays, reasoningField: 'reasoning' },
      { reasoning: 'hm' },
      [],
    ],
    [
      'what a client of this format brings itself goes back',
      [thought(undefined), call('1')],
      replays,
      { reasoning_content: 'hm' },
      [],
    ],
    [
      'never to another vendor, which gets the empty field that it needs',
      [thought('other'), call('1')],
      replays,
      { reasoning_content: '' },
      ['thinking'],
    ],
    ['without calls and without text there is no field', [thought('other'), text('x')], replays, {}, ['thinking']],
    [
      'a host that does not ask for it gets none',
      [thought('acme'), call('1')],
      { reasoningField: 'reasoning' },
      {},
      ['thinking'],
    ],
    [
      "a host's own list goes back as it came",
      [thought('acme', '[{"type":"reasoning.text","text":"hm","signature":"EqQB"}]'), text('x')],
      {},
      { reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: 'EqQB' }] },
      [],
    ],
    ['thinking never becomes visible text', [thought('other'), text('x')], {}, { content: 'x' }, ['thinking']],
  ]
  for (const [name, parts, quirks, fields, dropped] of cases) {
    test(name, () => {
      const { body, dropped: left } = encoded(turns(...parts), { quirks })
      const turn = (body['messages'] as readonly JsonObject[])[1] ?? {}
      const reasoning = Object.fromEntries(
        Object.entries(turn).filter(([key]) => key.startsWith('reasoning') || key in fields),
      )
      expect(reasoning).toEqual(fields)
      expect(left).toEqual(dropped)
    })
  }
})
