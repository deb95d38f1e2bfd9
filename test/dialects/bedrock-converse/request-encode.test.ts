import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../src/core/json.ts'
import { bedrockConverse } from '../../../src/dialects/bedrock-converse/index.ts'
import { type Asked, bodyOf, LLAMA, NOVA, refusal, sent, text } from './request-encoding.ts'

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
