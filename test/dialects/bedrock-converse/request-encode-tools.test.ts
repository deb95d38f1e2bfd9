import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../src/core/json.ts'
import {
  type Asked,
  assistant,
  bodyOf,
  call,
  LLAMA,
  NOVA,
  refusal,
  result,
  sent,
  text,
  tool,
  user,
} from './request-encoding.ts'

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
