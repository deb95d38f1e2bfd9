import { expect, test } from 'bun:test'
import type { JsonObject } from '../../../src/core/json.ts'
import type { ChatRequest } from '../../../src/dialects/neutral.ts'
import { sealOpaque } from '../../../src/dialects/opaque.ts'
import { decodeRequest } from '../../../src/dialects/openai-responses/request-decode.ts'
import { encodeRequest } from '../../../src/dialects/openai-responses/request-encode.ts'
import { REQUEST, targetContext } from './support.ts'

function decode(body: object): ChatRequest {
  const request = decodeRequest({ model: 'm', input: 'hi', ...body } as JsonObject)
  if (!request.ok) throw new Error(request.error.message)
  return request.value
}

function refusal(body: object): string {
  const request = decodeRequest({ model: 'm', input: 'hi', ...body } as JsonObject)
  return request.ok ? 'accepted' : `${request.error.kind} ${request.error.param}`
}

function encode(request: Partial<ChatRequest>, target = targetContext()) {
  const encoded = encodeRequest({ ...REQUEST, ...request }, target)
  if (!encoded.ok) throw new Error(`${encoded.error.kind} ${encoded.error.param}`)
  return encoded.value
}

const user = (text: string) => ({ role: 'user', content: [{ type: 'input_text', text }] })
const functionCall = (call_id: string, more: object = {}) => ({
  type: 'function_call',
  call_id,
  name: 'add',
  arguments: '{}',
  ...more,
})
const output = (call_id: string, text: string) => ({ type: 'function_call_output', call_id, output: text })

test('instructions and leading system items are the system prompt, later ones stay in place', () => {
  const { system, messages } = decode({
    instructions: 'I',
    input: [
      { role: 'developer', content: 'D' },
      user('a'),
      { type: 'message', role: 'system', content: 'S' },
      user('b'),
    ],
  })
  expect(system.map(({ text }) => text)).toEqual(['I', 'D'])
  expect(messages.map(({ role }) => role)).toEqual(['user', 'system', 'user'])
})

test('every kind of content is read', () => {
  const png = 'iVBORw0KGgoAAA'
  const { messages } = decode({
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 't', prompt_cache_breakpoint: { mode: 'explicit' } },
          { type: 'input_image', image_url: `data:image/jpg;base64,${png}`, detail: 'low' },
          { type: 'input_image', image_url: 'https://example.com/a.png' },
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0x' },
          { type: 'input_file', file_url: 'https://example.com/a.pdf' },
          { type: 'input_file', file_id: 'file-1' },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
          { type: 'input_text', text: '' },
        ],
      },
    ],
  })
  expect(messages[0]?.parts).toEqual([
    { type: 'text', text: 't', cache: {} },
    { type: 'image', source: { kind: 'base64', mime: 'image/png', data: png }, detail: 'low' },
    { type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } },
    {
      type: 'document',
      title: 'a.pdf',
      source: { kind: 'base64', mime: 'application/pdf', data: 'JVBERi0x', filename: 'a.pdf' },
    },
    { type: 'document', source: { kind: 'url', url: 'https://example.com/a.pdf' } },
    { type: 'document', source: { kind: 'file', id: 'file-1', origin: 'openai-responses' } },
    { type: 'audio', source: { kind: 'base64', mime: 'audio/wav', data: 'AAAA' }, format: 'wav' },
  ])
})

test('results follow their calls in the order of the calls, wherever they stood', () => {
  const { messages } = decode({
    input: [user('q'), functionCall('1'), functionCall('2'), output('2', 'two'), user('also'), output('1', 'one')],
  })
  const parts = messages.map(({ role, parts }) => `${role}: ${parts.map((part) => part.type).join(' ')}`)
  expect(parts).toEqual(['user: text', 'assistant: tool-call tool-call', 'user: tool-result tool-result text'])
  expect(messages[2]?.parts.map((part) => part.type === 'tool-result' && part.callId)).toEqual(['1', '2', false])
})

test('steps of a tool loop stay apart', () => {
  const { messages } = decode({
    input: [user('q'), functionCall('1'), output('1', 'a'), functionCall('2'), output('2', 'b')],
  })
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
})

test('of two results for one call the last counts; a lost call or result is made up for', () => {
  const twice = decode({ input: [user('q'), functionCall('1'), output('1', 'a'), output('1', 'b')] })
  expect(twice.messages[2]?.parts).toMatchObject([{ type: 'tool-result', parts: [{ text: 'b' }] }])
  const unanswered = decode({ input: [functionCall('1'), user('q')] })
  expect(unanswered.messages[1]?.parts).toMatchObject([{ type: 'tool-result', isError: true }, { type: 'text' }])
  const orphan = decode({ input: [user('q'), output('9', 'late')] })
  expect(orphan.messages[0]?.parts.map((part) => part.type)).toEqual(['text', 'text'])
})

test('a call id that is used twice answers each call with its own result', () => {
  const { messages } = decode({ input: [functionCall('1'), output('1', 'a'), functionCall('1'), output('1', 'b')] })
  const texts = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-result' ? part.parts : [])),
  )
  expect(texts).toMatchObject([{ text: 'a' }, { text: 'b' }])
})

test('state in an envelope goes back to its maker, any other is OpenAI’s', () => {
  const opaque = { vendor: 'anthropic', kind: 'signature' as const, blob: 'sig' }
  const summary = [{ type: 'summary_text', text: 'Hm.' }]
  const { messages } = decode({
    input: [
      { type: 'reasoning', id: 'rs_1', summary, encrypted_content: sealOpaque(opaque) },
      { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'state' },
      { type: 'reasoning', id: 'rs_3', summary: [] },
      { role: 'assistant', content: [{ type: 'output_text', text: 'ok', annotations: [] }] },
    ],
  })
  expect(messages[0]?.parts).toEqual([
    { type: 'reasoning', text: 'Hm.', opaque, redacted: false },
    { type: 'reasoning', text: '', opaque: { vendor: 'openai', kind: 'encrypted', blob: 'state' }, redacted: false },
    { type: 'text', text: 'ok' },
  ])
})

test('tools are flattened out of their namespaces without colliding', () => {
  const { tools, messages, toolChoice } = decode({
    tools: [
      { type: 'function', name: 'crm__find', parameters: null },
      { type: 'namespace', name: 'crm', description: 'd', tools: [{ type: 'function', name: 'find', parameters: {} }] },
      { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' } },
      { type: 'web_search' },
    ],
    tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'find' }] },
    input: [functionCall('1', { name: 'find', namespace: 'crm' }), output('1', 'x')],
  })
  expect(tools.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'function crm__find',
    'function crm__find_2',
    'custom patch',
    'hosted web_search',
  ])
  expect(tools[2]?.grammar).toEqual({ syntax: 'lark', definition: 'start: "a"' })
  expect(messages[0]?.parts).toMatchObject([{ name: 'crm__find_2' }])
  expect(toolChoice).toEqual({ type: 'allowed', mode: 'required', names: ['crm__find_2'] })
})

test('the flat output format is read and written', () => {
  const schema = { type: 'object', properties: {}, additionalProperties: false }
  const format = { type: 'json_schema', name: 'n', description: 'd', schema, strict: true }
  const request = decode({ text: { format, verbosity: 'low' } })
  expect(request.output).toEqual({
    kind: 'json-schema',
    name: 'n',
    description: 'd',
    schema,
    strict: true,
    verbosity: 'low',
  })
  expect(encode(request).body['text']).toEqual({ format, verbosity: 'low' })
})

const REFUSED: readonly [body: object, refusal: string][] = [
  [{ previous_response_id: 'resp_1' }, 'unsupported previous_response_id'],
  [{ conversation: 'conv_1' }, 'unsupported conversation'],
  [{ prompt: { id: 'p' }, input: undefined }, 'unsupported prompt'],
  [{ background: true }, 'unsupported background'],
  [{ input: [{ type: 'item_reference', id: 'msg_1' }] }, 'unsupported input.0'],
  [{ input: [{ type: 'compaction', encrypted_content: 'x' }] }, 'unsupported input.0'],
  [{ tool_choice: { type: 'web_search' } }, 'unsupported tool_choice'],
  [{ input: [{ role: 'user', content: [{ type: 'input_video' }] }] }, 'unsupported input.0.content.0.type'],
  [{ model: undefined }, 'malformed model'],
  [{ input: 3 }, 'malformed input'],
  [{ input: [3] }, 'malformed input.0'],
  [{ input: [{ role: 'robot', content: 'x' }] }, 'malformed input.0.role'],
  [{ input: [{ type: 'function_call', call_id: '1', name: '' }] }, 'malformed input.0.name'],
  [{ instructions: [] }, 'malformed instructions'],
  [{ temperature: 'hot' }, 'malformed temperature'],
  [{ tools: [{ type: 'function' }] }, 'malformed tools.0.name'],
  [{ reasoning: { effort: 'extreme' } }, 'malformed reasoning.effort'],
  [{ previous_response_id: null, conversation: null, background: false }, 'accepted'],
]

for (const [body, expected] of REFUSED) {
  test(`${JSON.stringify(body)} is ${expected}`, () => expect(refusal(body)).toBe(expected))
}

test('fields without a place are listed, bookkeeping is not', () => {
  const request = decode({
    max_tool_calls: 3,
    context_management: [],
    user: 'u',
    truncation: 'auto',
    stream_options: { include_obfuscation: false },
    reasoning: { mode: 'pro' },
    tools: [{ type: 'function', name: 'f', parameters: {}, defer_loading: true }],
  })
  expect(request.unknownFields).toEqual([
    'max_tool_calls',
    'context_management',
    'truncation',
    'tools.defer_loading',
    'reasoning.mode',
  ])
})

test('a request of another dialect stores nothing and asks for the state that it has to carry', () => {
  const { body } = encode({
    system: [
      { type: 'text', text: 'A' },
      { type: 'text', text: 'B' },
    ],
  })
  expect(body).toMatchObject({
    model: 'gpt-6',
    instructions: 'A\n\nB',
    input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] }],
    store: false,
    include: ['reasoning.encrypted_content'],
    stream: true,
  })
})

test('reasoning goes back only with this vendor’s state, without ids, and never last', () => {
  const own = { vendor: 'openai', kind: 'encrypted' as const, blob: 'state' }
  const foreign = { vendor: 'anthropic', kind: 'signature' as const, blob: 'sig' }
  const { body, dropped } = encode({
    messages: [
      { role: 'user', parts: [{ type: 'text', text: 'q' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'foreign', opaque: foreign, redacted: false },
          { type: 'reasoning', text: 'unsigned', redacted: false },
          { type: 'reasoning', text: 'own', opaque: own, redacted: false },
          { type: 'text', text: 'a' },
          { type: 'reasoning', text: 'last', opaque: own, redacted: false },
        ],
      },
      { role: 'user', parts: [{ type: 'text', text: 'r' }] },
    ],
  })
  expect(body['input']).toEqual([
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'q' }] },
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'own' }], encrypted_content: 'state' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a', annotations: [] }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'r' }] },
  ])
  expect(dropped).toContain('thinking')
})

test('calls and results are items, with images in the output and errors said in words', () => {
  const image = { type: 'image' as const, source: { kind: 'base64' as const, mime: 'image/png', data: 'iVBORw0KGgoA' } }
  const { body } = encode({
    messages: [
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'let me' },
          { type: 'tool-call', id: '1', name: 'a.b', kind: 'function', argumentsText: '' },
          { type: 'tool-call', id: '2', name: 'p', kind: 'custom', argumentsText: 'free' },
        ],
      },
      {
        role: 'user',
        parts: [
          { type: 'tool-result', callId: '1', parts: [{ type: 'text', text: 'see' }, image], isError: false },
          { type: 'tool-result', callId: '2', parts: [{ type: 'text', text: 'bad' }], isError: true },
          { type: 'text', text: 'go on' },
        ],
      },
    ],
  })
  expect(body['input']).toEqual([
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'let me', annotations: [] }] },
    { type: 'function_call', call_id: '1', name: 'a_b', arguments: '{}' },
    { type: 'custom_tool_call', call_id: '2', name: 'p', input: 'free' },
    {
      type: 'function_call_output',
      call_id: '1',
      output: [
        { type: 'input_text', text: 'see' },
        { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,iVBORw0KGgoA' },
      ],
    },
    { type: 'custom_tool_call_output', call_id: '2', output: '[error] bad' },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go on' }] },
  ])
})

test('tools are flat, and strict only when the client said so', () => {
  const { body, toolNames } = encode({
    tools: [
      { kind: 'function', name: 'a.b', description: '', schema: { type: 'object' } },
      { kind: 'function', name: 'none' },
      { kind: 'custom', name: 'p', grammar: { syntax: 'regex', definition: '.*' } },
    ],
    toolChoice: { type: 'named', name: 'p' },
    parallelToolCalls: false,
  })
  expect(body).toMatchObject({
    tools: [
      { type: 'function', name: 'a_b', parameters: { type: 'object' }, strict: false },
      { type: 'function', name: 'none', parameters: { type: 'object', properties: {} }, strict: false },
      { type: 'custom', name: 'p', format: { type: 'grammar', syntax: 'regex', definition: '.*' } },
    ],
    tool_choice: { type: 'custom', name: 'p' },
    parallel_tool_calls: false,
  })
  expect([...toolNames]).toEqual([['a_b', 'a.b']])
})

test('an id that is too long is shortened alike on call and result', () => {
  const id = 'x'.repeat(100)
  const { body } = encode({
    messages: [
      { role: 'assistant', parts: [{ type: 'tool-call', id, name: 'f', kind: 'function', argumentsText: '{}' }] },
      { role: 'user', parts: [{ type: 'tool-result', callId: id, parts: [], isError: false }] },
    ],
  })
  const [call, result] = body['input'] as readonly { call_id: string }[]
  expect(call?.call_id.length).toBeLessThanOrEqual(64)
  expect(result?.call_id).toBe(call?.call_id ?? '')
})

test('a choice without tools is left out', () => {
  const { body } = encode({ toolChoice: { type: 'auto' }, parallelToolCalls: true })
  expect(body['tool_choice']).toBeUndefined()
  expect(body['parallel_tool_calls']).toBeUndefined()
})

test('what has no field is dropped by name, what would change the answer is refused', () => {
  const sampling = {
    stop: ['x'],
    seed: 1,
    topK: 3,
    minP: 0.1,
    presencePenalty: 1,
    frequencyPenalty: 1,
    temperature: 0.5,
  }
  expect(encode({ sampling }).dropped).toEqual([
    'top_k',
    'min_p',
    'stop',
    'seed',
    'presence_penalty',
    'frequency_penalty',
  ])
  const strict = targetContext({ sampling: false, thinking: 'none', efforts: [] })
  const { body, dropped } = encode({ sampling: { temperature: 1 }, reasoning: { effort: 'high' } }, strict)
  expect(dropped).toEqual(['temperature', 'reasoning'])
  expect(body['include']).toBeUndefined()
  expect(() => encode({ sampling: { n: 2 } })).toThrow('unsupported n')
  expect(() => encode({ maxTokens: 0 })).toThrow('unsupported max_tokens')
  const hosted = {
    kind: 'hosted' as const,
    name: 'web_search',
    raw: { origin: 'anthropic-messages' as const, body: {} },
  }
  expect(() => encode({ tools: [hosted] })).toThrow('unsupported tools.0')
})

test('limits, efforts and host oddities are respected', () => {
  expect(encode({ maxTokens: 1 }).body['max_output_tokens']).toBe(16)
  expect(encode({ maxTokens: 9_000 }, targetContext({ maxOutputTokens: 4_096 })).body['max_output_tokens']).toBe(4_096)
  expect(encode({ reasoning: { effort: 'max' } }).body['reasoning']).toEqual({ effort: 'high' })
  expect(encode({ reasoning: { effort: 'none' } }).body['reasoning']).toEqual({ effort: 'minimal' })
  expect(encode({ reasoning: { budgetTokens: 8_000, summary: 'auto' } }).body['reasoning']).toEqual({
    effort: 'medium',
    summary: 'auto',
  })
  const quirks = { stripFields: ['store', 'include', 'metadata'], noDeveloperRole: true }
  const system = { role: 'system' as const, parts: [{ type: 'text' as const, text: 's' }] }
  const { body, dropped } = encode({ metadata: { a: 'b' }, messages: [system] }, targetContext({}, { quirks }))
  expect(body['store']).toBeUndefined()
  expect(body['input']).toMatchObject([{ role: 'system' }])
  expect(dropped).toEqual([])
})

test('a host that knows only JSON objects is told the schema in words', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } }
  const quirks = { jsonSchemaMode: 'json_object' as const }
  const { body } = encode({ output: { kind: 'json-schema', schema } }, targetContext({}, { quirks }))
  expect(body['text']).toEqual({ format: { type: 'json_object' } })
  expect(body['instructions']).toContain(JSON.stringify(schema))
  expect(JSON.stringify(body['input'])).toContain('JSON')
})

test('a request of system text alone still has input', () => {
  const { body } = encode({ system: [{ type: 'text', text: 'S' }], messages: [] })
  expect(body['input']).toMatchObject([{ role: 'user' }])
})

test('items of hosted tools go back to this dialect as they were', () => {
  const item = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } }
  const request = decode({ input: [user('q'), item, { role: 'assistant', content: 'a' }, user('r')] })
  expect(encode(request).body['input']).toContainEqual(item)
})
