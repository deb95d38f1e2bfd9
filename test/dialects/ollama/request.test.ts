import { describe, expect, test } from 'bun:test'
import type { ModelCapabilities } from '../../../src/catalog/provider.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import type { ChatRequest, Part, Tool } from '../../../src/dialects/neutral.ts'
import { ollama, ollamaGenerate } from '../../../src/dialects/ollama/index.ts'
import { contextTokens } from '../../../src/dialects/ollama/options-encode.ts'
import { PNG } from '../samples/sample.ts'
import { CHAT, target } from './support.ts'

const user = (content: string) => ({ role: 'user', content })
const TOOLS: readonly Tool[] = [
  { kind: 'function', name: 'weather', schema: { type: 'object', properties: {} } },
  { kind: 'function', name: 'time' },
]

function decoded(body: JsonObject, dialect = ollama as Pick<typeof ollama, 'decodeRequest'>): ChatRequest {
  const request = dialect.decodeRequest({ model: 'm', ...body }, new Headers())
  if (!request.ok) throw new Error(request.error.message)
  return request.value
}

function encoded(request: Partial<ChatRequest>, capabilities: Partial<ModelCapabilities> = {}) {
  const result = ollama.encodeRequest({ ...CHAT, ...request }, target(capabilities))
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

describe('a client’s body', () => {
  const cases: readonly (readonly [name: string, body: JsonObject, expected: Partial<ChatRequest>])[] = [
    ['streams unless it says not to', { messages: [user('hi')] }, { stream: true }],
    ['may refuse a stream', { messages: [user('hi')], stream: false }, { stream: false }],
    ['asks for thinking', { messages: [user('hi')], think: true }, { reasoning: { adaptive: true, summary: 'auto' } }],
    ['asks for none', { messages: [user('hi')], think: false }, { reasoning: { effort: 'none' } }],
    ['names an effort', { messages: [user('hi')], think: 'high' }, { reasoning: { effort: 'high', summary: 'auto' } }],
    ['names an unknown one', { messages: [user('hi')], think: 'deep' }, { unknownFields: ['think'] }],
    ['wants JSON', { messages: [user('hi')], format: 'json' }, { output: { kind: 'json-object' } }],
    [
      'wants a schema',
      { messages: [user('hi')], format: { type: 'object' } },
      { output: { kind: 'json-schema', schema: { type: 'object' } } },
    ],
    ['wants no format', { messages: [user('hi')], format: '' }, { unknownFields: [] }],
    ['has no limit below zero', { messages: [user('hi')], options: { num_predict: -1 } }, { sampling: {} }],
    ['has one stop sequence', { messages: [user('hi')], options: { stop: 'END' } }, { sampling: { stop: ['END'] } }],
    [
      'has options of the machine',
      { messages: [user('hi')], options: { num_gpu: 1 }, keep_alive: 0 },
      { unknownFields: ['keep_alive', 'options.num_gpu'] },
    ],
  ]
  for (const [name, body, expected] of cases) test(name, () => expect(decoded(body)).toMatchObject(expected))

  test('calls without ids get some from their place, the same whatever system text stands before', () => {
    const turns = [
      user('q'),
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { function: { name: 'weather', arguments: { city: 'Rome' } } },
          { function: { name: 'time', arguments: {} } },
        ],
      },
      { role: 'tool', tool_name: 'time', content: 'noon' },
      { role: 'tool', content: 'warm' },
    ]
    const { messages } = decoded({ messages: turns })
    expect(messages[1]?.parts).toMatchObject([{ id: 'call_0', argumentsText: '{"city":"Rome"}' }, { id: 'call_1' }])
    expect(messages[2]?.parts).toMatchObject([
      { callId: 'call_0', parts: [{ text: 'warm' }] },
      { callId: 'call_1', parts: [{ text: 'noon' }] },
    ])
    expect(decoded({ messages: [{ role: 'system', content: 'S' }, ...turns] }).messages).toEqual(messages)
  })

  test('an image is known by its bytes, bare or as a data URL', () => {
    const images = [PNG, `data:image/png;base64,${PNG}`, '/9j/4AAQ']
    const parts = decoded({ messages: [{ ...user('what?'), images }] }).messages[0]?.parts ?? []
    const mimes = parts.flatMap((part: Part) =>
      part.type === 'image' && part.source.kind === 'base64' ? [part.source.mime] : [],
    )
    expect(mimes).toEqual(['image/png', 'image/png', 'image/jpeg'])
  })

  test('a prompt is a conversation of one turn', () => {
    expect(decoded({ prompt: 'hi', system: 'S', images: [PNG] }, ollamaGenerate)).toMatchObject({
      system: [{ text: 'S' }],
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }, { type: 'image' }] }],
    })
  })

  const refused: readonly (readonly [param: string, body: JsonObject, generate?: true])[] = [
    ['messages', { messages: [] }],
    ['messages.0.role', { messages: [{ content: 'hi' }] }],
    ['messages.0.content', { messages: [{ role: 'user', content: [{ type: 'text' }] }] }],
    ['options.num_predict', { messages: [user('hi')], options: { num_predict: 0 } }],
    ['format', { messages: [user('hi')], format: 'xml' }],
    ['think', { messages: [user('hi')], think: 7 }],
    ['prompt', { prompt: '' }, true],
    ['suffix', { prompt: 'a', suffix: 'b' }, true],
    ['template', { prompt: 'a', template: '{{ .Prompt }}' }, true],
    ['context', { prompt: 'a', context: [1, 2] }, true],
    ['raw', { prompt: 'a', raw: true }, true],
  ]
  for (const [param, body, generate] of refused) {
    test(`is refused for its ${param}: ${JSON.stringify(body).slice(0, 50)}`, () => {
      const dialect = generate === true ? ollamaGenerate : ollama
      const request = dialect.decodeRequest({ model: 'm', ...body }, new Headers())
      expect(request.ok ? undefined : request.error.param).toBe(param)
    })
  }
})

describe('a choice of tools that the server cannot be told', () => {
  const hintOf = (messages: unknown) => JSON.stringify(messages)

  test('none: it sees no tools', () => {
    const { body, dropped } = encoded({ tools: TOOLS, toolChoice: { type: 'none' } })
    expect(body).not.toHaveProperty('tools')
    expect(dropped).toEqual([])
  })

  test('a named one: it sees that one, is asked in words, and the choice is listed', () => {
    const { body, dropped } = encoded({ tools: TOOLS, toolChoice: { type: 'named', name: 'time' } })
    expect(body['tools']).toMatchObject([{ function: { name: 'time' } }])
    expect(hintOf(body['messages'])).toContain('calling the tool \\"time\\"')
    expect(dropped).toEqual(['tool_choice'])
  })

  test('any: it is asked in words, after the client’s own system prompt', () => {
    const { body } = encoded({ system: [{ type: 'text', text: 'S' }], tools: TOOLS, toolChoice: { type: 'required' } })
    expect(body['messages']).toMatchObject([{ role: 'system', content: expect.stringMatching(/^S\n\nYou must/) }, {}])
  })

  test('auto: nothing is said', () => {
    const { body, dropped } = encoded({ tools: TOOLS, toolChoice: { type: 'auto' } })
    expect(body['messages']).toEqual([{ role: 'user', content: 'hi' }])
    expect(dropped).toEqual([])
  })
})

describe('thinking', () => {
  const cases: readonly (readonly [
    name: string,
    request: Partial<ChatRequest>,
    think: unknown,
    dropped: readonly string[],
    capabilities?: Partial<ModelCapabilities>,
  ])[] = [
    ['is not mentioned when nobody did', {}, undefined, []],
    ['is switched off', { reasoning: { effort: 'none' } }, false, [], { thinking: 'none' }],
    ['is a word where the model knows words', { reasoning: { effort: 'xhigh' } }, 'high', []],
    ['is a switch where it does not', { reasoning: { effort: 'low' } }, true, [], { efforts: [] }],
    ['is a switch where the model decides', { reasoning: { adaptive: true } }, true, []],
    [
      'is left out where the model cannot',
      { reasoning: { effort: 'high' } },
      undefined,
      ['reasoning_effort'],
      { thinking: 'none' },
    ],
  ]
  for (const [name, request, think, dropped, capabilities] of cases) {
    test(name, () => {
      const result = encoded(request, capabilities)
      expect(result.body['think']).toBe(think as never)
      expect(result.dropped).toEqual([...dropped])
    })
  }
})

describe('the room for the prompt', () => {
  const prompt = (characters: number) => ({ messages: [user('x'.repeat(characters))] })
  const cases: readonly (readonly [
    name: string,
    characters: number,
    limit: number | undefined,
    max: number | undefined,
    tokens: number | undefined,
  ])[] = [
    ['a short one leaves the server its own', 3_000, undefined, undefined, undefined],
    ['a long one asks for the next power of two', 30_000, undefined, undefined, 16_384],
    ['the answer needs room, too', 3_000, 16_000, undefined, 32_768],
    ['never more than the model has', 300_000, undefined, 65_536, 65_536],
  ]
  for (const [name, characters, limit, max, tokens] of cases) {
    test(name, () => expect(contextTokens(prompt(characters), limit, max)).toBe(tokens as never))
  }

  test('the bytes of an image are no prompt', () => {
    const messages = [{ ...user('what?'), images: ['A'.repeat(1_000_000)] }]
    expect(contextTokens({ messages }, undefined, undefined)).toBeUndefined()
  })
})

test('arguments travel as objects, whatever the model that made them wrote', () => {
  const cases: readonly (readonly [argumentsText: string, sent: JsonObject])[] = [
    ['{"a":1}', { a: 1 }],
    ['', {}],
    ['null', {}],
    ['[1]', { input: [1] }],
    ['{"a":', { _raw: '{"a":' }],
  ]
  for (const [argumentsText, sent] of cases) {
    const call = { type: 'tool-call', id: 'c1', name: 'weather', kind: 'function', argumentsText } as const
    const { body } = encoded({ messages: [...CHAT.messages, { role: 'assistant', parts: [call] }] })
    expect(body['messages']).toMatchObject([
      {},
      { tool_calls: [{ function: { arguments: sent } }] },
      { role: 'tool', tool_name: 'weather', content: '[error] (no result)' },
    ])
  }
})

test('what the server cannot take is refused, naming the place', () => {
  const pdf = { type: 'document', source: { kind: 'base64', mime: 'application/pdf', data: 'JVBERi0=' } } as const
  const image = { type: 'image', source: { kind: 'url', url: 'https://x.test/a.png' } } as const
  for (const part of [pdf, image]) {
    const result = ollama.encodeRequest({ ...CHAT, messages: [{ role: 'user', parts: [part] }] }, target())
    expect(result.ok ? undefined : result.error).toMatchObject({ kind: 'unsupported', param: 'messages.0.content' })
  }
  expect(ollama.takesUrl('image', 'https://x.test/a.png', target())).toBe(false)
})

describe('failures', () => {
  const cases: readonly (readonly [status: number, error: string, kind: string])[] = [
    [400, '"llama3" does not support thinking', 'rejected'],
    [400, 'input length exceeds the context length', 'context_too_long'],
    [401, 'unauthorized', 'auth'],
    [404, 'model "x" not found, try pulling it first', 'not_entitled'],
    [429, 'too many requests', 'rate_limit'],
    [500, 'llama runner process has terminated', 'server'],
    [503, 'server busy, please try again. maximum pending requests exceeded', 'overloaded'],
  ]
  for (const [status, error, kind] of cases) {
    test(`${status} "${error}" is ${kind}`, () => {
      expect(ollama.decodeFailure(status, new Headers(), JSON.stringify({ error })).kind).toBe(kind as never)
    })
  }
})
