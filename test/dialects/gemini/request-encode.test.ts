import { describe, expect, test } from 'bun:test'
import type { Quirks } from '../../../src/catalog/provider.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { SKIP_SIGNATURE } from '../../../src/dialects/gemini/wire.ts'
import type { ChatRequest, Message, Part, Reasoning, Tool } from '../../../src/dialects/neutral.ts'
import { PNG } from '../samples/sample.ts'
import { assistant, encode, NEWEST, OLDER, SIGNATURE, target, user } from './support.ts'

const text = (said: string) => ({ type: 'text', text: said }) as const
const call = (id: string, name = 'f', args = '{}') =>
  ({ type: 'tool-call', id, name, kind: 'function', argumentsText: args }) as const
const result = (callId: string, said: string, more: object = {}) =>
  ({ type: 'tool-result', callId, parts: [text(said)], isError: false, ...more }) as const
const thought = (said: string, blob = SIGNATURE, vendor = 'google', kind: 'signature' | 'encrypted' = 'signature') =>
  ({ type: 'reasoning', text: said, redacted: said === '', opaque: { vendor, kind, blob } }) as const

interface Sent {
  readonly role: string
  readonly parts: readonly JsonObject[]
}

function contents(messages: readonly Message[], context = target()): readonly Sent[] {
  const { body, failure } = encode({ messages }, context)
  if (failure !== undefined) throw new Error(failure.message)
  return (body as { contents?: readonly Sent[] }).contents ?? []
}

describe('turns', () => {
  test('are begun by the user and joined with their neighbours', () => {
    expect(contents([assistant(text('a')), user(text('b')), user(text('c'))])).toEqual([
      { role: 'user', parts: [{ text: '.' }] },
      { role: 'model', parts: [{ text: 'a' }] },
      { role: 'user', parts: [{ text: 'b' }, { text: 'c' }] },
    ])
    expect(contents([])).toEqual([{ role: 'user', parts: [{ text: '.' }] }])
  })

  test('hold no empty parts, and none stands that held nothing else', () => {
    expect(contents([user(text('a')), assistant(text('')), user(text('b'))])).toEqual([
      { role: 'user', parts: [{ text: 'a' }, { text: 'b' }] },
    ])
  })

  test('of the system in between are told as reminders', () => {
    expect(contents([user(text('a')), { role: 'system', parts: [text('now')] }])[0]?.parts[1]).toEqual({
      text: '<system-reminder>\nnow\n</system-reminder>',
    })
  })

  test('give all results together, right behind their calls, in their order and under their names', () => {
    const messages = [
      user(text('q')),
      assistant(call('a', 'first'), call('b', 'second')),
      user(text('wait'), result('b', 'two')),
      user(result('a', 'one')),
    ]
    const [, , results] = contents(messages)
    expect(results?.parts).toEqual([
      { functionResponse: { id: 'a', name: 'first', response: { output: 'one' } } },
      { functionResponse: { id: 'b', name: 'second', response: { output: 'two' } } },
      { text: 'wait' },
    ])
  })

  test('answer calls that the client left open, once, and keep a result of no call as text', () => {
    const messages = [
      user(text('q')),
      assistant(call('a')),
      user(result('a', 'old'), result('a', 'new'), result('x', 'lost')),
    ]
    expect(contents(messages)[2]?.parts).toEqual([
      { functionResponse: { id: 'a', name: 'f', response: { output: 'new' } } },
      { text: '[result of tool call x]' },
      { text: 'lost' },
    ])
    const open = contents([user(text('q')), assistant(call('a')), user(text('never mind'))])[2]?.parts
    expect(open).toEqual([
      { functionResponse: { id: 'a', name: 'f', response: { error: '(no result)' } } },
      { text: 'never mind' },
    ])
  })
})

describe('calls and results', () => {
  const answered = (part: Part, context = target()) =>
    contents([user(text('q')), assistant(call('a')), user(part)], context)[2]?.parts ?? []

  test('leave their ids out where models do not know them', () => {
    for (const context of [target(OLDER), target(NEWEST, { noCallIds: true })]) {
      const [, model, results] = contents([user(text('q')), assistant(call('a')), user(result('a', 'x'))], context)
      expect(JSON.stringify([model, results])).not.toContain('"id"')
    }
  })

  test('are objects, whatever they were', () => {
    const ARGUMENTS: readonly (readonly [string, object])[] = [
      ['', {}],
      ['null', {}],
      ['{"a":1}', { a: 1 }],
      ['[1]', { input: [1] }],
      ['{"a":', { _raw: '{"a":' }],
    ]
    for (const [args, sent] of ARGUMENTS)
      expect(contents([user(text('q')), assistant(call('a', 'f', args))])[1]?.parts[0]).toMatchObject({
        functionCall: { args: sent },
      })
    const RESULTS: readonly (readonly [Part, object])[] = [
      [result('a', 'warm'), { output: 'warm' }],
      [result('a', '{"degrees":21}'), { degrees: 21 }],
      [result('a', '[1]'), { output: '[1]' }],
      [result('a', 'no such city', { isError: true }), { error: 'no such city' }],
      [result('a', '', { parts: [] }), { output: '' }],
    ]
    for (const [part, response] of RESULTS) expect(answered(part)[0]).toMatchObject({ functionResponse: { response } })
  })

  test('hold pictures where the model takes them there, and stand before them elsewhere', () => {
    const image = { type: 'image', source: { kind: 'base64', mime: 'image/png', data: PNG } } as const
    const part = result('a', 'see', { parts: [text('see'), image] })
    const inline = { inlineData: { mimeType: 'image/png', data: PNG } }
    expect(answered(part)).toEqual([
      { functionResponse: { id: 'a', name: 'f', response: { output: 'see' }, parts: [inline] } },
    ])
    expect(answered(part, target(OLDER))).toEqual([
      { functionResponse: { name: 'f', response: { output: 'see' } } },
      inline,
    ])
  })
})

describe('signatures', () => {
  const model = (parts: readonly Part[], context = target()) =>
    contents([user(text('q')), assistant(...parts)], context)[1]?.parts ?? []
  const signed = { thoughtSignature: SIGNATURE }

  test('go back on the call, the thought or the text that they came with', () => {
    expect(model([thought('Hm.'), call('a'), call('b')])).toMatchObject([
      { text: 'Hm.', thought: true },
      { functionCall: { id: 'a' }, ...signed },
      { functionCall: { id: 'b' } },
    ])
    expect(model([thought('Hm.'), text('a')])).toEqual([{ text: 'Hm.', thought: true, ...signed }, { text: 'a' }])
    expect(model([text('a'), thought('', SIGNATURE, 'google', 'encrypted')])).toEqual([{ text: 'a', ...signed }])
    expect(model([call('a'), thought('', SIGNATURE, 'google', 'encrypted')])[1]).toEqual({ text: '', ...signed })
  })

  test('that are missing are stood in for on the first call of each step alone', () => {
    const messages = [
      user(text('q')),
      assistant(call('a'), call('b')),
      user(result('a', '1'), result('b', '2')),
      assistant(text('on'), call('c')),
      user(result('c', '3')),
    ]
    const calls = contents(messages).flatMap(({ parts }) => parts.filter((part) => part['functionCall'] !== undefined))
    expect(calls.map(({ thoughtSignature }) => thoughtSignature)).toEqual([SKIP_SIGNATURE, undefined, SKIP_SIGNATURE])
  })

  test('are not stood in for on models that do without', () => {
    expect(JSON.stringify(model([call('a')], target(OLDER)))).not.toContain('thoughtSignature')
  })

  test('of others go nowhere, nor does the thought, and it is said', () => {
    const messages = [user(text('q')), assistant(thought('Secret.', 'blob', 'anthropic'), text('a'))]
    const { body, dropped } = encode({ messages })
    expect(JSON.stringify(body)).not.toMatch(/Secret|blob/)
    expect(dropped).toEqual(['thinking'])
  })
})

describe('media', () => {
  const part = (sent: Part, context = target()) => encode({ messages: [user(sent)] }, context)
  const image = (source: object, more: object = {}) => ({ type: 'image', source, ...more }) as Part

  test('are sent by their real type', () => {
    expect(contents([user(image({ kind: 'base64', mime: 'image/jpg', data: PNG }))])[0]?.parts).toEqual([
      { inlineData: { mimeType: 'image/png', data: PNG } },
    ])
    const audio = { type: 'audio', source: { kind: 'base64', mime: '', data: 'AAAA' }, format: 'wav' } as const
    expect(contents([user(audio)])[0]?.parts).toEqual([{ inlineData: { mimeType: 'audio/wav', data: 'AAAA' } }])
  })

  test('go by address where the vendor itself keeps them', () => {
    for (const url of [
      'gs://bucket/a.png',
      'https://generativelanguage.googleapis.com/v1beta/files/abc',
      'https://youtu.be/x',
    ])
      expect(contents([user(image({ kind: 'url', url }))])[0]?.parts).toEqual([{ fileData: { fileUri: url } }])
    const url = 'https://example.com/a.png'
    expect(part(image({ kind: 'url', url })).failure).toMatchObject({
      kind: 'unsupported',
      param: 'messages.0.parts.0',
    })
    expect(part(image({ kind: 'url', url }), target(NEWEST, { fetchesUrls: true })).failure).toBeUndefined()
  })

  test('that another vendor keeps, or that the model cannot take, are refused by their place', () => {
    const stored = image({ kind: 'file', id: 'file-1', origin: 'openai-chat' })
    const audio = { type: 'audio', source: { kind: 'base64', mime: 'audio/wav', data: 'AAAA' } } as const
    const deaf = target({ ...NEWEST, audio: false, images: false })
    for (const refused of [
      part(stored),
      part(audio, deaf),
      part(image({ kind: 'base64', mime: 'image/png', data: PNG }), deaf),
    ])
      expect(refused.failure).toMatchObject({ kind: 'unsupported', param: 'messages.0.parts.0' })
  })

  test('have a resolution on models that know one for each', () => {
    const detailed = image({ kind: 'base64', mime: 'image/png', data: PNG }, { detail: 'high' })
    expect(contents([user(detailed)])[0]?.parts[0]).toMatchObject({
      mediaResolution: { level: 'MEDIA_RESOLUTION_HIGH' },
    })
    expect(part(detailed, target(OLDER)).dropped).toEqual(['detail'])
  })
})

describe('tools', () => {
  const TOOL: Tool = { kind: 'function', name: 'f', schema: { type: 'object', properties: { a: { type: 'string' } } } }
  const config = (more: Partial<ChatRequest>) =>
    (encode({ tools: [TOOL], ...more }).body as { toolConfig?: object }).toolConfig

  test('are offered with their schemas in the form that the host knows', () => {
    const declared = (quirks: Quirks) => JSON.stringify(encode({ tools: [TOOL] }, target(NEWEST, quirks)).body)
    expect(declared({})).toContain('"parametersJsonSchema":{"type":"object"')
    expect(declared({ schemaLevel: 'openapi' })).toContain('"parameters":{"type":"object"')
  })

  test('without arguments say nothing of them', () => {
    expect(encode({ tools: [{ kind: 'function', name: 'now' }] }).body).toMatchObject({
      tools: [{ functionDeclarations: [{ name: 'now' }] }],
    })
    expect(JSON.stringify(encode({ tools: [{ kind: 'function', name: 'now' }] }).body)).not.toContain('parameters')
  })

  const CHOICES: readonly (readonly [Partial<ChatRequest>, object | undefined])[] = [
    [{}, undefined],
    [{ toolChoice: { type: 'auto' } }, { mode: 'AUTO' }],
    [{ toolChoice: { type: 'required' } }, { mode: 'ANY' }],
    [{ toolChoice: { type: 'none' } }, { mode: 'NONE' }],
    [{ toolChoice: { type: 'named', name: 'f' } }, { mode: 'ANY', allowedFunctionNames: ['f'] }],
    [{ toolChoice: { type: 'allowed', names: ['f'], mode: 'required' } }, { mode: 'ANY', allowedFunctionNames: ['f'] }],
    [
      { toolChoice: { type: 'allowed', names: ['f'], mode: 'auto' } },
      { mode: 'VALIDATED', allowedFunctionNames: ['f'] },
    ],
    [{ tools: [{ ...TOOL, strict: true }] }, { mode: 'VALIDATED' }],
    [{ tools: [], toolChoice: { type: 'required' } }, undefined],
  ]
  for (const [more, expected] of CHOICES) {
    test(`${JSON.stringify(more)} is ${JSON.stringify(expected)}`, () => {
      expect(config(more)).toEqual(expected === undefined ? undefined : { functionCallingConfig: expected })
    })
  }

  test('of the vendor stand beside functions, and those of others are refused by their place', () => {
    const search: Tool = { kind: 'hosted', name: 'googleSearch', raw: { origin: 'gemini', body: { googleSearch: {} } } }
    expect(encode({ tools: [TOOL, search] }).body).toMatchObject({
      tools: [{ functionDeclarations: [{ name: 'f' }] }, { googleSearch: {} }],
      toolConfig: { includeServerSideToolInvocations: true },
    })
    const foreign: Tool = {
      kind: 'hosted',
      name: 'bash',
      raw: { origin: 'anthropic-messages', body: { type: 'bash_1' } },
    }
    expect(encode({ tools: [TOOL, foreign] }).failure).toMatchObject({ kind: 'unsupported', param: 'tools.1' })
  })

  test('get names that the vendor takes, and give them back', () => {
    const names = ['2fast', 'a.b', 'ünï', 'x'.repeat(80)]
    const encoded = encode({ tools: names.map((name) => ({ kind: 'function', name })) })
    const sent = JSON.stringify(encoded.body).match(/"name":"([^"]+)"/g) ?? []
    for (const name of sent) expect(name).toMatch(/^"name":"[A-Za-z_][A-Za-z0-9_-]{0,63}"$/)
    expect('toolNames' in encoded && new Set(encoded.toolNames.values())).toEqual(new Set(names))
  })
})

describe('thinking', () => {
  const PRO = { ...OLDER, efforts: [], thinkingBudget: { min: 128, max: 32_768 } } as const
  const CASES: readonly (readonly [string, Reasoning, typeof NEWEST, object | undefined])[] = [
    ['a level', { effort: 'low' }, NEWEST, { thinkingLevel: 'LOW' }],
    ['a level for a budget', { budgetTokens: 8_000 }, NEWEST, { thinkingLevel: 'MEDIUM' }],
    ['the strongest level', { effort: 'max' }, NEWEST, { thinkingLevel: 'HIGH' }],
    ['the weakest level that there is', { effort: 'none' }, NEWEST, { thinkingLevel: 'LOW' }],
    ['nothing where the model decides', { adaptive: true }, NEWEST, undefined],
    ['a budget', { budgetTokens: 2_000 }, OLDER, { thinkingBudget: 2_000 }],
    ['a budget for an effort', { effort: 'medium' }, OLDER, { thinkingBudget: 8_192 }],
    ['a budget within the model’s bounds', { budgetTokens: 100_000 }, OLDER, { thinkingBudget: 24_576 }],
    ['none', { effort: 'none' }, OLDER, { thinkingBudget: 0 }],
    ['the least of a model that cannot stop', { effort: 'none' }, PRO, { thinkingBudget: 128 }],
    ['the most of a large model', { effort: 'max' }, PRO, { thinkingBudget: 32_768 }],
    ['a dynamic budget', { adaptive: true }, OLDER, { thinkingBudget: -1 }],
    [
      'thoughts to be shown',
      { effort: 'high', summary: 'auto' },
      NEWEST,
      { thinkingLevel: 'HIGH', includeThoughts: true },
    ],
    ['nothing to a model that does not think', { effort: 'high' }, { ...NEWEST, thinking: 'none' }, undefined],
  ]
  for (const [what, reasoning, capabilities, expected] of CASES) {
    test(`is ${what}, never both`, () => {
      const { body } = encode({ reasoning }, target(capabilities))
      expect((body as { generationConfig?: { thinkingConfig?: object } }).generationConfig?.thinkingConfig).toEqual(
        expected as never,
      )
    })
  }

  test('that the model cannot do is said to be left out', () => {
    for (const capabilities of [NEWEST, PRO])
      expect(encode({ reasoning: { effort: 'none' } }, target(capabilities)).dropped).toEqual(['reasoning'])
    expect(encode({ reasoning: { effort: 'low' } }, target({ ...NEWEST, thinking: 'none' })).dropped).toEqual([
      'reasoning',
    ])
  })
})

describe('the rest of a request', () => {
  test('is said in the vendor’s words', () => {
    const { body, dropped } = encode({
      system: [text('A'), text('B')],
      maxTokens: 100,
      sampling: {
        temperature: 3,
        topP: 0.5,
        topK: 4,
        seed: 1,
        stop: ['x'],
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
      },
      output: { kind: 'json-schema', schema: { type: 'object' }, name: 'n' },
      serviceTier: 'flex',
      user: 'u',
      metadata: { a: 'b' },
    })
    expect(body).toEqual({
      systemInstruction: { parts: [{ text: 'A' }, { text: 'B' }] },
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      generationConfig: {
        maxOutputTokens: 100,
        temperature: 2,
        topP: 0.5,
        topK: 4,
        stopSequences: ['x'],
        seed: 1,
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
        responseMimeType: 'application/json',
        responseJsonSchema: { type: 'object' },
      },
      serviceTier: 'flex',
    })
    expect(dropped).toEqual([])
  })

  test('names each hint that has no place', () => {
    const { dropped } = encode({
      messages: [user({ ...text('a'), cache: {} })],
      parallelToolCalls: false,
      tools: [{ kind: 'function', name: 'f' }],
      sampling: { minP: 0.1, logitBias: { a: 1 }, stop: ['1', '2', '3', '4', '5', '6'] },
      output: { kind: 'text', verbosity: 'low' },
      serviceTier: 'scale',
      cacheKey: 'k',
    })
    expect(new Set(dropped)).toEqual(
      new Set([
        'cache_control',
        'prompt_cache_key',
        'parallel_tool_calls',
        'min_p',
        'logit_bias',
        'stop',
        'verbosity',
        'service_tier',
      ]),
    )
  })

  test('is refused where an answer of another kind is asked for', () => {
    expect(encode({ sampling: { n: 2 } }).failure).toMatchObject({ kind: 'unsupported', param: 'n' })
    expect(encode({ sampling: { logprobs: 3 } }).failure).toMatchObject({ kind: 'unsupported', param: 'logprobs' })
  })

  test('leaves out what a host does not know, and says so', () => {
    const { body, dropped } = encode({ serviceTier: 'flex' }, target(NEWEST, { stripFields: ['serviceTier'] }))
    expect(body).not.toHaveProperty('serviceTier')
    expect(dropped).toEqual(['serviceTier'])
  })

  test('has its system text in the first turn where the host has no other place', () => {
    const { body } = encode({ system: [text('S')] }, target(NEWEST, { noSystemRole: true }))
    expect(body).toMatchObject({ contents: [{ role: 'user', parts: [{ text: 'S' }, { text: 'hi' }] }] })
    expect(body).not.toHaveProperty('systemInstruction')
  })
})
