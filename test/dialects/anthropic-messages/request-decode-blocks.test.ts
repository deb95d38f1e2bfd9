import { describe, expect, test } from 'bun:test'
import { sealOpaque } from '../../../src/dialects/opaque.ts'
import { BASE, decoded } from './request-decoding.ts'

/** The parts of the first message of `role` whose content is `blocks`. */
function partsOf(role: 'user' | 'assistant', blocks: readonly object[]): readonly unknown[] {
  return decoded({ messages: [{ role, content: blocks }] }).messages[0]?.parts ?? []
}

describe('content blocks', () => {
  const PNG = { type: 'base64', media_type: 'image/png', data: 'iVBOR' }
  const user: readonly [name: string, block: object, parts: readonly unknown[]][] = [
    [
      'text with a mark',
      { type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '5m' } },
      [{ type: 'text', text: 'a', cache: { ttl: '5m' } }],
    ],
    ['empty text', { type: 'text', text: '' }, []],
    [
      'an image',
      { type: 'image', source: PNG },
      [{ type: 'image', source: { kind: 'base64', mime: 'image/png', data: 'iVBOR' } }],
    ],
    [
      'an image by address',
      { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } },
      [{ type: 'image', source: { kind: 'url', url: 'https://a.example/b.png' } }],
    ],
    [
      'an image by id',
      { type: 'image', source: { type: 'file', file_id: 'file_1' } },
      [{ type: 'image', source: { kind: 'file', id: 'file_1', origin: 'anthropic-messages' } }],
    ],
    [
      'a document',
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' },
        title: 'T',
        context: 'C',
        citations: { enabled: true },
      },
      [
        {
          type: 'document',
          source: { kind: 'base64', mime: 'application/pdf', data: 'JVBE' },
          title: 'T',
          context: 'C',
          citations: true,
        },
      ],
    ],
    [
      'a document of text',
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'words' } },
      [{ type: 'document', source: { kind: 'text', text: 'words', mime: 'text/plain' } }],
    ],
    [
      'a document of blocks',
      {
        type: 'document',
        source: {
          type: 'content',
          content: [
            { type: 'text', text: 'a' },
            { type: 'image', source: PNG },
            { type: 'text', text: 'b' },
          ],
        },
      },
      [
        { type: 'document', source: { kind: 'text', text: 'a\n\nb', mime: 'text/plain' } },
        { type: 'image', source: { kind: 'base64', mime: 'image/png', data: 'iVBOR' } },
      ],
    ],
    [
      'a search result',
      { type: 'search_result', source: 'https://a.example', title: 'T', content: [{ type: 'text', text: 'found' }] },
      [
        {
          type: 'document',
          source: { kind: 'text', text: 'found', mime: 'text/plain' },
          title: 'T',
          context: 'https://a.example',
        },
      ],
    ],
    [
      'a result as a string',
      { type: 'tool_result', tool_use_id: 't', content: 'ok' },
      [{ type: 'tool-result', callId: 't', parts: [{ type: 'text', text: 'ok' }], isError: false }],
    ],
    [
      'a result with a picture, gone wrong',
      { type: 'tool_result', tool_use_id: 't', is_error: true, content: [{ type: 'image', source: PNG }] },
      [
        {
          type: 'tool-result',
          callId: 't',
          parts: [{ type: 'image', source: { kind: 'base64', mime: 'image/png', data: 'iVBOR' } }],
          isError: true,
        },
      ],
    ],
    [
      'a result without content',
      { type: 'tool_result', tool_use_id: 't' },
      [{ type: 'tool-result', callId: 't', parts: [], isError: false }],
    ],
    [
      'a block from the future',
      { type: 'hologram', x: 1 },
      [{ type: 'foreign', origin: 'anthropic-messages', kind: 'hologram', raw: { type: 'hologram', x: 1 } }],
    ],
  ]
  for (const [name, block, parts] of user)
    test(`${name} of the user`, () => expect(partsOf('user', [block])).toEqual(parts))

  const sealed = sealOpaque({ vendor: 'openai', kind: 'encrypted', blob: 'enc' })
  const assistant: readonly [name: string, block: object, part: object][] = [
    [
      'genuine thinking',
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      {
        type: 'reasoning',
        text: 'hm',
        redacted: false,
        opaque: { vendor: 'anthropic', kind: 'signature', blob: 'sig' },
      },
    ],
    [
      'thinking in an envelope',
      { type: 'thinking', thinking: '', signature: sealed },
      { type: 'reasoning', text: '', redacted: false, opaque: { vendor: 'openai', kind: 'encrypted', blob: 'enc' } },
    ],
    [
      'thinking without a signature',
      { type: 'thinking', thinking: 'hm' },
      { type: 'reasoning', text: 'hm', redacted: false },
    ],
    [
      'a forged envelope',
      { type: 'thinking', thinking: 'hm', signature: 'gw1:!!' },
      { type: 'reasoning', opaque: { vendor: 'anthropic', blob: 'gw1:!!' } },
    ],
    [
      'redacted thinking',
      { type: 'redacted_thinking', data: 'd' },
      { type: 'reasoning', text: '', redacted: true, opaque: { vendor: 'anthropic', kind: 'redacted', blob: 'd' } },
    ],
    [
      'a call',
      { type: 'tool_use', id: 't', name: 'f', input: { a: [1, 'x'] } },
      { type: 'tool-call', id: 't', name: 'f', kind: 'function', argumentsText: '{"a":[1,"x"]}' },
    ],
    [
      'a hosted transcript',
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'foreign', kind: 'server_tool_use', raw: { id: 's' } },
    ],
    [
      'text with citations',
      { type: 'text', text: 'a', citations: [{ type: 'char_location' }] },
      {
        type: 'text',
        text: 'a',
        citations: [{ raw: { origin: 'anthropic-messages', body: { type: 'char_location' } } }],
      },
    ],
  ]
  for (const [name, block, part] of assistant) {
    test(`${name} of the assistant`, () => expect(partsOf('assistant', [block])).toMatchObject([part] as never))
  }

  test('results come first, in the order of their calls', () => {
    const call = (id: string): object => ({ type: 'tool_use', id, name: 'f', input: {} })
    const result = (id: string): object => ({ type: 'tool_result', tool_use_id: id })
    const messages = [
      ...BASE.messages,
      { role: 'assistant', content: [call('a'), call('b')] },
      { role: 'user', content: [{ type: 'text', text: 'and' }, result('b')] },
      { role: 'user', content: [result('a')] },
    ]
    const last = decoded({ messages }).messages.at(-1)
    expect(last?.parts).toMatchObject([{ callId: 'a' }, { callId: 'b' }, { text: 'and' }])
  })
})
