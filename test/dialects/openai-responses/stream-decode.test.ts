import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { Result } from '../../../src/core/result.ts'
import { foldEvents } from '../../../src/dialects/answer/fold.ts'
import type { ChatReply } from '../../../src/dialects/neutral.ts'
import { decodeReply } from '../../../src/dialects/openai-responses/stream-decode.ts'
import { firstViolation } from '../../support/validator.ts'
import { cutsOf } from '../streams.ts'
import { decode, decodeChunks, replyContext, sse } from './support.ts'

const RESPONSE = { id: 'resp_1', object: 'response', model: 'gpt-6', status: 'in_progress', output: [] }
const CREATED = sse({ type: 'response.created', response: RESPONSE })
const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 17,
}

function terminal(status: string, output: readonly object[], more: object = {}): string {
  return sse({ type: `response.${status}`, response: { ...RESPONSE, status, output, usage: USAGE, ...more } })
}

function event(type: string, output_index: number, fields: object): string {
  return sse({ type: `response.${type}`, output_index, ...fields })
}

function message(id: string, text: string, status = 'completed') {
  const content = text === '' ? [] : [{ type: 'output_text', text, annotations: [] }]
  return { type: 'message', id, role: 'assistant', status, content }
}

function call(id: string, argumentsText: string, more: object = {}) {
  return {
    type: 'function_call',
    id: `fc_${id}`,
    call_id: `call_${id}`,
    name: 'add',
    arguments: argumentsText,
    ...more,
  }
}

function textItem(index: number, id: string, ...deltas: readonly string[]): string {
  const text = deltas.join('')
  return [
    event('output_item.added', index, { item: message(id, '', 'in_progress') }),
    event('content_part.added', index, { item_id: id, content_index: 0, part: { type: 'output_text', text: '' } }),
    ...deltas.map((delta) => event('output_text.delta', index, { item_id: id, content_index: 0, delta })),
    event('output_text.done', index, { item_id: id, content_index: 0, text }),
    event('output_item.done', index, { item: message(id, text) }),
  ].join('')
}

function callItem(index: number, id: string, ...deltas: readonly string[]): string {
  return [
    event('output_item.added', index, { item: call(id, '', { status: 'in_progress' }) }),
    ...deltas.map((delta) => event('function_call_arguments.delta', index, { item_id: `fc_${id}`, delta })),
    event('function_call_arguments.done', index, { item_id: `fc_${id}`, arguments: deltas.join('') }),
    event('output_item.done', index, { item: call(id, deltas.join(''), { status: 'completed' }) }),
  ].join('')
}

function value(result: Result<ChatReply, { readonly kind: string }>): ChatReply {
  if (!result.ok) throw new Error(result.error.kind)
  return result.value
}

function fold(stream: string): ChatReply {
  const events = decode(stream)
  expect(firstViolation(events)).toBeUndefined()
  return value(foldEvents(events))
}

function failureOf(stream: string): string | undefined {
  const events = decode(stream)
  expect(firstViolation(events)).toBeUndefined()
  const failed = events.find((one) => one.type === 'failure')
  return failed?.type === 'failure' ? failed.failure.kind : undefined
}

test('text, reasoning and calls keep their order', () => {
  const summary = (text: string) => ({ type: 'summary_text', text })
  const done = {
    type: 'reasoning',
    id: 'rs_1',
    summary: [summary('One.'), summary('Two.')],
    encrypted_content: 'state',
  }
  const stream =
    CREATED +
    event('output_item.added', 0, {
      item: { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'early' },
    }) +
    event('reasoning_summary_part.added', 0, { summary_index: 0, part: summary('') }) +
    event('reasoning_summary_text.delta', 0, { summary_index: 0, delta: 'One.' }) +
    event('reasoning_summary_text.done', 0, { summary_index: 0, text: 'One.' }) +
    event('reasoning_summary_text.delta', 0, { summary_index: 1, delta: 'Two.' }) +
    event('output_item.done', 0, { item: done }) +
    textItem(1, 'msg_1', 'a', 'b') +
    callItem(2, '1', '{"a":', '1}') +
    terminal('completed', [done, message('msg_1', 'ab'), call('1', '{"a":1}')])
  expect(fold(stream)).toMatchObject({
    id: 'resp_1',
    model: 'gpt-6',
    parts: [
      { type: 'reasoning', text: 'One.\n\nTwo.', opaque: { vendor: 'openai', kind: 'encrypted', blob: 'state' } },
      { type: 'text', text: 'ab' },
      { type: 'tool-call', id: 'call_1', name: 'add', argumentsText: '{"a":1}' },
    ],
    finish: { reason: 'tool-calls' },
    usage: { inputUncached: 6, cacheRead: 4, output: 7, reasoning: 3 },
  })
})

test('encrypted reasoning is taken from the finished item', () => {
  const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'final' }
  const added = event('output_item.added', 0, { item: { ...item, encrypted_content: 'early' } })
  const onlyInSnapshot = CREATED + added + terminal('completed', [item])
  const inDone = CREATED + added + event('output_item.done', 0, { item }) + terminal('completed', [item])
  for (const stream of [onlyInSnapshot, inDone]) {
    expect(fold(stream).parts).toMatchObject([{ type: 'reasoning', text: '', opaque: { blob: 'final' } }])
  }
})

test('ids that rotate between events do not matter', () => {
  const stream =
    CREATED +
    event('output_item.added', 0, { item: message('msg_a', '') }) +
    event('output_text.delta', 0, { item_id: 'msg_b', content_index: 0, delta: 'x' }) +
    event('output_item.done', 0, { item: message('msg_c', 'xy') }) +
    terminal('completed', [message('msg_d', 'xy')])
  expect(fold(stream).parts).toEqual([{ type: 'text', text: 'xy' }])
})

test('where the network cuts the bytes never matters', () => {
  const stream = Buffer.from(
    CREATED + textItem(0, 'msg_1', 'Grüße ', '😀') + callItem(1, '1', '{}') + terminal('completed', []),
  )
  const whole = decode(stream.toString())
  fc.assert(fc.property(cutsOf(stream), (chunks) => expect(decodeChunks(chunks)).toEqual(whole)))
})

test('interleaved items come one after another, complete', () => {
  const stream =
    CREATED +
    event('output_item.added', 0, { item: call('1', '') }) +
    event('output_item.added', 1, { item: call('2', '') }) +
    event('function_call_arguments.delta', 1, { delta: '{"b"' }) +
    event('function_call_arguments.delta', 0, { delta: '{"a"' }) +
    event('function_call_arguments.delta', 1, { delta: ':2}' }) +
    event('function_call_arguments.delta', 0, { delta: ':1}' }) +
    event('output_item.done', 1, { item: call('2', '{"b":2}') }) +
    event('output_item.done', 0, { item: call('1', '{"a":1}') }) +
    terminal('completed', [])
  expect(fold(stream).parts).toMatchObject([{ argumentsText: '{"a":1}' }, { argumentsText: '{"b":2}' }])
})

test('what only a `done` or the snapshot says is not lost, and what they repeat is not doubled', () => {
  const onlyDone =
    CREATED +
    event('output_item.added', 0, { item: message('m', '') }) +
    event('output_text.done', 0, { content_index: 0, text: 'whole' }) +
    event('output_item.done', 0, { item: message('m', 'whole') }) +
    terminal('completed', [message('m', 'whole')])
  const suffix =
    CREATED +
    event('output_text.delta', 0, { content_index: 0, delta: 'who' }) +
    terminal('completed', [message('m', 'whole')])
  const onlySnapshot = CREATED + terminal('completed', [message('m', 'whole')])
  for (const stream of [onlyDone, suffix, onlySnapshot]) {
    expect(fold(stream).parts).toEqual([{ type: 'text', text: 'whole' }])
  }
})

test('a snapshot may hold items that were never streamed between those that were', () => {
  const search = { type: 'web_search_call', id: 'ws_1', status: 'completed' }
  const stream = CREATED + textItem(0, 'msg_1', 'a') + terminal('completed', [search, message('msg_1', 'a')])
  expect(fold(stream).parts).toMatchObject([
    { type: 'text', text: 'a' },
    { type: 'foreign', kind: 'web_search_call' },
  ])
})

test('text after another part is a part of its own; refusals and citations are kept', () => {
  const citation = { type: 'url_citation', url: 'https://example.com', title: 't', start_index: 0, end_index: 1 }
  const content = [
    { type: 'output_text', text: 'a', annotations: [citation] },
    { type: 'refusal', refusal: 'No.' },
  ]
  const item = { ...message('m', ''), content }
  const stream =
    CREATED +
    event('output_item.added', 0, { item: message('m', '') }) +
    event('output_text.delta', 0, { content_index: 0, delta: 'a' }) +
    event('output_text.annotation.added', 0, { content_index: 0, annotation_index: 0, annotation: citation }) +
    event('refusal.delta', 0, { content_index: 1, delta: 'No' }) +
    event('refusal.done', 0, { content_index: 1, refusal: 'No.' }) +
    event('output_item.done', 0, { item }) +
    terminal('completed', [item])
  const reply = fold(stream)
  const cited = { url: citation.url, title: 't', span: { start: 0, end: 1 } }
  expect(reply.parts).toEqual([
    { type: 'text', text: 'a', citations: [{ ...cited, raw: { origin: 'openai-responses', body: citation } }] },
    { type: 'refusal', text: 'No.' },
  ])
  expect(reply.finish.reason).toBe('refusal')
})

test('custom tools give free text, and renamed tools their own names back', () => {
  const item = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name: 'sent_name', input: 'text' }
  const stream =
    CREATED +
    event('output_item.added', 0, { item: { ...item, input: '' } }) +
    event('custom_tool_call_input.delta', 0, { delta: 'te' }) +
    event('custom_tool_call_input.done', 0, { input: 'text' }) +
    event('output_item.done', 0, { item }) +
    terminal('completed', [item])
  const events = decode(stream, { toolNames: new Map([['sent_name', 'client.name']]) })
  expect(value(foldEvents(events)).parts).toEqual([
    { type: 'tool-call', id: 'call_1', name: 'client.name', kind: 'custom', argumentsText: 'text' },
  ])
})

test('a limit inside a call leaves it incomplete', () => {
  const details = { incomplete_details: { reason: 'max_output_tokens' } }
  const stream =
    CREATED +
    event('output_item.added', 0, { item: call('1', '') }) +
    event('function_call_arguments.delta', 0, { delta: '{"a":' }) +
    terminal('incomplete', [call('1', '{"a":', { status: 'incomplete' })], details)
  const events = decode(stream)
  expect(events).toContainEqual({ type: 'tool-call-end', complete: false })
  expect(value(foldEvents(events)).finish).toEqual({ reason: 'length' })
})

test('a filter is a refusal, an unknown reason keeps its word', () => {
  const ending = (reason: string) => terminal('incomplete', [message('m', 'x')], { incomplete_details: { reason } })
  expect(fold(CREATED + ending('content_filter')).finish).toEqual({ reason: 'refusal' })
  expect(fold(CREATED + ending('steered')).finish).toEqual({ reason: 'other', raw: 'steered' })
})

test('usage of an incomplete or failed response is not lost', () => {
  expect(fold(CREATED + terminal('incomplete', [])).usage.output).toBe(7)
  const failed = decode(CREATED + terminal('failed', [], { error: { code: 'server_error', message: 'x' } }))
  expect(failed.some((one) => one.type === 'usage')).toBe(true)
})

test('every way to fail is a failure, never a made-up end', () => {
  expect(failureOf('')).toBe('empty')
  expect(failureOf(CREATED)).toBe('empty')
  expect(failureOf(CREATED + textItem(0, 'm', 'a'))).toBe('cut')
  expect(failureOf(sse({ type: 'error', code: 'rate_limit_exceeded', message: 'x', param: null }))).toBe('rate_limit')
  expect(failureOf(CREATED + sse({ type: 'error', error: { code: 'server_is_overloaded', message: 'x' } }))).toBe(
    'overloaded',
  )
  expect(failureOf('data: {"error":"boom"}\n\n')).toBe('server')
  expect(failureOf(`${CREATED}data: {"type":"resp\n\n`)).toBe('server')
  expect(failureOf(CREATED + terminal('failed', [], { error: { code: 'invalid_prompt', message: 'x' } }))).toBe(
    'refused_content',
  )
})

test('comments and keep-alive events are pings, `[DONE]` and what follows the end are nothing', () => {
  const stream = `: hi\n\n${sse({ type: 'keepalive' })}${CREATED}${terminal('completed', [message('m', 'x')])}data: [DONE]\n\n`
  const types = decode(`${stream}${textItem(3, 'm2', 'late')}`).map(({ type }) => type)
  expect(types.slice(0, 3)).toEqual(['ping', 'ping', 'start'])
  expect(types.at(-1)).toBe('end')
  expect(types.filter((type) => type === 'text-delta')).toHaveLength(1)
})

test('a plain reply decodes to what its stream folds to', () => {
  const output = [message('m', 'ab'), call('1', '{"a":1}', { status: 'completed' })]
  const stream = CREATED + textItem(0, 'm', 'a', 'b') + callItem(1, '1', '{"a"', ':1}') + terminal('completed', output)
  const plain = { ...RESPONSE, status: 'completed', output, usage: USAGE }
  expect(value(decodeReply(plain, replyContext()))).toEqual(fold(stream))
})

test('a plain reply without an output, or with an error, is a failure', () => {
  const kind = (body: object) => {
    const reply = decodeReply(body as never, replyContext())
    return reply.ok ? 'ok' : reply.error.kind
  }
  expect(kind({ id: 'x' })).toBe('server')
  expect(kind({ ...RESPONSE, status: 'failed', error: { code: 'rate_limit_exceeded', message: 'x' } })).toBe(
    'rate_limit',
  )
  expect(kind({ ...RESPONSE, status: 'failed', error: null })).toBe('server')
  expect(kind({ ...RESPONSE, status: 'queued' })).toBe('server')
  expect(kind({ error: 'boom' })).toBe('server')
})
