import { describe, expect, test } from 'bun:test'
import type { Quirks } from '../../../src/catalog/provider.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import type { ChatReply } from '../../../src/dialects/neutral.ts'
import { chunk, wireStream } from './support.ts'
import { replyTo, usage } from './stream-replies.ts'

describe('usage', () => {
  const cases: readonly (readonly [string, readonly JsonObject[], Quirks, Partial<ChatReply['usage']>])[] = [
    [
      'after the reason, without choices',
      [chunk({ content: 'a' }, 'stop'), { choices: [], usage: usage(5, 2) }],
      {},
      { inputUncached: 5, output: 2 },
    ],
    [
      'on every chunk: the last one counts',
      [
        { ...chunk({ content: 'a' }), usage: usage(5, 1) },
        { ...chunk({}, 'stop'), usage: usage(5, 2) },
      ],
      {},
      { inputUncached: 5, output: 2 },
    ],
    [
      'inside the choice',
      [{ choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop', usage: usage(7, 3) }] }],
      {},
      { inputUncached: 7, output: 3 },
    ],
    ['none', [chunk({ content: 'a' }, 'stop')], {}, { inputUncached: 0, output: 0, estimated: false }],
    [
      'reasoning outside of the output',
      [
        {
          ...chunk({ content: 'a' }, 'stop'),
          usage: { ...usage(10, 4), completion_tokens_details: { reasoning_tokens: 30 } },
        },
      ],
      { reasoningOutsideOutput: true },
      { output: 34, reasoning: 30 },
    ],
    [
      'a cache larger than the prompt',
      [
        {
          ...chunk({ content: 'a' }, 'stop'),
          usage: { ...usage(10, 4), prompt_tokens_details: { cached_tokens: 40 } },
        },
      ],
      {},
      { inputUncached: 10, cacheRead: 40 },
    ],
    [
      'read and written cache apart',
      [
        {
          ...chunk({ content: 'a' }, 'stop'),
          usage: { ...usage(100, 4), prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 50 } },
        },
      ],
      {},
      { inputUncached: 10, cacheRead: 40, cacheWrite5m: 50 },
    ],
    [
      'odd values count as none',
      [
        {
          ...chunk({ content: 'a' }, 'stop'),
          usage: { prompt_tokens: null, completion_tokens: -3, prompt_tokens_details: 'x' },
        },
      ],
      {},
      { inputUncached: 0, output: 0 },
    ],
  ]
  for (const [name, stream, quirks, expected] of cases) {
    test(name, () => expect(replyTo(wireStream(...stream), quirks).usage).toMatchObject(expected))
  }
})
