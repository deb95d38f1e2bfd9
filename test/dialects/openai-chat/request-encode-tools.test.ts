import { describe, expect, test } from 'bun:test'
import type { Quirks } from '../../../src/catalog/provider.ts'
import type { Json, JsonObject } from '../../../src/core/json.ts'
import type { ChatRequest, Tool } from '../../../src/dialects/neutral.ts'
import { assistant, call, encoded, messagesOf, refusalOf, result, text, user } from './request-encoding.ts'

describe('tools', () => {
  const tool = (name: string, more: Partial<Tool> = {}): Tool => ({ name, kind: 'function', ...more })

  test('a schema becomes an object at its root; what stands under a name is untouched', () => {
    const schemas: readonly (readonly [JsonObject | undefined, JsonObject])[] = [
      [undefined, { type: 'object', properties: {} }],
      [{}, { type: 'object', properties: {} }],
      [
        { $schema: 'x', type: 'object' },
        { type: 'object', properties: {} },
      ],
      [
        { type: 'object', properties: { $schema: { type: 'object' }, type: { type: 'string' } }, required: ['type'] },
        { type: 'object', properties: { $schema: { type: 'object' }, type: { type: 'string' } }, required: ['type'] },
      ],
      [
        {
          description: 'd',
          anyOf: [
            { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['a', 'b'] },
            { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
          ],
        },
        {
          description: 'd',
          type: 'object',
          properties: { a: { anyOf: [{ type: 'string' }, { type: 'number' }] }, b: {} },
          required: ['a'],
        },
      ],
      [
        {
          allOf: [
            { properties: { a: {} }, required: ['a'] },
            { properties: { b: {} }, required: ['b'] },
          ],
        },
        { type: 'object', properties: { a: {}, b: {} }, required: ['a', 'b'] },
      ],
    ]
    for (const [schema, parameters] of [...schemas, ...REFERRING]) {
      const { body } = encoded({ tools: [tool('f', schema === undefined ? {} : { schema })] })
      expect(body['tools']).toMatchObject([{ type: 'function', function: { name: 'f', parameters } }])
      const [wire] = body['tools'] as readonly [{ readonly function: { readonly parameters: JsonObject } }]
      expect(wire.function.parameters).toEqual(parameters)
    }
  })

  test('names that the host refuses are changed, told apart, and known on the way back', () => {
    const long = 'x'.repeat(70)
    const { body, toolNames } = encoded({
      tools: [tool('mcp.read'), tool('mcp_read'), tool(long)],
      toolChoice: { type: 'named', name: 'mcp.read' },
      messages: [user(text('a')), assistant(call('1', long)), user(result('1', text('ok')))],
    })
    const sent = (body['tools'] as readonly JsonObject[]).map(
      (wire) => (wire['function'] as JsonObject)['name'] as string,
    )
    expect(new Set(sent).size).toBe(3)
    for (const name of sent) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(sent.map((name) => toolNames.get(name) ?? name)).toEqual(['mcp.read', 'mcp_read', long])
    expect(body['tool_choice']).toEqual({ type: 'function', function: { name: sent[0] } })
    expect(JSON.stringify(body['messages'])).toContain(`"name":"${sent[2]}"`)
  })

  test('ids that the host refuses are derived from the old ones, alike on call and result', () => {
    const ids = (id: string, quirks: Quirks): readonly unknown[] => {
      const messages = messagesOf(
        { messages: [user(text('a')), assistant(call(id)), user(result(id, text('ok')))] },
        { quirks },
      )
      const [, turn, answer] = messages as readonly [
        JsonObject,
        { tool_calls: [{ id: string }] },
        { tool_call_id: string },
      ]
      return [turn.tool_calls[0].id, answer.tool_call_id]
    }
    const [short, shortAgain] = ids('toolu_01A', { nineCharacterToolIds: true })
    expect(short).toMatch(/^[A-Za-z0-9]{9}$/)
    expect(shortAgain).toBe(short)
    expect(ids('toolu_01A', { nineCharacterToolIds: true })).toEqual([short, short])
    expect(ids('abcDEF123', { nineCharacterToolIds: true })).toEqual(['abcDEF123', 'abcDEF123'])
    expect(ids('functions.f:0', {})).toEqual(['functions.f:0', 'functions.f:0'])
    const [derived, derivedAgain] = ids('x'.repeat(90), {})
    expect(derived).toMatch(/^call_\w{24}$/)
    expect(derivedAgain).toBe(derived)
  })

  const choices: readonly (readonly [string, NonNullable<ChatRequest['toolChoice']>, Quirks, Json])[] = [
    ['auto', { type: 'auto' }, {}, 'auto'],
    ['none', { type: 'none' }, {}, 'none'],
    ['required', { type: 'required' }, {}, 'required'],
    ['required in the words of a host', { type: 'required' }, { requiredToolChoice: 'any' }, 'any'],
    ['a custom tool by name', { type: 'named', name: 'c' }, {}, { type: 'custom', custom: { name: 'c' } }],
    [
      'some of them',
      { type: 'allowed', mode: 'auto', names: ['f', 'c'] },
      {},
      {
        type: 'allowed_tools',
        allowed_tools: {
          mode: 'auto',
          tools: [
            { type: 'function', function: { name: 'f' } },
            { type: 'custom', custom: { name: 'c' } },
          ],
        },
      },
    ],
  ]
  for (const [name, toolChoice, quirks, wire] of choices) {
    test(`a choice: ${name}`, () => {
      const { body } = encoded({ tools: [tool('f'), tool('c', { kind: 'custom' })], toolChoice }, { quirks })
      expect(body['tool_choice'] as Json).toEqual(wire)
    })
  }

  test('parallel calls go with the tools, and nothing of tools without any', () => {
    expect(encoded({ tools: [tool('f')], parallelToolCalls: false }).body['parallel_tool_calls']).toBe(false)
    const { body } = encoded({ tools: [], toolChoice: { type: 'required' }, parallelToolCalls: false })
    expect(Object.keys(body)).toEqual(['model', 'messages'])
  })

  test('tools that another vendor runs or types are refused, this format’s own go on', () => {
    const raw = { origin: 'anthropic-messages', body: {} } as const
    expect(refusalOf({ tools: [tool('f'), tool('bash', { kind: 'client-typed', raw })] })).toBe('unsupported tools.1')
    expect(refusalOf({ tools: [tool('web', { kind: 'hosted', raw })] })).toBe('unsupported tools.0')
    const own = { origin: 'openai-chat', body: { type: 'web_search' } } as const
    expect(encoded({ tools: [tool('web', { kind: 'hosted', raw: own })] }).body['tools']).toEqual([
      { type: 'web_search' },
    ])
  })

  test('a grammar of another format is nested as here', () => {
    const raw = {
      origin: 'openai-responses',
      body: { type: 'custom', name: 'c', format: { type: 'grammar', syntax: 'lark', definition: 'x' } },
    } as const
    const { body } = encoded({ tools: [tool('c', { kind: 'custom', raw })] })
    expect(body['tools']).toMatchObject([
      {
        type: 'custom',
        custom: { name: 'c', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'x' } } },
      },
    ])
  })

  test('keywords that a host refuses are not in the schema of a tool', () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false }
    const parameters = (quirks: Quirks) => {
      const { body } = encoded({ tools: [tool('f', { schema })] }, { quirks })
      return body['tools']
    }
    expect(parameters({})).toMatchObject([{ function: { parameters: schema } }])
    expect(JSON.stringify(parameters({ toolSchemaStrips: ['additionalProperties'] }))).not.toContain('additional')
  })

  test('a choice that the host cannot be told is refused, and `none` takes the tools away', () => {
    const quirks = { stripFields: ['tool_choice'] }
    expect(refusalOf({ tools: [tool('f')], toolChoice: { type: 'required' } }, { quirks })).toBe(
      'unsupported tool_choice',
    )
    expect(encoded({ tools: [tool('f')], toolChoice: { type: 'none' } }, { quirks }).body).not.toHaveProperty('tools')
  })
})

/** Schemas whose root, or whose variants, point to definitions; and a name that must not reach a prototype. */
const REFERRING: readonly (readonly [JsonObject, JsonObject])[] = [
  [
    { $ref: '#/$defs/A', $defs: { A: { type: 'object', properties: { a: { $ref: '#/$defs/B' } } }, B: {} } },
    {
      type: 'object',
      properties: { a: { $ref: '#/$defs/B' } },
      $defs: { A: { type: 'object', properties: { a: { $ref: '#/$defs/B' } } }, B: {} },
    },
  ],
  [
    {
      oneOf: [{ $ref: '#/$defs/A' }, { properties: { b: {} }, $defs: { C: {} } }],
      $defs: { A: { properties: { a: {} } } },
    },
    {
      type: 'object',
      properties: { a: {}, b: {} },
      $defs: { C: {}, A: { properties: { a: {} } } },
    },
  ],
  [
    JSON.parse('{"anyOf":[{"properties":{"__proto__":{"type":"string"}}}]}') as JsonObject,
    JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as JsonObject,
  ],
]
