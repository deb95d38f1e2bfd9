import { describe, expect, test } from 'bun:test'
import type { ReasoningPart } from '../../../src/dialects/neutral.ts'
import { type Asked, assistant, bodyOf, content, LLAMA, NOVA, sent, text, tool, user } from './request-encoding.ts'

const GPT = 'openai.gpt-oss-120b-1:0'

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
