import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../src/core/json.ts'
import { gemini } from '../../../src/dialects/gemini/index.ts'
import { SKIP_SIGNATURE } from '../../../src/dialects/gemini/wire.ts'
import { UPSTREAMS } from '../samples/index.ts'
import { PNG, targetContext } from '../samples/sample.ts'
import { decode, SIGNATURE } from './support.ts'

const HI = [{ role: 'user', parts: [{ text: 'hi' }] }]
const config = (generationConfig: object) => decode({ contents: HI, generationConfig } as JsonObject)
const parts = (...model: object[]) =>
  decode({ contents: [...HI, { role: 'model', parts: model }] } as JsonObject).messages[1]?.parts

function refusal(body: JsonObject): string {
  const request = gemini.decodeRequest(body, new Headers())
  return request.ok ? 'accepted' : `${request.error.kind} ${request.error.param}`
}

test('both spellings of every name mean the same', () => {
  const camel = {
    systemInstruction: { parts: [{ text: 'S' }] },
    generationConfig: {
      maxOutputTokens: 9,
      topP: 0.5,
      topK: 3,
      stopSequences: ['x'],
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object', properties: { snake_case: { type: 'string' } } },
      thinkingConfig: { includeThoughts: true, thinkingBudget: 2_048 },
    },
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['a', 'b'] } },
    tools: [{ functionDeclarations: [{ name: 'a', parametersJsonSchema: { type: 'object' } }] }],
    contents: [
      { parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }] },
      { role: 'model', parts: [{ functionCall: { name: 'a', args: { some_key: 1 } }, thoughtSignature: SIGNATURE }] },
      { parts: [{ functionResponse: { name: 'a', response: { other_key: 2 } } }] },
    ],
  }
  const keep = new Set(['snake_case', 'some_key', 'other_key'])
  const snake = JSON.parse(JSON.stringify(camel), (_, value) =>
    value === null || typeof value !== 'object' || Array.isArray(value)
      ? value
      : Object.fromEntries(
          Object.entries(value).map(([name, inner]) => [
            keep.has(name) ? name : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
            inner,
          ]),
        ),
  )
  expect(JSON.stringify(snake)).toContain('"thought_signature"')
  expect(decode(snake)).toEqual(decode(camel))
  expect(decode(camel)).toMatchObject({
    maxTokens: 9,
    toolChoice: { type: 'allowed', names: ['a', 'b'], mode: 'required' },
  })
})

describe('results find their calls', () => {
  const conversation = (calls: object[], results: object[]) =>
    decode({
      contents: [
        ...HI,
        { role: 'model', parts: calls.map((functionCall) => ({ functionCall })) },
        { role: 'user', parts: results.map((functionResponse) => ({ functionResponse })) },
      ],
    } as JsonObject).messages.flatMap(({ parts: all }) =>
      all.flatMap((part) => (part.type === 'tool-call' ? [part.id] : part.type === 'tool-result' ? [part.callId] : [])),
    )

  test('by id', () => {
    const results = [
      { id: '2', name: 'f', response: {} },
      { id: '1', name: 'f', response: {} },
    ]
    expect(
      conversation(
        [
          { id: '1', name: 'f' },
          { id: '2', name: 'f' },
        ],
        results,
      ),
    ).toEqual(['1', '2', '1', '2'])
  })

  test('by name and order without ids', () => {
    const results = [
      { name: 'g', response: {} },
      { name: 'f', response: {} },
      { name: 'f', response: {} },
    ]
    expect(conversation([{ name: 'f' }, { name: 'g' }, { name: 'f' }], results)).toEqual([
      'call_0',
      'call_1',
      'call_2',
      'call_0',
      'call_1',
      'call_2',
    ])
  })

  test('or none', () => {
    expect(conversation([], [{ name: 'f', response: {} }])).toEqual(['result_of_f'])
  })
})

test('what a result says is its output, its error, or its JSON', () => {
  const results = decode({
    contents: [
      {
        role: 'function',
        parts: [
          { functionResponse: { name: 'a', response: { output: 'x' } } },
          { functionResponse: { name: 'b', response: { error: 'y' } } },
          { functionResponse: { name: 'c', response: { degrees: 21, output: 'z' } } },
          {
            functionResponse: {
              name: 'd',
              response: {},
              parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }],
            },
          },
        ],
      },
    ],
  } as JsonObject).messages[0]?.parts
  expect(results).toMatchObject([
    { parts: [{ text: 'x' }], isError: false },
    { parts: [{ text: 'y' }], isError: true },
    { parts: [{ text: '{"degrees":21,"output":"z"}' }], isError: false },
    { parts: [{ type: 'image' }], isError: false },
  ])
})

describe('thoughts', () => {
  const own = (blob: string, kind = 'signature') => ({ opaque: { vendor: 'google', kind, blob } })

  test('are one, however many pieces the client kept of it, with the signature behind them', () => {
    const pieces = [
      { text: 'a', thought: true },
      { text: 'b', thought: true },
    ]
    const call = { functionCall: { name: 'f', args: {} }, thoughtSignature: SIGNATURE }
    expect(parts(...pieces, call)).toMatchObject([
      { type: 'reasoning', text: 'ab', redacted: false, ...own(SIGNATURE) },
      { type: 'tool-call', name: 'f' },
    ])
    const contents = [...HI, ...[...pieces, call].map((part) => ({ role: 'model', parts: [part] }))]
    expect(decode({ contents } as JsonObject).messages[1]?.parts).toEqual(parts(...pieces, call))
  })

  test('of a history are no words of the model, wherever it goes, signed or not', () => {
    const answer = { role: 'model', parts: [{ text: 'Hidden thought.', thought: true }, { text: 'Answer.' }] }
    const request = decode({ contents: [...HI, answer, ...HI] } as JsonObject)
    for (const { id, upstream } of UPSTREAMS.filter(({ id }) => id !== 'gemini')) {
      const encoded = upstream.dialect.encodeRequest(request, targetContext(upstream))
      const body = encoded.ok ? JSON.stringify(encoded.value.body) : encoded.error.message
      expect({ id, says: body.includes('Answer.'), tells: body.includes('Hidden thought.') }).toEqual({
        id,
        says: true,
        tells: false,
      })
    }
  })

  test('that sign a text stand behind it', () => {
    expect(parts({ text: 'a', thoughtSignature: SIGNATURE })).toMatchObject([
      { type: 'text', text: 'a' },
      { type: 'reasoning', text: '', redacted: true, ...own(SIGNATURE, 'encrypted') },
    ])
  })

  test('in an envelope of ours belong to who made them, and a stand-in to nobody', () => {
    const envelope = 'gw1:' + Buffer.from('{"vendor":"anthropic","kind":"redacted","blob":"b"}').toString('base64url')
    const sealed = Buffer.from(envelope).toString('base64')
    expect(parts({ text: '', thought: true, thoughtSignature: sealed })).toMatchObject([
      { type: 'reasoning', opaque: { vendor: 'anthropic', kind: 'redacted', blob: 'b' } },
    ])
    expect(parts({ functionCall: { name: 'f' }, thoughtSignature: SKIP_SIGNATURE })).toMatchObject([
      { type: 'tool-call' },
    ])
  })

  const CONFIGS: readonly (readonly [object, object])[] = [
    [{ thinkingBudget: 0 }, { effort: 'none', summary: 'none' }],
    [
      { thinkingBudget: -1, includeThoughts: true },
      { adaptive: true, summary: 'auto' },
    ],
    [{ thinkingBudget: 100 }, { budgetTokens: 100, summary: 'none' }],
    [{ thinkingLevel: 'high' }, { effort: 'high', summary: 'none' }],
    [{ thinkingLevel: 'THINKING_LEVEL_UNSPECIFIED' }, { summary: 'none' }],
  ]
  for (const [thinkingConfig, expected] of CONFIGS) {
    test(`${JSON.stringify(thinkingConfig)} is ${JSON.stringify(expected)}`, () => {
      expect(config({ thinkingConfig }).reasoning).toEqual(expected)
    })
  }
})

test('media are told apart by their type', () => {
  const media = [
    { inlineData: { mimeType: 'image/jpg', data: PNG, displayName: 'a.png' } },
    { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } },
    { fileData: { mimeType: 'application/pdf', fileUri: 'gs://b/c.pdf' } },
    { fileData: { fileUri: 'https://youtu.be/x' }, videoMetadata: { fps: 2 } },
    { inlineData: { mimeType: 'image/png', data: PNG }, mediaResolution: { level: 'MEDIA_RESOLUTION_LOW' } },
  ]
  const { messages, unknownFields } = decode({ contents: [{ parts: media }] } as JsonObject)
  expect(messages[0]?.parts).toEqual([
    { type: 'image', source: { kind: 'base64', mime: 'image/png', data: PNG, filename: 'a.png' } },
    { type: 'audio', source: { kind: 'base64', mime: 'audio/wav', data: 'AAAA' } },
    { type: 'document', source: { kind: 'url', url: 'gs://b/c.pdf', mime: 'application/pdf' } },
    { type: 'document', source: { kind: 'url', url: 'https://youtu.be/x' } },
    { type: 'image', source: { kind: 'base64', mime: 'image/png', data: PNG }, detail: 'low' },
  ])
  expect(unknownFields).toEqual(['videoMetadata'])
})

test('tools of the vendor are its own, and what a declaration says besides is named', () => {
  const declaration = {
    name: 'f',
    parameters: {
      type: 'OBJECT',
      properties: { type: { type: 'STRING', nullable: true, enum: ['a'] } },
      required: ['type'],
    },
    response: { type: 'STRING' },
  }
  const { tools, unknownFields } = decode({
    contents: HI,
    tools: [{ functionDeclarations: [declaration], googleSearch: {} }, { computer_use: { environment: 'x' } }],
  } as JsonObject)
  expect(tools).toEqual([
    {
      kind: 'function',
      name: 'f',
      schema: {
        type: 'object',
        properties: { type: { type: ['string', 'null'], enum: ['a', null] } },
        required: ['type'],
      },
    },
    { kind: 'hosted', name: 'googleSearch', webSearch: {}, raw: { origin: 'gemini', body: { googleSearch: {} } } },
    {
      kind: 'client-typed',
      name: 'computerUse',
      raw: { origin: 'gemini', body: { computerUse: { environment: 'x' } } },
    },
  ])
  expect(unknownFields).toEqual(['tools.functionDeclarations.response'])
})

test('a mode that holds arguments to their schemas makes the tools strict', () => {
  const toolConfig = { functionCallingConfig: { mode: 'validated' } }
  const request = decode({ contents: HI, tools: [{ functionDeclarations: [{ name: 'f' }] }], toolConfig })
  expect(request.tools[0]?.strict).toBe(true)
  expect(request.toolChoice).toEqual({ type: 'auto' })
})

test('what has no place elsewhere is named', () => {
  const { unknownFields } = decode({
    contents: HI,
    safetySettings: [{ category: 'x' }],
    generationConfig: { speechConfig: {}, mediaResolution: 'LOW', responseModalities: ['TEXT'] },
    toolConfig: { retrievalConfig: {} },
  })
  expect(unknownFields).toEqual([
    'safetySettings',
    'generationConfig.speechConfig',
    'generationConfig.mediaResolution',
    'toolConfig.retrievalConfig',
  ])
})

const REFUSED: readonly (readonly [JsonObject, string])[] = [
  [{}, 'malformed contents'],
  [{ contents: [] }, 'malformed contents'],
  [{ contents: [{ role: 'assistant', parts: [] }] }, 'malformed contents.0.role'],
  [{ contents: [{ parts: [{}] }] }, 'malformed contents.0.parts.0'],
  [{ contents: [{ role: 'user', parts: [{ functionCall: { name: 'f' } }] }] }, 'malformed contents.0.parts.0'],
  [
    { contents: [{ role: 'model', parts: [{ functionCall: { name: '' } }] }] },
    'malformed contents.0.parts.0.functionCall.name',
  ],
  [
    { contents: HI, generationConfig: { thinkingConfig: { thinkingBudget: 1, thinkingLevel: 'LOW' } } },
    'malformed generationConfig.thinkingConfig',
  ],
  [
    { contents: HI, generationConfig: { responseModalities: ['IMAGE'] } },
    'unsupported generationConfig.responseModalities',
  ],
  [
    { contents: HI, generationConfig: { responseMimeType: 'text/x.enum' } },
    'unsupported generationConfig.responseMimeType',
  ],
  [{ contents: HI, cachedContent: 'cachedContents/1' }, 'unsupported cachedContent'],
  [
    { contents: HI, toolConfig: { functionCallingConfig: { mode: 'SOME' } } },
    'malformed toolConfig.functionCallingConfig.mode',
  ],
]
for (const [body, expected] of REFUSED) {
  test(`${JSON.stringify(body).slice(0, 100)} is refused`, () => expect(refusal(body)).toBe(expected))
}
