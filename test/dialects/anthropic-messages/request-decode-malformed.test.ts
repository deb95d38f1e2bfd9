import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { BASE, decode } from './request-decoding.ts'

describe('what is malformed', () => {
  const wrong: readonly [param: string, body: object][] = [
    ['model', { ...BASE, model: 7 }],
    ['model', { ...BASE, model: undefined }],
    ['max_tokens', { ...BASE, max_tokens: undefined }],
    ['max_tokens', { ...BASE, max_tokens: 1.5 }],
    ['max_tokens', { ...BASE, max_tokens: '9' }],
    ['messages', { ...BASE, messages: [] }],
    ['messages', { ...BASE, messages: 'Hi' }],
    ['messages.0', { ...BASE, messages: ['Hi'] }],
    ['messages.0.role', { ...BASE, messages: [{ role: 'tool', content: 'x' }] }],
    ['messages.0.content', { ...BASE, messages: [{ role: 'user', content: 7 }] }],
    ['messages.0.content', { ...BASE, messages: [{ role: 'user' }] }],
    ['messages.0.content.1', { ...BASE, messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }, 'b'] }] }],
    ['messages.0.content.0.text', { ...BASE, messages: [{ role: 'user', content: [{ type: 'text' }] }] }],
    ['messages.0.content.0.type', { ...BASE, messages: [{ role: 'user', content: [{ type: 'input_json_delta' }] }] }],
    [
      'messages.0.content.0.type',
      { ...BASE, messages: [{ role: 'user', content: [{ type: 'thinking', thinking: 'x' }] }] },
    ],
    [
      'messages.0.content.0.type',
      { ...BASE, messages: [{ role: 'assistant', content: [{ type: 'tool_result', tool_use_id: 'x' }] }] },
    ],
    ['messages.0.content.0.source', { ...BASE, messages: [{ role: 'user', content: [{ type: 'image' }] }] }],
    [
      'messages.0.content.0.source.type',
      { ...BASE, messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'x' } }] }] },
    ],
    [
      'messages.0.content.0.content.0.text',
      {
        ...BASE,
        messages: [
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 1 }] }] },
        ],
      },
    ],
    [
      'messages.0.content.0.input',
      { ...BASE, messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: 'x' }] }] },
    ],
    ['system', { ...BASE, system: 7 }],
    ['system.0.text', { ...BASE, system: [{ type: 'text' }] }],
    ['stream', { ...BASE, stream: 'yes' }],
    ['temperature', { ...BASE, temperature: 'hot' }],
    ['stop_sequences', { ...BASE, stop_sequences: 'x' }],
    ['tools.0.name', { ...BASE, tools: [{ input_schema: {} }] }],
    ['tools.0.input_schema', { ...BASE, tools: [{ name: 'f' }] }],
    ['tool_choice', { ...BASE, tool_choice: 'auto' }],
    ['tool_choice.type', { ...BASE, tool_choice: { type: 'maybe' } }],
    ['tool_choice.name', { ...BASE, tool_choice: { type: 'tool' } }],
    ['thinking.budget_tokens', { ...BASE, thinking: { type: 'enabled', budget_tokens: 5 } }],
    ['thinking.budget_tokens', { ...BASE, thinking: { type: 'enabled' } }],
    ['thinking.type', { ...BASE, thinking: {} }],
    ['output_config.effort', { ...BASE, output_config: { effort: 'huge' } }],
  ]
  for (const [param, body] of wrong) {
    test(`${param} in ${JSON.stringify(body).slice(34, 110)}`, () => {
      expect(decode(body)).toMatchObject({ ok: false, error: { kind: 'malformed', param } })
    })
  }

  test('nothing makes it throw', () => {
    const keys = fc.constantFrom(
      'model',
      'max_tokens',
      'messages',
      'system',
      'tools',
      'tool_choice',
      'thinking',
      'output_config',
      'metadata',
      'type',
      'role',
      'content',
      'source',
      'text',
    )
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom('user', 'assistant', 'text', 'image', 'tool_use', 'tool_result', 'enabled', 1, null, true),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(keys, tie('tree'), { maxKeys: 5 }),
      ),
    }))
    fc.assert(
      fc.property(fc.dictionary(keys, tree), (body) => {
        expect(typeof decode({ ...BASE, ...body }).ok).toBe('boolean')
      }),
      { numRuns: 500 },
    )
  })
})
