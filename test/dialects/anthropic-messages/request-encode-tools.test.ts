import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../src/core/json.ts'
import type { ChatRequest } from '../../../src/dialects/neutral.ts'
import { assistant, call, encode, result, text, TOOL, user } from './request-encoding.ts'

describe('tools', () => {
  const choices: readonly [name: string, more: Partial<ChatRequest>, choice: object | undefined][] = [
    ['automatic', { toolChoice: { type: 'auto' } }, { type: 'auto' }],
    ['required', { toolChoice: { type: 'required' } }, { type: 'any' }],
    ['named', { toolChoice: { type: 'named', name: 'f' } }, { type: 'tool', name: 'f' }],
    ['none', { toolChoice: { type: 'none' }, parallelToolCalls: false }, { type: 'none' }],
    ['one at a time', { parallelToolCalls: false }, { type: 'auto', disable_parallel_tool_use: true }],
    ['no tools at all', { tools: [], toolChoice: { type: 'required' } }, undefined],
  ]
  for (const [name, more, choice] of choices) {
    test(`choice: ${name}`, () =>
      expect(encode({ tools: [TOOL], ...more }).body['tool_choice']).toEqual(choice as never))
  }

  test('a choice among some leaves the others out', () => {
    const { body } = encode({
      tools: [TOOL, { ...TOOL, name: 'g' }],
      toolChoice: { type: 'allowed', names: ['g'], mode: 'required' },
    })
    expect(body).toMatchObject({ tools: [{ name: 'g' }], tool_choice: { type: 'any' } })
    expect(body['tools']).toHaveLength(1)
  })

  test('names that are not allowed here are replaced everywhere and can be restored', () => {
    const name = 'mcp.server/read file'
    const request = {
      tools: [
        { ...TOOL, name },
        { ...TOOL, name: 'mcp_server_read_file' },
        { ...TOOL, name: 'x'.repeat(200) },
      ],
      toolChoice: { type: 'named', name } as const,
      messages: [user(text('a')), assistant(call('t', '{}', name)), user(result('t'))],
    }
    const { body, toolNames } = encode(request)
    const [first, , long] = body['tools'] as { name: string }[]
    expect(first?.name).toMatch(/^mcp_server_read_file_[0-9a-f]{8}$/)
    expect(long?.name).toMatch(/^x{55}_[0-9a-f]{8}$/)
    expect(body).toMatchObject({
      tool_choice: { name: first?.name },
      messages: [{}, { content: [{ name: first?.name }] }, {}],
    })
    expect(toolNames.get(first?.name ?? '')).toBe(name)
    expect(encode(request)).toEqual({ body, toolNames, headers: expect.anything(), dropped: [] })
  })

  test('a tool of free text is a function of one string, and known as such', () => {
    const { body, customTools } = encode({
      tools: [{ kind: 'custom', name: 'patch' }],
      messages: [
        user(text('a')),
        assistant({ type: 'tool-call', id: 't', name: 'patch', kind: 'custom', argumentsText: '*** x' }),
        user(result('t')),
      ],
    })
    expect(body).toMatchObject({
      tools: [{ name: 'patch', input_schema: { properties: { input: { type: 'string' } } } }],
      messages: [{}, { content: [{ input: { input: '*** x' } }] }, {}],
    })
    expect(customTools).toEqual(new Set(['patch']))
  })

  test('a typed tool of this dialect goes as it is', () => {
    const body = { type: 'bash_20250124', name: 'bash' }
    expect(
      encode({ tools: [{ kind: 'client-typed', name: 'bash', raw: { origin: 'anthropic-messages', body } }] }).body[
        'tools'
      ],
    ).toEqual([body])
  })

  const inputs: readonly [argumentsText: string, input: object][] = [
    ['', {}],
    ['null', {}],
    ['{"a":1}', { a: 1 }],
    ['[1]', { input: [1] }],
    ['"x"', { input: 'x' }],
    ['{"a":', { _raw: '{"a":' }],
  ]
  for (const [argumentsText, input] of inputs) {
    test(`arguments ${argumentsText || 'absent'} are the object ${JSON.stringify(input)}`, () => {
      const { body } = encode({ messages: [user(text('a')), assistant(call('t', argumentsText)), user(result('t'))] })
      expect(body['messages']).toMatchObject([{}, { content: [{ input }] }, {}])
    })
  }

  const schemas: readonly [name: string, schema: JsonObject, strict: boolean, sent: object][] = [
    ['nothing', {}, false, { type: 'object', properties: {} }],
    [
      'a dialect of schemas',
      { $schema: 'x', type: 'object', properties: { $schema: { type: 'string' } } },
      false,
      { type: 'object', properties: { $schema: { type: 'string' } } },
    ],
    [
      'a root that points to a definition',
      { $ref: '#/$defs/a', $defs: { a: { type: 'object', properties: { b: {} } } } },
      false,
      { type: 'object', properties: { b: {} }, $defs: { a: { type: 'object', properties: { b: {} } } } },
    ],
    [
      'alternatives at the root',
      {
        anyOf: [
          { properties: { a: {} }, required: ['a', 'b'] },
          { properties: { b: {} }, required: ['b'] },
        ],
      },
      false,
      { type: 'object', properties: { a: {}, b: {} }, required: ['b'] },
    ],
    [
      'strict',
      {
        type: 'object',
        properties: {
          format: { type: 'string', format: 'hostname', minLength: 2, description: 'd' },
          n: { type: 'number', minimum: 1 },
          r: { $ref: '#/$defs/x', title: 't' },
          o: { oneOf: [{ type: 'string' }, { type: 'object' }] },
        },
      },
      true,
      {
        type: 'object',
        properties: {
          format: { type: 'string', format: 'hostname', description: 'd. minLength: 2' },
          n: { type: 'number', description: 'minimum: 1' },
          r: { $ref: '#/$defs/x' },
          o: { anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: false }] },
        },
        additionalProperties: false,
      },
    ],
  ]
  for (const [name, schema, strict, sent] of schemas) {
    test(`schema with ${name}`, () => {
      const { body } = encode({ tools: [{ ...TOOL, schema, strict }] })
      expect((body['tools'] as JsonObject[])[0]?.['input_schema']).toEqual(sent as never)
    })
  }

  test('a schema for the answer', () => {
    const { body } = encode({ output: { kind: 'json-schema', schema: { type: 'object', properties: {} } } })
    expect(body['output_config']).toEqual({
      format: { type: 'json_schema', schema: { type: 'object', properties: {}, additionalProperties: false } },
    })
  })
})
