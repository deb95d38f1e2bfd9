/** How hard a model is to think, in the words of each format: efforts, budgets, and whether the thinking is shown. */
import { describe, expect, test } from 'bun:test'
import type { Effort, Reasoning } from '../../../src/dialects/neutral.ts'
import { expectCell, sent, type Cell, type HostName, type Sent, type Twist } from './table.ts'

const EFFORTS: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

interface Column {
  readonly name: string
  readonly host: HostName
  readonly twist?: Twist
  /** What is sent for each effort, weakest first. */
  readonly cells: readonly Cell[]
}

function each(path: string, ...values: readonly (string | number | boolean | object | undefined)[]): readonly Cell[] {
  return values.map((value) => sent({ [path]: value }))
}

const claude = { can: { thinking: 'adaptive', efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'] } } as const
const ADAPTIVE = { type: 'adaptive' }
const CLAUDE_WORDS = ['low', 'low', 'medium', 'high', 'xhigh', 'max']

function budget(tokens: number): object {
  return { type: 'enabled', budget_tokens: tokens }
}

const COLUMNS: readonly Column[] = [
  {
    name: 'a Claude that decides for itself',
    host: 'messages',
    twist: claude,
    cells: [
      sent({ thinking: { type: 'disabled' }, output_config: undefined }),
      ...CLAUDE_WORDS.map((effort) => sent({ thinking: ADAPTIVE, output_config: { effort } })),
    ],
  },
  {
    name: 'a Claude that cannot stop thinking',
    host: 'messages',
    twist: { can: { thinking: 'adaptive', efforts: ['low', 'medium', 'high'] } },
    cells: [
      sent({ thinking: undefined, output_config: { effort: 'low' } }, 'thinking'),
      ...['low', 'low', 'medium', 'high', 'high', 'high'].map((effort) =>
        sent({ thinking: ADAPTIVE, output_config: { effort } }),
      ),
    ],
  },
  {
    name: 'a Claude with a budget',
    host: 'messages',
    twist: { can: { thinking: 'budget', efforts: ['none'] } },
    cells: each(
      'thinking',
      { type: 'disabled' },
      budget(1_024),
      budget(2_048),
      budget(8_192),
      budget(16_384),
      budget(32_768),
      budget(64_000),
    ),
  },
  {
    name: 'Claude in Converse',
    host: 'converse',
    twist: claude,
    cells: [
      sent({ 'additionalModelRequestFields.thinking': { type: 'disabled' } }),
      ...CLAUDE_WORDS.map((effort) =>
        sent({ 'additionalModelRequestFields.thinking': ADAPTIVE, outputConfig: { effort } }),
      ),
    ],
  },
  { name: 'Chat', host: 'chat', cells: each('reasoning_effort', ...EFFORTS) },
  {
    name: 'a model of Chat with less to choose from',
    host: 'chat',
    twist: { can: { efforts: ['low', 'medium', 'high'] } },
    cells: each('reasoning_effort', 'low', 'low', 'low', 'medium', 'high', 'high', 'high'),
  },
  {
    name: 'a host of Chat with a switch',
    host: 'chat',
    twist: { quirks: { effortStyle: 'thinking-switch' }, can: { efforts: ['none', 'low', 'high', 'max'] } },
    cells: [
      sent({ thinking: { type: 'disabled' }, reasoning_effort: undefined }),
      ...['low', 'low', 'high', 'high', 'high', 'max'].map((effort) =>
        sent({ thinking: { type: 'enabled' }, reasoning_effort: effort }),
      ),
    ],
  },
  { name: 'Responses', host: 'responses', cells: each('reasoning.effort', ...EFFORTS) },
  {
    name: 'a model of Responses with less to choose from',
    host: 'responses',
    twist: { can: { efforts: ['minimal', 'low', 'medium', 'high'] } },
    cells: each('reasoning.effort', 'minimal', 'minimal', 'low', 'medium', 'high', 'high', 'high'),
  },
  {
    name: 'a Gemini that thinks by level',
    host: 'gemini',
    twist: { can: { thinking: 'effort', efforts: ['minimal', 'low', 'medium', 'high'] } },
    cells: [
      sent({ 'generationConfig.thinkingConfig': { thinkingLevel: 'MINIMAL' } }, 'reasoning'),
      ...['MINIMAL', 'LOW', 'MEDIUM', 'HIGH', 'HIGH', 'HIGH'].map((thinkingLevel) =>
        sent({ 'generationConfig.thinkingConfig': { thinkingLevel } }),
      ),
    ],
  },
  {
    name: 'a Gemini with two levels',
    host: 'gemini',
    twist: { can: { thinking: 'effort', efforts: ['low', 'high'] } },
    cells: [
      sent({ 'generationConfig.thinkingConfig': { thinkingLevel: 'LOW' } }, 'reasoning'),
      ...['LOW', 'LOW', 'HIGH', 'HIGH', 'HIGH', 'HIGH'].map((thinkingLevel) =>
        sent({ 'generationConfig.thinkingConfig': { thinkingLevel } }),
      ),
    ],
  },
  {
    name: 'a Gemini with a budget',
    host: 'gemini',
    twist: { can: { thinking: 'budget', efforts: ['none'], thinkingBudget: { min: 1, max: 24_576 } } },
    cells: each('generationConfig.thinkingConfig.thinkingBudget', 0, 512, 1_024, 8_192, 24_576, 24_576, 24_576),
  },
  {
    name: 'a Gemini that always thinks',
    host: 'gemini',
    twist: { can: { thinking: 'budget', efforts: [], thinkingBudget: { min: 128, max: 32_768 } } },
    cells: [
      sent({ 'generationConfig.thinkingConfig.thinkingBudget': 128 }, 'reasoning'),
      ...each('generationConfig.thinkingConfig.thinkingBudget', 512, 1_024, 8_192, 24_576, 32_768, 32_768),
    ],
  },
  {
    name: 'Cohere',
    host: 'cohere',
    cells: [
      sent({ thinking: { type: 'disabled' } }),
      ...[1_024, 1_024, 4_096, 8_192, 16_384].map((token_budget) =>
        sent({ thinking: { type: 'enabled', token_budget } }),
      ),
      sent({ thinking: { type: 'enabled' } }),
    ],
  },
  {
    name: 'Ollama with words',
    host: 'ollama',
    cells: each('think', false, 'low', 'low', 'medium', 'high', 'high', 'high'),
  },
  {
    name: 'Ollama without',
    host: 'ollama',
    twist: { can: { thinking: 'budget', efforts: ['none'] } },
    cells: each('think', false, true, true, true, true, true, true),
  },
]

for (const { name, host, twist, cells } of COLUMNS) {
  describe(name, () => {
    for (const [index, effort] of EFFORTS.entries()) {
      const cell = cells[index]
      test(`effort ${effort}`, () => {
        expect(cell).toBeDefined()
        if (cell !== undefined) expectCell(host, { reasoning: { effort } }, cell, twist)
      })
    }

    test('nothing said stays unsaid', () => {
      const nothing = Object.fromEntries(Object.keys(cells[1]?.sent ?? {}).map((path) => [path, undefined]))
      expectCell(host, {}, { sent: nothing }, twist)
    })
  })
}

describe('a budget as an effort: the least that holds it', () => {
  const budgets: readonly (readonly [tokens: number, effort: Effort])[] = [
    [0, 'none'],
    [512, 'minimal'],
    [513, 'low'],
    [2_048, 'low'],
    [8_192, 'medium'],
    [24_576, 'high'],
    [32_768, 'xhigh'],
    [32_769, 'max'],
  ]
  for (const [budgetTokens, effort] of budgets) {
    test(`${budgetTokens} tokens`, () => {
      expectCell('chat', { reasoning: { budgetTokens } }, sent({ reasoning_effort: effort }))
      expectCell('responses', { reasoning: { budgetTokens } }, sent({ 'reasoning.effort': effort }))
    })
  }

  test('a budget stays a budget where there are any', () => {
    const twist: Twist = { can: { thinking: 'budget', efforts: [] } }
    const reasoning: Reasoning = { budgetTokens: 3_000 }
    expectCell('messages', { reasoning }, sent({ thinking: budget(3_000) }), twist)
    expectCell('gemini', { reasoning }, sent({ 'generationConfig.thinkingConfig': { thinkingBudget: 3_000 } }), twist)
    expectCell('cohere', { reasoning }, sent({ thinking: { type: 'enabled', token_budget: 3_000 } }), twist)
  })
})

describe('whether thinking is shown', () => {
  const shown: readonly (readonly [summary: NonNullable<Reasoning['summary']>, Partial<Record<HostName, Sent>>])[] = [
    [
      'none',
      {
        messages: { 'thinking.display': 'omitted' },
        converse: { 'additionalModelRequestFields.thinking.display': 'omitted' },
        responses: { 'reasoning.summary': undefined },
        gemini: { 'generationConfig.thinkingConfig.includeThoughts': undefined },
      },
    ],
    [
      'auto',
      {
        messages: { 'thinking.display': 'summarized' },
        converse: { 'additionalModelRequestFields.thinking.display': 'summarized' },
        responses: { 'reasoning.summary': 'auto' },
        gemini: { 'generationConfig.thinkingConfig.includeThoughts': true },
      },
    ],
    [
      'detailed',
      {
        messages: { 'thinking.display': 'summarized' },
        converse: { 'additionalModelRequestFields.thinking.display': 'summarized' },
        responses: { 'reasoning.summary': 'detailed' },
        gemini: { 'generationConfig.thinkingConfig.includeThoughts': true },
      },
    ],
  ]
  for (const [summary, hosts] of shown) {
    for (const [host, members] of Object.entries(hosts) as [HostName, Sent][]) {
      test(`${summary}, ${host}`, () => expectCell(host, { reasoning: { effort: 'high', summary } }, sent(members)))
    }
  }

  test('a host that can hide it is told to', () => {
    const twist: Twist = { quirks: { effortStyle: 'openrouter' } }
    expectCell(
      'chat',
      { reasoning: { effort: 'high', summary: 'none' } },
      sent({ reasoning: { effort: 'high', exclude: true } }),
      twist,
    )
  })
})
