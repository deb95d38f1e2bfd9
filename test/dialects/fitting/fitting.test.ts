import { describe, expect, test } from 'bun:test'
import { PLAIN } from '../../../src/catalog/model-families.ts'
import type { ModelFacts } from '../../../src/catalog/provider.ts'
import type { FittedRequest } from '../../../src/dialects/fitting/fitted.ts'
import { fitRequest } from '../../../src/dialects/fitting/index.ts'
import type { ChatRequest, Message, Part, Tool } from '../../../src/dialects/neutral.ts'

const TOOL: Tool = { kind: 'function', name: 'weather', schema: { type: 'object' } }
const OTHER: Tool = { ...TOOL, name: 'news' }
const HISTORY: Message[] = [
  { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
  {
    role: 'assistant',
    parts: [{ type: 'tool-call', kind: 'function', id: 'a', name: 'weather', argumentsText: '{}' }],
  },
  { role: 'user', parts: [{ type: 'tool-result', callId: 'a', parts: [{ type: 'text', text: '9' }], isError: false }] },
]
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } } }
const AS_SCHEMA = { output: { kind: 'json-schema', name: 'place', schema: SCHEMA } } as const
const NO_FORMATS = { jsonSchema: false, jsonMode: false } as const

function asked(more: Partial<ChatRequest> = {}): ChatRequest {
  return {
    model: 'm',
    system: [],
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    tools: [],
    sampling: {},
    stream: false,
    streamUsage: false,
    unknownFields: [],
    ...more,
  }
}

function check(facts: Partial<ModelFacts>, more: Partial<ChatRequest> = {}): FittedRequest {
  const fitted = fitRequest(asked(more), { ...PLAIN, ...facts })
  if (!fitted.ok) throw new Error(fitted.error.message)
  return fitted.value
}

function document(source: Extract<Part, { type: 'document' }>['source']): Partial<ChatRequest> {
  return { messages: [{ role: 'user', parts: [{ type: 'document', source }] }] }
}

const PDF = { kind: 'base64', mime: 'application/pdf', data: 'JVBERi0=' } as const

test('a request goes as it is to a model of which nothing is known', () => {
  const more = {
    ...AS_SCHEMA,
    ...document(PDF),
    tools: [TOOL],
    toolChoice: { type: 'required' } as const,
    stream: true,
  }
  expect(check({}, more)).toEqual({ request: asked(more), dropped: [] })
})

describe('what would change the answer is refused by its name', () => {
  const cases: readonly (readonly [string, Partial<ModelFacts>, Partial<ChatRequest>, string])[] = [
    ['a stream', { streaming: false }, { stream: true }, 'stream'],
    ['a PDF', { documents: false }, document(PDF), 'messages.0'],
    [
      'a document at an address',
      { documents: false },
      document({ kind: 'url', url: 'https://x.example/a' }),
      'messages.0',
    ],
    ['tools', { tools: false }, { tools: [TOOL] }, 'tools'],
    [
      'unused tools of a conversation that used them',
      { tools: false },
      { tools: [TOOL], toolChoice: { type: 'none' }, messages: HISTORY },
      'tools',
    ],
    ['too many tools', { toolsMax: 1 }, { tools: [TOOL, OTHER] }, 'tools'],
    ['a forced call', { toolChoiceModes: ['auto'] }, { tools: [TOOL], toolChoice: { type: 'required' } }, 'toolChoice'],
    [
      'a forced call of some tools',
      { toolChoiceModes: ['auto'] },
      { tools: [TOOL], toolChoice: { type: 'allowed', mode: 'required', names: ['weather'] } },
      'toolChoice',
    ],
    ['several answers', { samplingRefused: ['n'] }, { sampling: { n: 2 } }, 'n'],
  ]
  for (const [what, facts, more, param] of cases) {
    test(what, () => {
      const fitted = fitRequest(asked(more), { ...PLAIN, ...facts })
      expect(fitted).toMatchObject({ ok: false, error: { kind: 'unsupported', param } })
    })
  }
})

describe('what can be said otherwise is', () => {
  test('text documents need no eyes', () => {
    const more = document({ kind: 'text', text: 'hello', mime: 'text/plain' })
    expect(check({ documents: false }, more).request).toEqual(asked(more))
  })

  test('tools that must not be called are left out where there are none', () => {
    expect(check({ tools: false }, { tools: [TOOL], toolChoice: { type: 'none' } }).request.tools).toEqual([])
  })

  test('a tool that must be called becomes the only one that must', () => {
    const facts = { toolChoiceModes: ['auto', 'required'] } as const
    const { request } = check(facts, { tools: [TOOL, OTHER], toolChoice: { type: 'named', name: 'news' } })
    expect(request).toMatchObject({ tools: [OTHER], toolChoice: { type: 'required' } })
  })

  test('no calls: without tools, or with a word where the conversation has called some', () => {
    const choice = { tools: [TOOL], toolChoice: { type: 'none' } } as const
    const facts = { toolChoiceModes: ['auto'] } as const
    expect(check(facts, choice).request).toEqual(asked())
    const used = check(facts, { ...choice, messages: HISTORY }).request
    expect(used).toMatchObject({ tools: [TOOL], system: [{ text: expect.stringContaining('without calling') }] })
    expect(used).not.toHaveProperty('toolChoice')
  })

  test('instructions open the conversation where they have no role', () => {
    const system = [{ type: 'text', text: 'Be brief' }] as const
    const turns: Message[] = [...asked().messages, { role: 'system', parts: [{ type: 'text', text: 'Now long' }] }]
    const { request, dropped } = check({ systemRole: false }, { system, messages: turns })
    expect([request.system, dropped]).toEqual([[], []])
    expect(request.messages).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'Be brief' },
          { type: 'text', text: 'Hi' },
        ],
      },
      { role: 'user', parts: [{ type: 'text', text: 'Now long' }] },
    ])
  })
})

describe('hints that the model refuses are left out and named', () => {
  test('sampling, each parameter for itself', () => {
    const sampling = { temperature: 1, topP: 0.5, topK: 4, seed: 7, n: 1 }
    const { request, dropped } = check({ samplingRefused: ['top_p', 'seed'] }, { sampling })
    expect([request.sampling, dropped]).toEqual([{ temperature: 1, topK: 4, n: 1 }, ['top_p', 'seed']])
  })

  test('how many calls at once, and silence where nothing is lost', () => {
    expect(check({ parallelTools: false }, { parallelToolCalls: false })).toMatchObject({
      dropped: ['parallel_tool_calls'],
    })
    expect(check({ parallelTools: false }, { parallelToolCalls: true })).toEqual({ request: asked(), dropped: [] })
  })

  test('cache marks, unless the host wants them or nobody knows', () => {
    const system = [{ type: 'text', text: 'Long', cache: { ttl: '1h' } }] as const
    for (const promptCache of ['none', 'auto'] as const) {
      const { request, dropped } = check({ promptCache }, { system })
      expect([request.system, dropped]).toEqual([[{ type: 'text', text: 'Long' }], ['cache_control']])
    }
    for (const promptCache of ['explicit', undefined] as const) {
      expect(check({ promptCache }, { system })).toEqual({ request: asked({ system }), dropped: [] })
    }
    expect(check({ promptCache: 'none' }).dropped).toEqual([])
  })
})

describe('an answer that must match a schema', () => {
  test('comes as the forced call of a tool where the model can be bound to nothing else', () => {
    const { request, answerTool } = check(NO_FORMATS, AS_SCHEMA)
    expect(answerTool).toBe('json')
    expect(request).toMatchObject({
      tools: [{ kind: 'function', name: 'json', schema: SCHEMA }],
      toolChoice: { type: 'named', name: 'json' },
      parallelToolCalls: false,
    })
    expect(request).not.toHaveProperty('output')
  })

  test('stands beside the tools of the client, one of which must be called', () => {
    const { request } = check(NO_FORMATS, { ...AS_SCHEMA, tools: [TOOL] })
    expect(request.tools.map(({ name }) => name)).toEqual(['weather', 'json'])
    expect(request.toolChoice).toEqual({ type: 'required' })
  })

  test('takes a name that no tool of the client has', () => {
    const tools = [
      { ...TOOL, name: 'json' },
      { ...TOOL, name: 'json_1' },
    ]
    expect(check(NO_FORMATS, { ...AS_SCHEMA, tools }).answerTool).toBe('json_2')
  })

  test('is the only call where the client forbids its own', () => {
    const { request } = check(NO_FORMATS, { ...AS_SCHEMA, tools: [TOOL], toolChoice: { type: 'none' } })
    expect(request.toolChoice).toEqual({ type: 'named', name: 'json' })
  })

  test('waits while the client makes the model call something else', () => {
    const fitted = check(NO_FORMATS, { ...AS_SCHEMA, tools: [TOOL], toolChoice: { type: 'required' } })
    expect(fitted).toMatchObject({ dropped: ['response_format'], request: { tools: [TOOL] } })
    expect(fitted.answerTool).toBeUndefined()
  })

  test('is an object that is told of its schema where the model knows objects', () => {
    const { request } = check({ jsonSchema: false }, { output: { ...AS_SCHEMA.output, verbosity: 'low' } })
    expect(request.output).toEqual({ kind: 'json-object', verbosity: 'low' })
    expect(request.system[0]?.text).toContain('"city"')
  })

  test('is asked for in words where there are neither formats nor tools', () => {
    const { request } = check({ ...NO_FORMATS, tools: false }, AS_SCHEMA)
    expect(request).not.toHaveProperty('output')
    expect(request.system[0]?.text).toContain('"city"')
  })
})

test('an answer that must be any object is asked for in words where there is no mode for it', () => {
  const { request } = check({ jsonMode: false }, { output: { kind: 'json-object' } })
  expect(request).not.toHaveProperty('output')
  expect(request.system[0]?.text).toContain('JSON object')
})
