import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../src/core/json.ts'
import { assistant, bodyOf, call, content, LLAMA, NOVA, result, sent, text, tool, user } from './request-encoding.ts'

describe('cache points', () => {
  const POINT = { cachePoint: { type: 'default' } }
  const LONG_POINT = { cachePoint: { type: 'default', ttl: '1h' } }
  const kept = (words: string, ttl?: '1h' | '5m' | '30m') => ({
    ...text(words),
    cache: ttl === undefined ? {} : { ttl },
  })

  test('are blocks of their own behind what they close: among tools, in the system prompt and in turns', () => {
    const body = bodyOf({
      tools: [tool('f', { cache: {} }), tool('g')],
      system: [kept('A'), text('B')],
      messages: [user(kept('q')), assistant(call('a')), user({ ...result('a'), cache: {} })],
    })
    expect((body['toolConfig'] as { tools: JsonObject[] }).tools.map((one) => Object.keys(one)[0])).toEqual([
      'toolSpec',
      'cachePoint',
      'toolSpec',
    ])
    expect(body['system']).toEqual([{ text: 'A' }, POINT, { text: 'B' }])
    expect(body['messages']).toMatchObject([
      { content: [{ text: 'q' }, POINT] },
      {},
      { content: [{ toolResult: { content: [{ text: 'done' }] } }, POINT] },
    ])
  })

  test('a mark inside a result stands behind the result', () => {
    const marked = { ...result('a'), parts: [kept('done')] }
    expect(content({ messages: [user(text('q')), assistant(call('a')), user(marked)] }, 2)).toMatchObject([
      { toolResult: { content: [{ text: 'done' }] } },
      POINT,
    ])
  })

  test('last an hour where asked, before those that do not', () => {
    const body = bodyOf({ system: [kept('A', '1h')], messages: [user(kept('q', '30m'), kept('r', '1h'))] })
    expect(body['system']).toEqual([{ text: 'A' }, LONG_POINT])
    expect(content({ system: [kept('A', '1h')], messages: [user(kept('q', '30m'), kept('r', '1h'))] })).toEqual([
      { text: 'q' },
      POINT,
      { text: 'r' },
      POINT,
    ])
  })

  test('are four at most: the last ones, and the last one before the conversation', () => {
    const body = bodyOf({
      system: [kept('A'), kept('B')],
      messages: [user(...['1', '2', '3', '4', '5'].map((n) => kept(n)))],
    })
    expect(body['system']).toEqual([{ text: 'A' }, { text: 'B' }, POINT])
    expect(body['messages']).toMatchObject([
      { content: [{ text: '1' }, { text: '2' }, { text: '3' }, POINT, { text: '4' }, POINT, { text: '5' }, POINT] },
    ])
  })

  test('are left out where the model’s family refuses them, and named', () => {
    const asked = { tools: [tool('f', { cache: {} })], system: [kept('A', '1h')] }
    expect(sent({ ...asked, to: NOVA })).toMatchObject({
      body: { system: [{ text: 'A' }, POINT] },
      dropped: ['cache_control'],
    })
    expect(sent({ ...asked, to: LLAMA })).toMatchObject({
      body: { system: [{ text: 'A' }] },
      dropped: ['cache_control'],
    })
  })
})
