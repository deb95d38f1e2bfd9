import { describe, expect, test } from 'bun:test'
import type { TargetContext } from '../../../src/dialects/dialect.ts'
import type { ChatRequest, Message, Part } from '../../../src/dialects/neutral.ts'
import { NEWEST, OLDER, targetContext } from './support.ts'
import { assistant, call, encode, expectBody, result, text, TOOL, user } from './request-encoding.ts'

describe('thinking', () => {
  const ADAPTIVE_ALWAYS = targetContext({ ...NEWEST, efforts: ['low', 'medium', 'high'] })
  const BUDGET = targetContext(OLDER)
  const forced = { tools: [TOOL], toolChoice: { type: 'required' } } as const
  const controls: readonly [
    name: string,
    more: Partial<ChatRequest>,
    target: TargetContext,
    body: object,
    dropped?: readonly string[],
  ][] = [
    ['not said', {}, targetContext(), { thinking: undefined, output_config: undefined }],
    [
      'an effort for a model that adapts',
      { reasoning: { effort: 'xhigh' } },
      targetContext(),
      { thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' }, max_tokens: 32_000 },
    ],
    ['the nearest effort', { reasoning: { effort: 'max' } }, ADAPTIVE_ALWAYS, { output_config: { effort: 'high' } }],
    ['the least effort', { reasoning: { effort: 'minimal' } }, targetContext(), { output_config: { effort: 'low' } }],
    [
      'a budget for a model that adapts',
      { reasoning: { budgetTokens: 10_000, summary: 'auto' } },
      targetContext(),
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'high' } },
    ],
    [
      'an effort alone, of a client of this dialect',
      { reasoning: { effort: 'high', adaptive: false } },
      targetContext(),
      { thinking: undefined, output_config: { effort: 'high' } },
    ],
    [
      'none',
      { reasoning: { effort: 'none' } },
      targetContext(),
      { thinking: { type: 'disabled' }, output_config: undefined },
    ],
    [
      'none, for a model that always thinks',
      { reasoning: { effort: 'none' } },
      ADAPTIVE_ALWAYS,
      { thinking: undefined, output_config: { effort: 'low' } },
      ['thinking'],
    ],
    [
      'an effort for a model with a budget',
      { reasoning: { effort: 'high' }, maxTokens: 30_000 },
      BUDGET,
      { thinking: { type: 'enabled', budget_tokens: 16_384 }, max_tokens: 30_000 },
    ],
    [
      'a budget above the limit raises it',
      { reasoning: { budgetTokens: 8_000 }, maxTokens: 4_000 },
      BUDGET,
      { thinking: { budget_tokens: 8_000 }, max_tokens: 12_000 },
    ],
    [
      'a budget above what the model can',
      { reasoning: { budgetTokens: 90_000 } },
      BUDGET,
      { thinking: { budget_tokens: 63_999 }, max_tokens: 64_000 },
    ],
    [
      'a model that cannot',
      { reasoning: { effort: 'high' } },
      targetContext({ ...OLDER, thinking: 'none' }),
      { thinking: undefined },
      ['thinking'],
    ],
    [
      'a forced tool rules it out',
      { reasoning: { effort: 'high' }, ...forced },
      BUDGET,
      { thinking: { type: 'disabled' }, tool_choice: { type: 'any' } },
      ['thinking'],
    ],
    [
      'sampling gives way to it',
      { reasoning: { effort: 'low' }, sampling: { temperature: 0.5 } },
      BUDGET,
      { temperature: undefined },
      ['temperature'],
    ],
    [
      'an open tool loop without its thinking rules it out',
      { reasoning: { effort: 'low' }, messages: [user(text('a')), assistant(call('t')), user(result('t'))] },
      BUDGET,
      { thinking: { type: 'disabled' } },
      ['thinking'],
    ],
  ]
  for (const [name, more, target, body, dropped = []] of controls) {
    test(name, () => {
      const encoded = encode(more, target)
      expectBody(encoded.body, body)
      expect(encoded.dropped).toEqual(dropped)
    })
  }

  const history = (
    opaque: { vendor: string; kind: 'signature' | 'redacted' | 'encrypted'; blob: string } | undefined,
  ): readonly Message[] => [
    user(text('a')),
    assistant(
      { type: 'reasoning', text: 'hm', redacted: opaque?.kind === 'redacted', ...(opaque && { opaque }) },
      text('b'),
    ),
    user(text('c')),
  ]
  const provenance: readonly [
    name: string,
    opaque: Parameters<typeof history>[0],
    vendor: string,
    block: object | undefined,
  ][] = [
    [
      'its own signature',
      { vendor: 'anthropic', kind: 'signature', blob: 's' },
      'anthropic',
      { type: 'thinking', thinking: 'hm', signature: 's' },
    ],
    [
      'its own redacted state',
      { vendor: 'anthropic', kind: 'redacted', blob: 'd' },
      'anthropic',
      { type: 'redacted_thinking', data: 'd' },
    ],
    ['a foreign signature', { vendor: 'anthropic', kind: 'signature', blob: 's' }, 'deepseek', undefined],
    ['foreign thinking as text', { vendor: 'openai', kind: 'encrypted', blob: 'e' }, 'anthropic', undefined],
    ['no signature', undefined, 'anthropic', undefined],
    ['an empty signature', { vendor: 'anthropic', kind: 'signature', blob: '' }, 'anthropic', undefined],
    [
      'unsigned thinking of the same host',
      { vendor: 'deepseek', kind: 'signature', blob: '' },
      'deepseek',
      { type: 'thinking', thinking: 'hm', signature: '' },
    ],
  ]
  for (const [name, opaque, vendor, block] of provenance) {
    test(`${name} ${block === undefined ? 'is dropped' : 'goes back'}`, () => {
      const { body, dropped } = encode({ messages: history(opaque) }, targetContext(NEWEST, {}, vendor))
      const [, turn] = body['messages'] as { content: unknown }[]
      expect(turn?.content).toEqual(block === undefined ? 'b' : [block, { type: 'text', text: 'b' }])
      expect(dropped).toEqual(block === undefined ? ['thinking'] : [])
    })
  }

  test('nothing is taken out of a turn with signed thinking', () => {
    const signed: Part = {
      type: 'reasoning',
      text: ' hm ',
      redacted: false,
      opaque: { vendor: 'anthropic', kind: 'signature', blob: 's' },
    }
    const { body } = encode({
      messages: [user(text('a')), assistant(signed, text('\n\n'), call('t')), user(result('t'))],
    })
    expect(body['messages']).toMatchObject([
      {},
      { content: [{ thinking: ' hm ' }, { text: '\n\n' }, { type: 'tool_use' }] },
      {},
    ])
  })
})
