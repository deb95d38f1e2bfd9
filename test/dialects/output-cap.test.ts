/** The longest answer, put into bodies that pass through. */
import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { applySplices, scanObject } from '../../src/core/json-scan.ts'
import { anthropicMessages } from '../../src/dialects/anthropic-messages/index.ts'
import type { Dialect } from '../../src/dialects/dialect.ts'
import { gemini } from '../../src/dialects/gemini/index.ts'
import { ollama } from '../../src/dialects/ollama/index.ts'
import { openaiChat } from '../../src/dialects/openai-chat/index.ts'
import { openaiResponses } from '../../src/dialects/openai-responses/index.ts'
import { value } from '../support/dashboard.ts'

const CAP = 100

/** The body after its edits; undefined when it has to be rewritten. */
function capped(dialect: Dialect, text: string, quirks: object = {}): string | undefined {
  const body = value(scanObject(Buffer.from(text)))
  const splices = dialect.passThrough.capOutput(body, CAP, quirks)
  return splices && Buffer.from(applySplices(body.bytes, splices)).toString()
}

const cases: readonly (readonly [what: string, dialect: Dialect, before: string, after: string | undefined])[] = [
  ['a lower length stays, byte for byte', openaiChat, '{ "max_tokens" : 7 }', '{ "max_tokens" : 7 }'],
  [
    'both names are lowered',
    openaiChat,
    '{"max_tokens":200,"max_completion_tokens":300}',
    '{"max_tokens":100,"max_completion_tokens":100}',
  ],
  ['none gets the new name', openaiChat, '{"n":1}', '{"n":1,"max_completion_tokens":100}'],
  ['null is no length', openaiResponses, '{"max_output_tokens":null}', '{"max_output_tokens":100}'],
  ['nor is a word', anthropicMessages, '{"max_tokens":"many"}', '{"max_tokens":100}'],
  [
    'thinking within the length stays',
    anthropicMessages,
    '{"max_tokens":200,"thinking":{"budget_tokens":50}}',
    '{"max_tokens":100,"thinking":{"budget_tokens":50}}',
  ],
  [
    'thinking beyond it has to be chosen anew',
    anthropicMessages,
    '{"max_tokens":2000,"thinking":{"budget_tokens":1024}}',
    undefined,
  ],
  ['any length is one too many', ollama, '{"options":{"num_predict":-1}}', '{"options":{"num_predict":100}}'],
  ['options that are not there come', ollama, '{"model":"m"}', '{"model":"m","options":{"num_predict":100}}'],
  ['options that are null, too', ollama, '{"options":null}', '{"options":{"num_predict":100}}'],
  [
    'a configuration in either spelling',
    gemini,
    '{"generation_config":{"max_output_tokens":900}}',
    '{"generation_config":{"max_output_tokens":100}}',
  ],
  ['is not given a second time', gemini, '{"generation_config":{}}', '{"generation_config":{"maxOutputTokens":100}}'],
  [
    'and comes where there is none',
    gemini,
    '{"contents":[]}',
    '{"contents":[],"generationConfig":{"maxOutputTokens":100}}',
  ],
]

describe('a length', () => {
  for (const [what, dialect, before, after] of cases)
    test(`${dialect.id}: ${what}`, () => expect<string | undefined>(capped(dialect, before)).toBe(after))

  test('has the old name for hosts that know no other', () => {
    expect(capped(openaiChat, '{"n":1}', { maxTokensField: 'max_tokens' })).toBe('{"n":1,"max_tokens":100}')
  })
})

const LENGTH = fc.oneof(fc.integer({ min: -5, max: 500 }), fc.constantFrom(null, 'x', 1.5, {}))
const BODIES = fc.record(
  {
    model: fc.string(),
    max_tokens: LENGTH,
    max_completion_tokens: LENGTH,
    max_output_tokens: LENGTH,
    options: fc.option(fc.record({ num_predict: LENGTH, seed: fc.nat() }, { requiredKeys: [] })),
    generationConfig: fc.option(fc.record({ maxOutputTokens: LENGTH, topK: fc.nat() }, { requiredKeys: [] })),
    messages: fc.array(fc.jsonValue()),
  },
  { requiredKeys: ['model', 'messages'] },
)
const NAMES = /^(?:max_tokens|max_completion_tokens|max_output_tokens|num_predict|maxOutputTokens)$/

for (const dialect of [openaiChat, openaiResponses, anthropicMessages, ollama, gemini])
  test(`${dialect.id}: whatever a body says, it is capped once and for all, and nothing else changes`, () => {
    fc.assert(
      fc.property(BODIES, (body) => {
        const once = capped(dialect, JSON.stringify(body))
        if (once === undefined) return
        expect(capped(dialect, once)).toBe(once)
        const others = (text: string): unknown =>
          JSON.parse(text, (name, inner: unknown) => (NAMES.test(name) ? undefined : inner))
        const before = others(JSON.stringify(body))
        const shells = { options: {}, generationConfig: {} }
        const plain = (some: unknown) => ({ ...shells, ...withoutNull(some) })
        expect(plain(others(once))).toEqual(plain(before))
      }),
    )
  })

/** An object that was null, or was not there, may be one now. */
function withoutNull(some: unknown): object {
  return Object.fromEntries(Object.entries(some as object).filter(([, inner]) => inner !== null))
}
