import { describe, expect, test } from 'bun:test'
import type { ModelCapabilities } from '../../../src/catalog/provider.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { cohereV2 } from '../../../src/dialects/cohere-v2/index.ts'
import type { ChatRequest, Message, Part, Tool } from '../../../src/dialects/neutral.ts'
import { CAPABLE } from '../samples/sample.ts'

const TOOL: Tool = { kind: 'function', name: 'weather' }
const STRICT: Tool = { ...TOOL, strict: true }
const BASE: ChatRequest = {
  model: 'cohere/command-a',
  system: [],
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  tools: [],
  sampling: {},
  stream: false,
  streamUsage: true,
  unknownFields: [],
}

const user = (...parts: readonly Part[]): Message => ({ role: 'user', parts })
const assistant = (...parts: readonly Part[]): Message => ({ role: 'assistant', parts })
const text = (said: string) => ({ type: 'text', text: said }) as const
const call = (id: string, argumentsText = '{}') =>
  ({ type: 'tool-call', id, name: 'weather', kind: 'function', argumentsText }) as const
const result = (callId: string, ...parts: readonly { type: 'text'; text: string }[]) =>
  ({ type: 'tool-result', callId, parts, isError: false }) as const

function encode(request: Partial<ChatRequest>, capabilities: Partial<ModelCapabilities> = {}) {
  const target = { model: 'command-a', vendor: 'cohere', quirks: {}, capabilities: { ...CAPABLE, ...capabilities } }
  return cohereV2.encodeRequest({ ...BASE, ...request }, target)
}

function check(
  request: Partial<ChatRequest>,
  expected: JsonObject,
  dropped: readonly string[] = [],
  capabilities: Partial<ModelCapabilities> = {},
): JsonObject {
  const encoded = encode(request, capabilities)
  if (!encoded.ok) throw new Error(encoded.error.message)
  expect(encoded.value.body).toMatchObject(expected)
  expect(encoded.value.dropped).toEqual([...dropped])
  return encoded.value.body
}

function checkMessages(messages: readonly Message[], expected: readonly JsonObject[], dropped: readonly string[] = []) {
  expect(check({ messages }, {}, dropped)['messages']).toEqual(expected)
}

describe('the conversation', () => {
  test('system text is one message, and a user answers when nobody else speaks', () => {
    const { messages } = check({ system: [text('A'), text('B')], messages: [] }, {})
    expect(messages).toEqual([
      { role: 'system', content: 'A\n\nB' },
      { role: 'user', content: '.' },
    ])
  })

  test('what is said before calls is their plan, and content is left out', () => {
    checkMessages(
      [user(text('q')), assistant(text('I look.'), call('c1')), user(result('c1', text('warm')))],
      [
        { role: 'user', content: 'q' },
        {
          role: 'assistant',
          tool_plan: 'I look.',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'warm' },
      ],
    )
  })

  test('results stand behind their calls, in the order of the calls; an open call is answered and an orphan is told', () => {
    const messages = [
      user(text('q')),
      assistant(call('c1'), call('c2'), call('c3')),
      user(result('c2'), result('c1', text('one')), result('gone', text('orphan')), text('so?')),
    ]
    const encoded = check({ messages }, {})['messages'] as readonly JsonObject[]
    expect(encoded.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'one' },
      { role: 'tool', tool_call_id: 'c2', content: '(no output)' },
      { role: 'tool', tool_call_id: 'c3', content: '[error] (no result)' },
      { role: 'user', content: 'orphan\n\nso?' },
    ])
  })

  test('an image in a result opens the user’s next message', () => {
    const image = { type: 'image', source: { kind: 'base64', mime: 'image/png', data: 'aGk=' } } as const
    const answer = { type: 'tool-result', callId: 'c1', parts: [image], isError: true } as const
    const encoded = check({ messages: [user(text('q')), assistant(call('c1')), user(answer)] }, {})['messages']
    expect((encoded as readonly JsonObject[]).slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: '[error] (image attached)' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } }] },
    ])
  })

  test('thinking goes back to who thought it, beside calls too, and to nobody else', () => {
    const thought = (vendor: string) =>
      ({ type: 'reasoning', text: 'Hm.', redacted: false, opaque: { vendor, kind: 'signature', blob: '' } }) as const
    checkMessages(
      [user(text('q')), assistant(thought('cohere'), thought('elsewhere'), call('c1')), user(result('c1', text('1')))],
      [
        { role: 'user', content: 'q' },
        {
          role: 'assistant',
          content: [{ type: 'thinking', thinking: 'Hm.' }],
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: '1' },
      ],
      ['thinking'],
    )
  })

  test('a document of text is told as text; one that is to be cited goes beside the messages', () => {
    const source = { kind: 'text', text: 'It rains.', mime: 'text/plain' } as const
    const plain = { type: 'document', source, title: 'Weather' } as const
    const cited = { ...plain, citations: true }
    const body = check({ messages: [user(plain, cited, text('q'))] }, {})
    expect(body['messages']).toEqual([{ role: 'user', content: 'Weather\n\nIt rains.\n\nq' }])
    expect(body['documents']).toEqual([{ id: 'doc_0', data: { title: 'Weather', text: 'It rains.' } }])
    const output = { kind: 'json-object' } as const
    expect(check({ messages: [user(cited)], output }, {})).not.toHaveProperty('documents')
  })
})

describe('tools', () => {
  const PARAMETERS = { type: 'object', properties: {} }
  const cases: readonly (readonly [
    name: string,
    request: Partial<ChatRequest>,
    expected: JsonObject,
    dropped?: string[],
  ])[] = [
    [
      'one without parameters takes an empty object',
      { tools: [TOOL] },
      { tools: [{ type: 'function', function: { name: 'weather', parameters: PARAMETERS } }] },
    ],
    ['a call is required', { tools: [TOOL], toolChoice: { type: 'required' } }, { tool_choice: 'REQUIRED' }],
    ['none may be called', { tools: [TOOL], toolChoice: { type: 'none' } }, { tool_choice: 'NONE' }],
    [
      'a named one stands alone and is required',
      { tools: [TOOL, { ...TOOL, name: 'time' }], toolChoice: { type: 'named', name: 'time' } },
      { tool_choice: 'REQUIRED', tools: [{ type: 'function', function: { name: 'time', parameters: PARAMETERS } }] },
    ],
    ['all are strict', { tools: [STRICT] }, { strict_tools: true }],
    ['only some are strict', { tools: [STRICT, { ...TOOL, name: 'time' }] }, {}, ['strict']],
    ['one at a time', { tools: [TOOL], parallelToolCalls: false }, {}, ['parallel_tool_calls']],
  ]
  for (const [name, request, expected, dropped] of cases) test(name, () => void check(request, expected, dropped))

  test('auto is said by silence', () => {
    expect(check({ tools: [TOOL], toolChoice: { type: 'auto' } }, {})).not.toHaveProperty('tool_choice')
  })

  test('names are made legal and come back', () => {
    const encoded = encode({ tools: [{ ...TOOL, name: 'mcp-files.read' }] })
    expect(encoded.ok && [...encoded.value.toolNames]).toEqual([['mcp_files_read', 'mcp-files.read']])
  })
})

describe('limits, sampling and thinking', () => {
  const cases: readonly (readonly [
    name: string,
    request: Partial<ChatRequest>,
    expected: JsonObject,
    dropped?: string[],
    capabilities?: Partial<ModelCapabilities>,
  ])[] = [
    [
      'wishes are drawn into the ranges',
      { sampling: { temperature: 1.7, topP: 1, topK: 900, frequencyPenalty: -1, presencePenalty: 2, seed: 7 } },
      { temperature: 1, p: 0.99, k: 500, frequency_penalty: 0, presence_penalty: 1, seed: 7 },
    ],
    ['zero is a wish', { sampling: { temperature: 0, topP: 0.001, topK: 0 } }, { temperature: 0, p: 0.01, k: 0 }],
    [
      'five stop sequences at most',
      { sampling: { stop: ['1', '2', '3', '4', '5', '6'] } },
      { stop_sequences: ['1', '2', '3', '4', '5'] },
      ['stop'],
    ],
    ['what has no field is listed', { sampling: { minP: 0.1, logprobs: 2 } }, {}, ['min_p', 'logprobs']],
    [
      'an effort is a budget',
      { reasoning: { effort: 'high' } },
      { thinking: { type: 'enabled', token_budget: 8_192 } },
    ],
    ['a budget stays', { reasoning: { budgetTokens: 3_000 } }, { thinking: { type: 'enabled', token_budget: 3_000 } }],
    ['all the thinking there is', { reasoning: { effort: 'max' } }, { thinking: { type: 'enabled' } }],
    ['no thinking is said', { reasoning: { effort: 'none' } }, { thinking: { type: 'disabled' } }],
    ['a model that cannot think', { reasoning: { effort: 'high' } }, {}, ['reasoning_effort'], { thinking: 'none' }],
    [
      'a schema',
      { output: { kind: 'json-schema', schema: { type: 'object' } } },
      { response_format: { type: 'json_object', json_schema: { type: 'object' } } },
    ],
    ['JSON', { output: { kind: 'json-object' } }, { response_format: { type: 'json_object' } }],
    ['the limit of the model', { maxTokens: 9_000 }, { max_tokens: 4_000 }, [], { maxOutputTokens: 4_000 }],
  ]
  for (const [name, request, expected, dropped, capabilities] of cases)
    test(name, () => void check(request, expected, dropped, capabilities))
})

describe('what would change the answer is refused, naming the field', () => {
  const pdf = { type: 'document', source: { kind: 'base64', mime: 'application/pdf', data: 'JVBERi0=' } } as const
  const audio = { type: 'audio', source: { kind: 'base64', mime: 'audio/wav', data: 'UklGRg==' } } as const
  const image = { type: 'image', source: { kind: 'url', url: 'https://x.test/a.png' } } as const
  const hosted: Tool = { kind: 'hosted', name: 'web_search', raw: { origin: 'anthropic-messages', body: {} } }
  const cases: readonly (readonly [
    param: string,
    request: Partial<ChatRequest>,
    capabilities?: Partial<ModelCapabilities>,
  ])[] = [
    ['n', { sampling: { n: 2 } }],
    ['max_tokens', { maxTokens: 0 }],
    ['tools.0', { tools: [hosted] }],
    ['response_format', { tools: [TOOL], output: { kind: 'json-object' } }],
    ['messages.0.content', { messages: [user(pdf)] }],
    ['messages.0.content', { messages: [user(audio)] }],
    ['messages.0.content', { messages: [user(image)] }, { images: false }],
  ]
  for (const [param, request, capabilities] of cases) {
    test(`${param}: ${JSON.stringify(request).slice(0, 60)}`, () => {
      const encoded = encode(request, capabilities)
      expect(encoded.ok ? undefined : encoded.error).toMatchObject({ kind: 'unsupported', param })
    })
  }
})

describe('failures', () => {
  const cases: readonly (readonly [status: number, message: string, kind: string])[] = [
    [400, 'invalid request', 'rejected'],
    [400, 'too many tokens: the prompt exceeds the limit', 'context_too_long'],
    [401, 'invalid api token', 'auth'],
    [402, 'please add a payment method', 'billing'],
    [403, 'this api key is not allowed', 'auth'],
    [403, 'model is not available to you', 'not_entitled'],
    [404, 'model not found', 'not_entitled'],
    [429, 'Please wait and try again later', 'rate_limit'],
    [429, 'You are using a Trial key, which is limited to 1000 API calls / month', 'billing'],
    [498, 'blocked token', 'auth'],
    [499, 'request cancelled', 'server'],
    [500, 'internal', 'server'],
    [501, 'not implemented', 'server'],
    [503, 'unavailable', 'overloaded'],
    [504, 'gateway timeout', 'server'],
  ]
  for (const [status, message, kind] of cases) {
    test(`${status} "${message}" is ${kind}`, () => {
      expect(cohereV2.decodeFailure(status, new Headers(), JSON.stringify({ message })).kind).toBe(kind as never)
    })
  }

  test('a web page is none of the client’s business', () => {
    expect(cohereV2.decodeFailure(403, new Headers(), '<html>blocked</html>').kind).toBe('server')
  })
})
