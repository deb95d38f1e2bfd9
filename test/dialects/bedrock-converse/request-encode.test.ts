import { describe, expect, test } from 'bun:test'
import type { ModelCapabilities } from '../../../src/catalog/provider.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { bedrockConverse } from '../../../src/dialects/bedrock-converse/index.ts'
import type { EncodedRequest, TargetContext } from '../../../src/dialects/dialect.ts'
import type { ChatRequest, Message, Part, ReasoningPart } from '../../../src/dialects/neutral.ts'
import { CAPABLE, PNG, targetContext } from '../samples/sample.ts'
import { converse } from '../samples/bedrock-converse.ts'
import { REQUEST } from '../samples/wire.ts'

const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'
const NOVA = 'us.amazon.nova-2-lite-v1:0'
const GPT = 'openai.gpt-oss-120b-1:0'
const MISTRAL = 'mistral.mistral-large-2407-v1:0'
const LLAMA = 'us.meta.llama4-maverick-17b-instruct-v1:0'

const { reasoning: _, ...PLAIN } = REQUEST

interface Asked extends Partial<ChatRequest> {
  readonly to?: string
  readonly capabilities?: Partial<ModelCapabilities>
  readonly quirks?: TargetContext['quirks']
}

function encode({ to = CLAUDE, capabilities = {}, quirks = {}, ...asked }: Asked) {
  const target = targetContext(converse.upstream, {
    model: to,
    quirks,
    capabilities: { ...CAPABLE, thinking: 'budget', ...capabilities },
  })
  return bedrockConverse.encodeRequest({ ...PLAIN, ...asked }, target)
}

function sent(asked: Asked): EncodedRequest {
  const encoded = encode(asked)
  if (!encoded.ok) throw new Error(encoded.error.message)
  return encoded.value
}

function refusal(asked: Asked): string | undefined {
  const encoded = encode(asked)
  return encoded.ok ? undefined : encoded.error.param
}

const bodyOf = (asked: Asked): JsonObject => sent(asked).body
const user = (...parts: readonly Part[]): Message => ({ role: 'user', parts })
const assistant = (...parts: readonly Part[]): Message => ({ role: 'assistant', parts })
const text = (words: string) => ({ type: 'text' as const, text: words })
const call = (id: string, name = 'f', argumentsText = '{}') =>
  ({ type: 'tool-call', id, name, kind: 'function', argumentsText }) as const
const result = (callId: string, words = 'done', isError = false) =>
  ({ type: 'tool-result', callId, parts: words === '' ? [] : [text(words)], isError }) as const
const tool = (name = 'f', more: object = {}) => ({
  kind: 'function' as const,
  name,
  schema: { type: 'object' },
  ...more,
})
const messages = (asked: Asked) => bodyOf(asked)['messages']
const content = (asked: Asked, turn = 0) => (messages(asked) as readonly { content: unknown }[])[turn]?.content

describe('the path', () => {
  test('holds the whole id percent-encoded, and says whether to stream', () => {
    const arn = 'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-3-5-sonnet-20241022-v2:0'
    expect(bedrockConverse.chatPath(arn, false)).toBe(
      '/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A123456789012%3Ainference-profile%2Fus.anthropic.claude-3-5-sonnet-20241022-v2%3A0/converse',
    )
    expect(bedrockConverse.chatPath(NOVA, true)).toBe('/model/us.amazon.nova-2-lite-v1%3A0/converse-stream')
  })

  test('alone names the model', () => {
    expect(Object.keys(bodyOf({}))).toEqual(['messages'])
  })
})

describe('turns', () => {
  const CASES: readonly (readonly [name: string, messages: readonly Message[], wire: unknown])[] = [
    [
      'neighbours of one role become one turn',
      [user(text('a')), user(text('b')), assistant(text('c')), assistant(text('d')), user(text('e'))],
      [
        { role: 'user', content: [{ text: 'a' }, { text: 'b' }] },
        { role: 'assistant', content: [{ text: 'c' }, { text: 'd' }] },
        { role: 'user', content: [{ text: 'e' }] },
      ],
    ],
    [
      'the user begins',
      [assistant(text('a')), user(text('b'))],
      [
        { role: 'user', content: [{ text: '.' }] },
        { role: 'assistant', content: [{ text: 'a' }] },
        { role: 'user', content: [{ text: 'b' }] },
      ],
    ],
    ['a conversation of nothing is one turn', [], [{ role: 'user', content: [{ text: '.' }] }]],
    [
      'blank text is left out, and a turn of it',
      [user(text('a')), assistant(text(' \n')), user(text('b'), text(''))],
      [{ role: 'user', content: [{ text: 'a' }, { text: 'b' }] }],
    ],
    [
      'system text inside a conversation is the user’s',
      [user(text('a')), { role: 'system', parts: [text('Hurry.')] }],
      [{ role: 'user', content: [{ text: 'a' }, { text: '<system-reminder>\nHurry.\n</system-reminder>' }] }],
    ],
    [
      'results of parallel calls stand in one turn, in the order of the calls and before all words',
      [user(text('q')), assistant(call('a'), call('b')), user(text('so?'), result('b', 'B')), user(result('a', 'A'))],
      [
        { role: 'user', content: [{ text: 'q' }] },
        {
          role: 'assistant',
          content: [
            { toolUse: { toolUseId: 'a', name: 'f', input: {} } },
            { toolUse: { toolUseId: 'b', name: 'f', input: {} } },
          ],
        },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 'a', content: [{ text: 'A' }] } },
            { toolResult: { toolUseId: 'b', content: [{ text: 'B' }] } },
            { text: 'so?' },
          ],
        },
      ],
    ],
    [
      'a call without a result gets one, and a result without a call becomes words',
      [user(text('q')), assistant(call('a')), user(result('x', 'late'))],
      [
        { role: 'user', content: [{ text: 'q' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'f', input: {} } }] },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 'a', content: [{ text: '(no result)' }], status: 'error' } },
            { text: '[result of tool call x]' },
            { text: 'late' },
          ],
        },
      ],
    ],
    [
      'an empty result says so',
      [user(text('q')), assistant(call('a')), user(result('a', ''))],
      [
        { role: 'user', content: [{ text: 'q' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'f', input: {} } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 'a', content: [{ text: '(no output)' }] } }] },
      ],
    ],
  ]
  for (const [name, given, wire] of CASES) {
    test(name, () => expect(messages({ messages: given })).toEqual(wire as never))
  }

  test('a beginning of the answer ends without white space, where the model takes one', () => {
    const given = [user(text('q')), assistant(text('Well, \n'))]
    expect(content({ messages: given }, 1)).toEqual([{ text: 'Well,' }])
    expect(refusal({ messages: given, capabilities: { prefill: false } })).toBe('messages')
  })

  test('what is no error to the model’s family says so in words', () => {
    const given = [user(text('q')), assistant(call('a')), user(result('a', 'oops', true))]
    expect(content({ messages: given, to: LLAMA }, 2)).toEqual([
      { toolResult: { toolUseId: 'a', content: [{ text: '[error]' }, { text: 'oops' }] } },
    ])
  })
})

describe('ids of calls', () => {
  const idsFor = (to: string, ids: readonly string[]) => {
    const given = [user(text('q')), assistant(...ids.map((id) => call(id))), user(...ids.map((id) => result(id, id)))]
    const blocks = [1, 2].map(
      (turn) => content({ to, messages: given }, turn) as readonly Record<string, { toolUseId: string }>[],
    )
    const [calls = [], results = []] = blocks.map((list) =>
      list.flatMap((block) => Object.values(block).map((one) => one.toolUseId)),
    )
    return { calls, results }
  }
  const IDS = ['call_1', 'functions.weather:0', 'x'.repeat(100), `${'x'.repeat(100)}y`, 'ünï', 'call_1']

  test('are legal, one for each call, and the same for its result', () => {
    const { calls, results } = idsFor(CLAUDE, IDS)
    expect(calls[0]).toBe('call_1')
    expect(new Set(calls).size).toBe(IDS.length)
    expect(results).toEqual(calls)
    for (const id of calls) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(idsFor(CLAUDE, IDS)).toEqual({ calls, results })
  })

  test('are nine letters and digits where the model wants that', () => {
    const { calls, results } = idsFor(MISTRAL, [...IDS, 'abcDEF123'])
    expect(results).toEqual(calls)
    for (const id of calls) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/)
    expect(calls.at(-1)).toBe('abcDEF123')
  })
})

describe('tools', () => {
  const specs = (asked: Asked) => (bodyOf(asked)['toolConfig'] as { tools: readonly JsonObject[] } | undefined)?.tools

  test('have a schema whose root is an object, and no blank description', () => {
    expect(specs({ tools: [tool('f', { description: ' ', schema: {} })] })).toEqual([
      { toolSpec: { name: 'f', inputSchema: { json: { type: 'object', properties: {} } } } },
    ])
  })

  test('are strict only when asked, under the schema that strictness knows', () => {
    const schema = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } } }
    expect(specs({ tools: [tool('f', { schema, strict: true })] })).toEqual([
      {
        toolSpec: {
          name: 'f',
          inputSchema: {
            json: {
              type: 'object',
              properties: { n: { type: 'integer', description: 'minimum: 1' } },
              additionalProperties: false,
            },
          },
          strict: true,
        },
      },
    ])
  })

  const CANNOT = [
    ['a family', { to: LLAMA }],
    ['a model', { capabilities: { jsonSchema: false } }],
  ] as const
  for (const [whose, asked] of CANNOT) {
    test(`are not strict for ${whose} that cannot be, and its answers get their schema in words`, () => {
      const schema = { type: 'object', properties: { a: { type: 'string' } } }
      const output = { kind: 'json-schema', schema } as const
      const { body, dropped } = sent({ ...asked, tools: [tool('f', { strict: true })], output })
      expect(JSON.stringify(body)).not.toContain('strict')
      expect(body).not.toHaveProperty('outputConfig')
      expect(JSON.stringify(body['system'])).toContain(JSON.stringify(JSON.stringify(schema)).slice(1, -1))
      expect(dropped.toSorted()).toEqual(['response_format', 'tools.strict'])
    })
  }

  test('that only another vendor can run are refused by name', () => {
    const hosted = { kind: 'hosted' as const, name: 'web_search' }
    expect(refusal({ tools: [tool(), hosted] })).toBe('tools.1')
  })

  const HISTORY = [user(text('q')), assistant(call('a', 'old.name')), user(result('a'))]

  test('that the conversation called stand there although the client offers none any more', () => {
    const [spec] = specs({ messages: HISTORY }) ?? []
    expect(spec).toMatchObject({ toolSpec: { name: 'old_name', inputSchema: { json: { type: 'object' } } } })
    expect(specs({ messages: HISTORY, tools: [tool('new')] })?.length).toBe(1)
  })

  const CHOICES: readonly (readonly [name: string, asked: Asked, choice: unknown])[] = [
    ['auto needs no word', { toolChoice: { type: 'auto' } }, undefined],
    ['required is any', { toolChoice: { type: 'required' } }, { any: {} }],
    ['one is named', { toolChoice: { type: 'named', name: 'f.g' } }, { tool: { name: 'f_g' } }],
    ['one of some is any', { toolChoice: { type: 'allowed', names: ['f.g'], mode: 'required' } }, { any: {} }],
  ]
  for (const [name, asked, choice] of CHOICES) {
    test(name, () => {
      const { toolConfig } = bodyOf({ tools: [tool('f.g'), tool('h')], ...asked }) as { toolConfig: JsonObject }
      expect(toolConfig['toolChoice']).toEqual(choice as never)
    })
  }

  test('that are not allowed are not offered', () => {
    const asked = {
      tools: [tool('f'), tool('g')],
      toolChoice: { type: 'allowed', names: ['g'], mode: 'auto' },
    } as const
    expect(JSON.stringify(specs(asked))).not.toContain('"f"')
  })

  test('are left out when none may be called, unless the conversation has called some: then words say it', () => {
    const none = { type: 'none' } as const
    expect(bodyOf({ tools: [tool()], toolChoice: none })).not.toHaveProperty('toolConfig')
    const body = bodyOf({ tools: [tool()], toolChoice: none, messages: HISTORY })
    expect(body).toHaveProperty('toolConfig')
    expect(body['system']).toEqual([{ text: 'Do not call any tool.' }])
  })

  test('are called one at a time where the model can be told, and otherwise that is named as lost', () => {
    const asked = { tools: [tool()], parallelToolCalls: false, toolChoice: { type: 'required' } } as const
    const body = bodyOf(asked)
    expect(body['additionalModelRequestFields']).toEqual({
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    })
    expect(body['toolConfig']).not.toHaveProperty('toolChoice')
    expect(sent({ ...asked, to: NOVA }).dropped).toEqual(['parallel_tool_calls'])
  })
})

describe('thinking in the conversation', () => {
  const thought = (more: Partial<ReasoningPart>): ReasoningPart => ({
    type: 'reasoning',
    text: 'Hm.',
    redacted: false,
    ...more,
  })
  const ours = { vendor: 'anthropic', kind: 'signature', blob: 'c2ln' } as const
  const turn = (part: ReasoningPart) => [user(text('q')), assistant(part, text('a')), user(text('b'))]

  test('goes back signed to who signed it', () => {
    expect(content({ messages: turn(thought({ opaque: ours })) }, 1)).toEqual([
      { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'c2ln' } } },
      { text: 'a' },
    ])
  })

  test('keeps every space that its signature covers', () => {
    expect(content({ messages: turn(thought({ text: ' Hm.\n\n', opaque: ours })) }, 1)).toEqual([
      { reasoningContent: { reasoningText: { text: ' Hm.\n\n', signature: 'c2ln' } } },
      { text: 'a' },
    ])
  })

  test('that the vendor hid goes back as the state that it is', () => {
    const hidden = thought({ text: '', redacted: true, opaque: { ...ours, kind: 'redacted' } })
    expect(content({ messages: turn(hidden) }, 1)).toEqual([
      { reasoningContent: { redactedContent: 'c2ln' } },
      { text: 'a' },
    ])
  })

  const LOST: readonly (readonly [string, Partial<ReasoningPart>])[] = [
    ['of another vendor', { opaque: { ...ours, vendor: 'openai' } }],
    ['without a signature', { opaque: { ...ours, blob: '' } }],
    ['without any state', {}],
  ]
  for (const [name, part] of LOST) {
    test(`${name} goes nowhere, least of all as words`, () => {
      const { body, dropped } = sent({ messages: turn(thought(part)) })
      expect(JSON.stringify(body)).not.toContain('Hm.')
      expect(dropped).toEqual(['thinking'])
    })
  }
})

describe('thinking that is asked for', () => {
  const extras = (asked: Asked) => bodyOf(asked)['additionalModelRequestFields']
  const CASES: readonly (readonly [name: string, asked: Asked, wire: unknown])[] = [
    [
      'a budget, for Claude',
      { reasoning: { budgetTokens: 2_000 } },
      { thinking: { type: 'enabled', budget_tokens: 2_000 } },
    ],
    [
      'what the model decides, for Claude',
      { reasoning: { adaptive: true, summary: 'auto' }, capabilities: { thinking: 'adaptive' } },
      { thinking: { type: 'adaptive', display: 'summarized' } },
    ],
    ['none, for Claude', { reasoning: { effort: 'none' } }, { thinking: { type: 'disabled' } }],
    [
      'an effort, for Nova',
      { to: NOVA, reasoning: { effort: 'low' }, capabilities: { efforts: ['none', 'low', 'medium', 'high'] } },
      { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' } },
    ],
    [
      'none, for Nova',
      { to: NOVA, reasoning: { effort: 'none' }, capabilities: { efforts: ['none', 'low'] } },
      { reasoningConfig: { type: 'disabled' } },
    ],
    [
      'the nearest effort, for an open model',
      { to: GPT, reasoning: { effort: 'max' }, capabilities: { efforts: ['low', 'medium', 'high'] } },
      { reasoning_effort: 'high' },
    ],
    ['top_k by the maker’s name, for Claude', { sampling: { topK: 5 } }, { top_k: 5 }],
    ['top_k by the maker’s name, for Nova', { to: NOVA, sampling: { topK: 5 } }, { inferenceConfig: { topK: 5 } }],
  ]
  for (const [name, asked, wire] of CASES) {
    test(`${name}, is said`, () => expect(extras(asked)).toEqual(wire as never))
  }

  test('leaves room for the answer', () => {
    const body = bodyOf({ reasoning: { budgetTokens: 4_000 }, maxTokens: 1_000 })
    expect(body['inferenceConfig']).toEqual({ maxTokens: 5_000 })
  })

  test('is named as lost where the model takes none', () => {
    expect(sent({ to: LLAMA, reasoning: { effort: 'high' } })).toMatchObject({ dropped: ['reasoning_effort'] })
  })

  test('rules sampling out, and a forced tool rules it out', () => {
    const thinking = sent({ reasoning: { budgetTokens: 2_000 }, sampling: { temperature: 0.5, topP: 0.5, topK: 3 } })
    expect(thinking.dropped).toEqual(['temperature', 'top_p', 'top_k'])
    const forced = sent({ reasoning: { budgetTokens: 2_000 }, tools: [tool()], toolChoice: { type: 'required' } })
    expect(forced.body['additionalModelRequestFields']).toEqual({ thinking: { type: 'disabled' } })
    expect(forced.dropped).toEqual(['thinking'])
  })

  test('goes with neither limits nor sampling at Nova’s highest effort', () => {
    const asked = { to: NOVA, reasoning: { effort: 'high' }, maxTokens: 9, sampling: { temperature: 0 } } as const
    const { body, dropped } = sent({ ...asked, capabilities: { efforts: ['high'] } })
    expect(body).not.toHaveProperty('inferenceConfig')
    expect(dropped).toEqual(['max_tokens', 'temperature'])
  })
})

describe('what all models take', () => {
  const CASES: readonly (readonly [name: string, asked: Asked, part: JsonObject])[] = [
    [
      'limits',
      { maxTokens: 9, sampling: { temperature: 2, stop: ['END', ' '] } },
      { inferenceConfig: { maxTokens: 9, temperature: 1, stopSequences: ['END'] } },
    ],
    [
      'one of temperature and top_p, for Claude',
      { sampling: { temperature: 0.2, topP: 0.9 } },
      { inferenceConfig: { temperature: 0.2 } },
    ],
    [
      'both, for others',
      { to: LLAMA, sampling: { temperature: 0.2, topP: 0.9 } },
      { inferenceConfig: { temperature: 0.2, topP: 0.9 } },
    ],
    ['the tier', { serviceTier: 'priority' }, { serviceTier: { type: 'priority' } }],
    ['the standard tier', { serviceTier: 'standard' }, { serviceTier: { type: 'default' } }],
    [
      'metadata that the host’s logs can hold',
      { user: 'u1', metadata: { team: 'a', bad: 'ä', deep: { x: 1 } } },
      { requestMetadata: { team: 'a', user_id: 'u1' } },
    ],
    [
      'a schema for the answer, as text',
      { output: { kind: 'json-schema', name: 'n', schema: { type: 'object', properties: { a: { type: 'string' } } } } },
      {
        outputConfig: {
          textFormat: {
            type: 'json_schema',
            structure: {
              jsonSchema: {
                schema: '{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}',
                name: 'n',
              },
            },
          },
        },
      },
    ],
    [
      'an answer in JSON, in words',
      { output: { kind: 'json-object' }, system: [text('Be brief.'), text(' ')] },
      { system: [{ text: 'Be brief.' }, { text: 'Answer with one valid JSON object and nothing else.' }] },
    ],
    [
      'which stop sequence it was, in a stream',
      { stream: true, sampling: { stop: ['E'] } },
      { additionalModelResponseFieldPaths: ['/delta/stop_sequence'] },
    ],
    [
      'which stop sequence it was',
      { stream: false, sampling: { stop: ['E'] } },
      { additionalModelResponseFieldPaths: ['/stop_sequence'] },
    ],
  ]
  for (const [name, asked, part] of CASES) {
    test(`${name}, is said`, () => expect(bodyOf(asked)).toMatchObject(part))
  }

  test('and what none takes is named as lost', () => {
    const sampling = { seed: 1, minP: 0.1, presencePenalty: 1, frequencyPenalty: 1, logitBias: { a: 1 }, stop: [' '] }
    expect(
      sent({ sampling, serviceTier: 'scale', output: { kind: 'text', verbosity: 'low' } }).dropped.toSorted(),
    ).toEqual([
      'frequency_penalty',
      'logit_bias',
      'min_p',
      'presence_penalty',
      'seed',
      'service_tier',
      'stop',
      'verbosity',
    ])
  })

  test('and what would change the answer is refused', () => {
    expect(refusal({ sampling: { n: 2 } })).toBe('n')
    expect(refusal({ sampling: { logprobs: 3 } })).toBe('logprobs')
  })

  test('fields that a host refuses are left out and named', () => {
    const { body, dropped } = sent({ serviceTier: 'flex', quirks: { stripFields: ['serviceTier'] } })
    expect(body).not.toHaveProperty('serviceTier')
    expect(dropped).toEqual(['serviceTier'])
  })
})

describe('media', () => {
  const image = (source: Extract<Part, { type: 'image' }>['source']) => ({ type: 'image' as const, source })
  const document = (title: string | undefined, mime = 'application/pdf', data = 'JVBERi0xLjQ=') => ({
    type: 'document' as const,
    source: { kind: 'base64' as const, mime, data },
    ...(title === undefined ? {} : { title }),
  })

  test('a picture is what its bytes show', () => {
    const given = [user(image({ kind: 'base64', mime: 'image/jpg', data: PNG }))]
    expect(content({ messages: given })).toEqual([{ image: { format: 'png', source: { bytes: PNG } } }])
  })

  test('nothing is read from an address', () => {
    const target = targetContext(converse.upstream)
    for (const kind of ['image', 'document', 'audio'] as const)
      expect(bedrockConverse.takesUrl(kind, 'https://a.example/b', target)).toBe(false)
    expect(refusal({ messages: [user(image({ kind: 'url', url: 'https://a.example/b.png' }))] })).toBe(
      'messages.0.parts.0',
    )
  })

  const REFUSED: readonly (readonly [string, Asked])[] = [
    [
      'a picture of an unknown kind',
      { messages: [user(image({ kind: 'base64', mime: 'image/svg+xml', data: 'PHN2Zz4=' }))] },
    ],
    [
      'a picture for a model without eyes',
      { messages: [user(image({ kind: 'base64', mime: 'image/png', data: PNG }))], capabilities: { images: false } },
    ],
    [
      'a file at another vendor',
      { messages: [user(image({ kind: 'file', id: 'file_1', origin: 'anthropic-messages' }))] },
    ],
    ['an archive', { messages: [user(document('a', 'application/zip', 'UEsDBA=='))] }],
    [
      'sound for a model without ears',
      {
        messages: [user({ type: 'audio', source: { kind: 'base64', mime: 'audio/wav', data: 'UklGRg==' } })],
        capabilities: { audio: false },
      },
    ],
  ]
  for (const [name, asked] of REFUSED) {
    test(`${name} is refused by its place`, () => expect(refusal(asked)).toBe('messages.0.parts.0'))
  }

  test('sound goes to a model that hears', () => {
    const sound = { type: 'audio' as const, source: { kind: 'base64' as const, mime: 'audio/mpeg', data: '//vQ' } }
    expect(content({ messages: [user(sound)] })).toEqual([{ audio: { format: 'mp3', source: { bytes: '//vQ' } } }])
  })

  test('a document of office is what its sender says', () => {
    const mime = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
    expect(content({ messages: [user(text('q'), document('Plan.docx', mime, 'UEsDBA=='))] })).toEqual([
      { text: 'q' },
      { document: { format: 'docx', name: 'Plan', source: { bytes: 'UEsDBA==' } } },
    ])
  })

  test('a document of text goes as bytes, and never without words beside it', () => {
    const notes = { type: 'document' as const, source: { kind: 'text' as const, text: 'Hé', mime: 'text/plain' } }
    expect(content({ messages: [user(notes)] })).toEqual([
      { text: '.' },
      { document: { format: 'txt', name: 'document', source: { bytes: 'SMOp' } } },
    ])
  })

  test('names of documents are legal, unique and the same in every turn', () => {
    const titles = ['Q3_report (final).pdf', 'Q3-report (final)', undefined, 'été  2026.pdf', '***', 'x'.repeat(300)]
    const turns = [user(text('q'), ...titles.map((title) => document(title)))]
    const names = (given: readonly Message[]) =>
      (content({ messages: given }) as readonly { document?: { name: string } }[]).flatMap(
        (block) => block.document?.name ?? [],
      )
    const first = names(turns)
    expect(first.slice(0, 5)).toEqual([
      'Q3-report (final)',
      'Q3-report (final) (2)',
      'document',
      '-t- 2026',
      'document (2)',
    ])
    for (const name of first) expect(name).toMatch(/^(?!.*\s\s)[a-zA-Z0-9\s()[\]-]{1,200}$/)
    expect(names([...turns, assistant(text('a')), user(text('more?'))])).toEqual(first)
  })

  test('in the model’s own turns there is only the word that there was one', () => {
    const given = [user(text('q')), assistant(image({ kind: 'base64', mime: 'image/png', data: PNG })), user(text('b'))]
    expect(content({ messages: given }, 1)).toEqual([{ text: '[image]' }])
  })

  test('citations are asked of Claude, and named as lost elsewhere', () => {
    const cited = { ...document('a'), citations: true, context: 'Internal.' }
    const given = { messages: [user(text('q'), cited)] }
    expect(content(given)).toMatchObject([{}, { document: { context: 'Internal.', citations: { enabled: true } } }])
    expect(sent({ ...given, to: LLAMA }).dropped).toEqual(['citations'])
  })
})

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
