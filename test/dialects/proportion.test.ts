/**
 * Work in proportion to the bytes. A conversation may be very long or repeat itself in odd ways, and while it is translated nobody
 * else is served: what takes milliseconds where it is fine took minutes where each part was compared with all before it.
 */
import { describe, expect, test } from 'bun:test'
import type { DialectId } from '../../src/catalog/dialect-id.ts'
import type { Frame } from '../../src/core/framing/frame.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { redacted } from '../../src/core/redacted.ts'
import { jsonSubset } from '../../src/dialects/gemini/json-subset.ts'
import { openApiSchema } from '../../src/dialects/gemini/openapi-schema.ts'
import { PartialArgs } from '../../src/dialects/gemini/partial-args.ts'
import { dialectOf } from '../../src/dialects/index.ts'
import { rootObjectSchema } from '../../src/dialects/schema/object-schema.ts'
import type { ChatRequest, Message } from '../../src/dialects/neutral.ts'
import { assistant, call, HOST_NAMES, HOSTS, requestOf, result, text, TOOL, user } from './mapping/table.ts'
import { CLIENTS } from './samples/index.ts'
import { replyContext } from './samples/wire.ts'
import { decodeAll } from './streams.ts'

const MANY = 10_000
/** Of the processor. What is in proportion takes a tenth of it, what compares each with all takes many times as much. */
const CPU_MS_MAX = 2_000

function many<T>(make: (index: number) => T): readonly T[] {
  return Array.from({ length: MANY }, (_, index) => make(index))
}

function turns(...messages: readonly Message[]): Partial<ChatRequest> {
  return { messages: [user(text('Q')), ...messages] }
}

const REQUESTS: Readonly<Record<string, Partial<ChatRequest>>> = {
  'calls in turn under one id that must be replaced': turns(
    ...many((at) => (at % 2 === 0 ? assistant(call('no id!')) : user(result('no id!', text('r'))))),
  ),
  'calls of one turn under one id that must be replaced': turns(
    assistant(...many(() => call('no id!'))),
    user(...many(() => result('no id!', text('r')))),
  ),
  'results in another order than their calls': turns(
    assistant(...many((at) => call(`c${at}`))),
    user(...many((at) => result(`c${MANY - 1 - at}`, text('r')))),
  ),
  'results in a message each': turns(
    assistant(...many((at) => call(`c${at}`))),
    ...many((at) => user(result(`c${at}`, text('r')))),
  ),
  'messages of one role': turns(...many(() => user(text('a')))),
  'thinking of another vendor between messages of one role': turns(
    ...many((at) => (at % 2 === 0 ? user(text('a')) : assistant({ type: 'reasoning', text: 't', redacted: false }))),
  ),
  'documents of one name': turns(
    user(...many(() => ({ type: 'document', source: { kind: 'text', text: 'x', mime: 'text/plain' } }) as const)),
  ),
  'tools of names that must be replaced': { tools: many((at) => ({ ...TOOL, name: `t${' '.repeat(70)}${at}` })) },
  'a schema with a property that is something else in each variant': {
    tools: [{ ...TOOL, schema: { type: 'object', anyOf: many((at) => ({ properties: { a: { const: at } } })) } }],
  },
}

const HOLD_TOGETHER: JsonObject = {
  type: 'object',
  allOf: many((at) => ({ properties: { [`p${at}`]: { type: 'string' } }, required: [`p${at}`] })),
}

const Q = { role: 'user', content: 'Q' }

const BODIES: Readonly<Record<string, Readonly<Record<string, JsonObject>>>> = {
  'openai-chat': {
    'results that name their function': {
      model: 'm',
      messages: [
        {
          role: 'assistant',
          tool_calls: many((at) => ({ id: `c${at}`, type: 'function', function: { name: `f${at}`, arguments: '' } })),
        },
        ...many(() => ({ role: 'function', name: 'f0', content: 'x' })),
      ],
    },
  },
  'openai-responses': {
    'namespaces whose tools have one name': {
      model: 'm',
      input: 'Q',
      tools: many(() => ({ type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'f', parameters: {} }] })),
    },
    'calls under one id': {
      model: 'm',
      input: [
        Q,
        ...many(() => ({ type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' })),
        ...many(() => ({ type: 'function_call_output', call_id: 'c', output: 'x' })),
      ],
    },
  },
  gemini: {
    'results in another order than their calls': {
      contents: [
        { role: 'model', parts: many((at) => ({ functionCall: { name: `f${at}`, args: {} } })) },
        { role: 'user', parts: many((at) => ({ functionResponse: { name: `f${MANY - 1 - at}`, response: {} } })) },
      ],
    },
  },
  ollama: {
    'results that name their tool': {
      model: 'm',
      messages: [
        { role: 'assistant', content: '', tool_calls: many((at) => ({ function: { name: `f${at}`, arguments: {} } })) },
        ...many((at) => ({ role: 'tool', tool_name: `f${MANY - 1 - at}`, content: 'x' })),
      ],
    },
  },
}

function check(work: () => { readonly ok: boolean }): void {
  const before = process.cpuUsage()
  expect(work().ok).toBe(true)
  const { user: userUs, system: systemUs } = process.cpuUsage(before)
  expect((userUs + systemUs) / 1_000).toBeLessThan(CPU_MS_MAX)
}

describe('what clients send costs no more than its length', () => {
  for (const [name, more] of Object.entries(REQUESTS)) {
    test.each([...HOST_NAMES])(`${name}, for %s`, (host) => {
      const { dialect, model, vendor, capabilities } = HOSTS[host]
      const request = requestOf(more)
      check(() => dialectOf(dialect).encodeRequest(request, { model, vendor, quirks: {}, capabilities }))
    })
  }

  test.each([openApiSchema, jsonSubset, rootObjectSchema])('parts of a schema that hold together, by %p', (fit) => {
    check(() => ({ ok: JSON.stringify(fit(HOLD_TOGETHER)).includes(`"p${MANY - 1}"`) }))
  })

  for (const { client } of CLIENTS) {
    for (const [name, body] of Object.entries(BODIES[client.dialect.id] ?? {})) {
      test(`${name}, from clients of ${client.dialect.id}`, () => {
        check(() => client.dialect.decodeRequest(body, new Headers()))
      })
    }
  }
})

function frame(event: string, body: JsonObject): Frame {
  return { event, data: JSON.stringify(body), bytes: new Uint8Array(0) }
}

/** A part of an answer that begins and is never ended. */
const BEGUN: readonly (readonly [DialectId, (index: number) => Frame])[] = [
  [
    'anthropic-messages',
    (index) => frame('', { type: 'content_block_start', index, content_block: { type: 'text', text: 'a' } }),
  ],
  ['bedrock-converse', (index) => frame('contentBlockDelta', { contentBlockIndex: index, delta: { text: 'a' } })],
  [
    'cohere-v2',
    (index) =>
      frame('', {
        type: 'tool-call-start',
        index,
        delta: { message: { tool_calls: { id: `c${index}`, function: { name: 'f' } } } },
      }),
  ],
  [
    'openai-chat',
    (index) =>
      frame('', { choices: [{ delta: { tool_calls: [{ index, function: { name: 'f', arguments: '{' } }] } }] }),
  ],
]

describe('what providers send holds back no more than a bounded part of it', () => {
  test.each(BEGUN)('parts of %s that are never ended fail the answer', (id, begun) => {
    check(() => {
      const events = decodeAll(dialectOf(id), many(begun), replyContext('acme'))
      return { ok: events.at(-2)?.type === 'failure' && events.length < 1_000 }
    })
  })

  test('arguments whose lists are nothing but gaps take little room', () => {
    const args = new PartialArgs()
    args.add(many((at) => ({ jsonPath: `$.a${at}[9999]`, numberValue: 1 })))
    check(() => ({ ok: JSON.stringify(args.object()).length < 1_000_000 }))
  })

  test('the beginnings of tokens that never come are looked for once', () => {
    check(() => ({ ok: redacted('-eyJaaaaaaaa'.repeat(MANY)).startsWith('-eyJ') }))
  })
})
