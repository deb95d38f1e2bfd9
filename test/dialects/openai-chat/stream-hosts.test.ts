import { describe, expect, test } from 'bun:test'
import type { Quirks } from '../../../src/catalog/provider.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { chunk, decodeText, DONE, toolChunk, wireStream } from './support.ts'
import { call, type Parts, replyTo, text } from './stream-replies.ts'

const CITED = {
  origin: 'openai-chat',
  body: { type: 'url_citation', url_citation: { url: 'https://x.example', title: 'X' } },
} as const

const thought = (words: string): Parts[number] => ({
  type: 'reasoning',
  text: words,
  redacted: false,
  opaque: { vendor: 'acme', kind: 'signature', blob: '' },
})

describe('what hosts do differently', () => {
  interface Case {
    readonly name: string
    readonly stream: readonly (JsonObject | string)[]
    readonly quirks?: Quirks
    readonly parts: Parts
    readonly reason?: string
  }

  const cases: readonly Case[] = [
    {
      name: 'a null type and an empty role are nothing',
      stream: [
        chunk({ role: '', content: null }),
        toolChunk({ index: 0, id: 'a', type: null, function: { name: 'f', arguments: '{}' } }),
        chunk({}, 'tool_calls'),
      ],
      parts: [call('a', 'f', '{}')],
      reason: 'tool-calls',
    },
    {
      name: 'what follows [DONE] is ignored',
      stream: [chunk({ content: 'hi' }), chunk({}, 'stop'), DONE, chunk({ content: ' more' })],
      parts: [text('hi')],
    },
    {
      name: 'a piece of reasoning that comes twice is said once by a host that repeats itself',
      stream: [
        chunk({ reasoning_content: 'Let me ' }),
        chunk({ reasoning_content: 'Let me ' }),
        chunk({ reasoning_content: 'see.' }),
        chunk({ content: 'Yes' }, 'stop'),
      ],
      quirks: { repeatsReasoning: true },
      parts: [thought('Let me see.'), text('Yes')],
    },
    {
      name: 'a change of kind closes the part before',
      stream: [
        chunk({ reasoning_content: 'a' }),
        chunk({ content: 'b' }),
        chunk({ reasoning_content: 'c' }),
        chunk({ content: 'd' }, 'stop'),
      ],
      parts: [thought('a'), text('b'), thought('c'), text('d')],
    },
    {
      name: 'data without the space',
      stream: ['data:{"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n'],
      parts: [text('x')],
    },
    {
      name: 'comments are no data',
      stream: [': OPENROUTER PROCESSING\n\n', chunk({ content: 'x' }, 'stop')],
      parts: [text('x')],
    },
    {
      name: 'chunks without choices or delta are passed over',
      stream: [
        { id: '', model: '', choices: [], prompt_filter_results: [{ prompt_index: 0 }] },
        { choices: [{ index: 0, content_filter_offsets: {} }] },
        chunk({ content: 'x' }, 'stop'),
      ],
      parts: [text('x')],
    },
    {
      name: 'a repeated delta is kept where no host is known to repeat',
      stream: [
        chunk({ reasoning_content: 'ha ' }),
        chunk({ reasoning_content: 'ha ' }),
        chunk({ content: 'x' }, 'stop'),
      ],
      parts: [thought('ha ha '), text('x')],
    },
    {
      name: 'the last delta stands in the chunk that stops',
      stream: [
        toolChunk({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":' } }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '1}' } }] }, 'tool_calls'),
      ],
      parts: [call('a', 'f', '{"x":1}')],
      reason: 'tool-calls',
    },
    {
      name: '`stop` with tool calls means the calls',
      stream: [toolChunk({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }), chunk({}, 'stop')],
      parts: [call('a', 'f', '{}')],
      reason: 'tool-calls',
    },
    {
      name: '`tool_calls` without any call means stop',
      stream: [chunk({ content: 'x' }, 'tool_calls')],
      parts: [text('x')],
    },
    {
      name: 'where [DONE] comes without a reason, it is concluded',
      stream: [chunk({ content: 'x' }), DONE],
      parts: [text('x')],
    },
    {
      name: 'a host that never gives a reason',
      stream: [chunk({ content: 'x' })],
      quirks: { endsWithoutFinish: true },
      parts: [text('x')],
    },
    {
      name: 'CRLF, lone CR, BOM and data over several lines',
      stream: [
        '\uFEFFdata: {"choices":[{"index":0,\r\ndata: "delta":{"content":"a"}}]}\r\n\r\n',
        'data: {"choices":[{"index":0,"delta":{"content":"b"},"finish_reason":"stop"}]}\r\r',
      ],
      parts: [text('ab')],
    },
    {
      name: 'a character cut in half between deltas',
      stream: [
        'data: {"choices":[{"delta":{"content":"a\\ud83d"}}]}\n\n',
        'data: {"choices":[{"delta":{"content":"\\ude00b"}}]}\n\n',
        DONE,
      ],
      parts: [text('a😀b')],
    },
    {
      name: 'a filter in the middle keeps what was said',
      stream: [chunk({ content: 'half' }), chunk({}, 'content_filter')],
      parts: [text('half')],
      reason: 'refusal',
    },
    {
      name: 'no [DONE] after the reason is a success',
      stream: [chunk({ content: 'x' }), chunk({}, 'length')],
      parts: [text('x')],
      reason: 'length',
    },
    {
      name: 'only the first choice counts',
      stream: [
        {
          choices: [
            { index: 0, delta: { content: 'a' } },
            { index: 1, delta: { content: 'b' } },
          ],
        },
        chunk({}, 'stop'),
      ],
      parts: [text('a')],
    },
    {
      name: 'several choices of a host that spreads one answer over them',
      stream: [
        { choices: [{ index: 0, delta: { content: 'a' } }] },
        {
          choices: [
            { index: 1, delta: { tool_calls: [{ index: 0, id: 't', function: { name: 'f', arguments: '{}' } }] } },
          ],
        },
        { choices: [{ index: 1, delta: {}, finish_reason: 'tool_calls' }] },
      ],
      quirks: { mergeChoices: true },
      parts: [text('a'), call('t', 'f', '{}')],
      reason: 'tool-calls',
    },
    {
      name: 'text after a reason still counts',
      stream: [chunk({ content: 'a' }, 'stop'), chunk({ content: 'b' }), DONE],
      parts: [text('ab')],
    },
    { name: 'a reason of nobody else is kept', stream: [chunk({ content: 'a' }, 'eos')], parts: [text('a')] },
    {
      name: 'reasoning_text',
      stream: [chunk({ reasoning_text: 'hm' }), chunk({ content: 'a' }, 'stop')],
      parts: [thought('hm'), text('a')],
    },
    {
      name: 'the deprecated function_call',
      stream: [
        chunk({ function_call: { name: 'f', arguments: '' } }),
        chunk({ function_call: { arguments: '{"a":1}' } }),
        chunk({}, 'function_call'),
      ],
      parts: [{ ...call('', 'f', '{"a":1}'), id: expect.stringMatching(/^call_\w{24}$/) } as Parts[number]],
      reason: 'tool-calls',
    },
    {
      name: 'a custom tool',
      stream: [
        toolChunk({ index: 0, id: 'a', type: 'custom', custom: { name: 'sql', input: '' } }),
        toolChunk({ index: 0, custom: { input: 'select 1' } }),
        chunk({}, 'tool_calls'),
      ],
      parts: [{ type: 'tool-call', id: 'a', name: 'sql', kind: 'custom', argumentsText: 'select 1' }],
      reason: 'tool-calls',
    },
    {
      name: 'citations keep their link, and what they came as',
      stream: [chunk({ content: 'a' }), chunk({ annotations: [CITED.body] }), chunk({}, 'stop')],
      parts: [{ type: 'text', text: 'a', citations: [{ url: 'https://x.example', title: 'X', raw: CITED }] }],
    },
    {
      name: 'state without text is a part of its own',
      stream: [
        chunk({ content: 'a' }),
        chunk({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'AAA', id: 'rs_1', index: 0 }] }, 'stop'),
      ],
      parts: [
        text('a'),
        {
          type: 'reasoning',
          text: '',
          redacted: true,
          opaque: {
            vendor: 'acme',
            kind: 'encrypted',
            blob: '[{"type":"reasoning.encrypted","data":"AAA","id":"rs_1","index":0}]',
          },
        },
      ],
    },
    {
      name: 'think tags of a host that writes them, cut anywhere',
      stream: ['<', 'thi', 'nk>a < b', '</thi', 'nk>\n\n', 'so <', 'b> yes']
        .map((piece) => chunk({ content: piece }))
        .concat(chunk({}, 'stop')),
      quirks: { splitThinkTags: true },
      parts: [thought('a < b'), text('so <b> yes')],
    },
    {
      name: 'a think tag that was never opened is left out',
      stream: [chunk({ content: 'hm</think>answer' }, 'stop')],
      quirks: { splitThinkTags: true },
      parts: [text('hmanswer')],
    },
    {
      name: 'think tags are text elsewhere',
      stream: [chunk({ content: '<think>a</think>b' }, 'stop')],
      parts: [text('<think>a</think>b')],
    },
  ]
  for (const { name, stream, quirks, parts, reason } of cases) {
    test(name, () => {
      const reply = replyTo(wireStream(...stream), quirks)
      expect(reply.parts).toEqual(parts)
      expect(reply.finish.reason).toBe((reason ?? 'stop') as typeof reply.finish.reason)
    })
  }

  test('the place of a citation is one in its own part of the text', () => {
    const cited = (url: string, start: number, end: number): JsonObject =>
      chunk({ annotations: [{ type: 'url_citation', url_citation: { url, start_index: start, end_index: end } }] })
    const said = [chunk({ content: 'ab' }), chunk({ refusal: 'no' }), chunk({ content: 'cd' })]
    const { parts } = replyTo(wireStream(...said, cited('u', 2, 3), cited('v', 0, 3), chunk({}, 'stop')))
    expect(parts[2]).toMatchObject({ citations: [{ url: 'u', span: { start: 0, end: 1 } }, { url: 'v' }] })
    expect(parts[2]?.type === 'text' && parts[2].citations?.[1]?.span).toBeUndefined()
  })

  test('a reason that nobody knows becomes `other` and keeps its word', () => {
    expect(replyTo(wireStream(chunk({ content: 'a' }, 'tired'))).finish).toEqual({ reason: 'other', raw: 'tired' })
  })

  test('a reason that was concluded says so', () => {
    expect(replyTo(wireStream(chunk({ content: 'a' }), DONE)).finish).toEqual({ reason: 'stop', inferred: true })
  })

  test('a call cut by the limit is marked, and the reason stays the limit', () => {
    const events = decodeText(
      wireStream(
        toolChunk({ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":' } }),
        chunk({}, 'length'),
        DONE,
      ),
    )
    expect(events).toContainEqual({ type: 'tool-call-end', complete: false })
    expect(events).toContainEqual({ type: 'finish', finish: { reason: 'length' } })
  })
})
