import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../src/core/json.ts'
import type { Part } from '../../../src/dialects/neutral.ts'
import { assistant, call, encode, TOOL, user } from './request-encoding.ts'

describe('cache marks', () => {
  const marked = (words: string, ttl?: '5m' | '1h'): Part => ({
    type: 'text',
    text: words,
    cache: ttl === undefined ? {} : { ttl },
  })
  const marks = (body: JsonObject): readonly unknown[] =>
    [
      ...((body['tools'] as JsonObject[] | undefined) ?? []),
      ...(Array.isArray(body['system']) ? (body['system'] as JsonObject[]) : []),
      ...(body['messages'] as { content: string | JsonObject[] }[]).flatMap(({ content }) =>
        typeof content === 'string' ? [] : content,
      ),
    ]
      .filter((block) => block['cache_control'] !== undefined)
      .map((block) => block['text'] ?? block['name'])

  test('at most four stay: the last ones, and the last before the conversation', () => {
    const { body } = encode({
      tools: [{ ...TOOL, cache: {} }],
      system: [{ type: 'text', text: 's', cache: {} }],
      messages: [user(marked('1'), marked('2'), marked('3'), marked('4'))],
    })
    expect(marks(body)).toEqual(['s', '2', '3', '4'])
  })

  test('a mark inside a result moves to the result, and hosted tools are counted', () => {
    const raw = {
      origin: 'anthropic-messages',
      body: { type: 'web_search_1', name: 'w', cache_control: { type: 'ephemeral' } },
    } as const
    const answer: Part = {
      type: 'tool-result',
      callId: 't',
      parts: [{ type: 'text', text: 'r', cache: { ttl: '1h' } }],
      isError: false,
    }
    const messages = [user(marked('1'), marked('2')), assistant(call('t')), user(answer, marked('3'), marked('4'))]
    const { body } = encode({ tools: [{ kind: 'hosted', name: 'w', raw }], messages })
    expect(marks(body)).toEqual(['w', undefined, '3', '4'] as never)
    expect(body['messages']).toMatchObject([
      {},
      {},
      { content: [{ content: 'r', cache_control: { type: 'ephemeral' } }, {}, {}] },
    ])
  })

  test('a long lifetime after a short one becomes short', () => {
    const { body } = encode({ messages: [user(marked('1', '1h'), marked('2'), marked('3', '1h'))] })
    expect(body['messages']).toMatchObject([
      {
        content: [
          { cache_control: { ttl: '1h' } },
          { cache_control: { type: 'ephemeral' } },
          { cache_control: { type: 'ephemeral' } },
        ],
      },
    ])
    expect(JSON.stringify(body).match(/"1h"/g)).toHaveLength(1)
  })
})
