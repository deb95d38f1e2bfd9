/** Each fault of a host is found, named in our words, and set right where a quirk does that. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { CHECK_IDS, type CheckId } from '../../../src/resources/conformance/conformance.ts'
import type { Fault } from '../../support/faulty-provider.ts'
import { makeConformance, type ConformanceStage } from './stage.ts'

let stage: ConformanceStage
beforeEach(async () => {
  stage = await makeConformance()
})
afterEach(() => stage.host.played.stop())

const namesOf = (checks: readonly { readonly check: string }[]) => checks.map(({ check }) => check)

test('a host without a fault passes every check, with one call for each question', async () => {
  const { accountId } = await stage.add()
  const report = await stage.check(accountId, [])
  expect(report.failed).toEqual([])
  expect(report).toMatchObject({ score: 100, quirks: {}, applied: false, calls: 11 })
  expect(namesOf(report.checks).toSorted()).toEqual([...CHECK_IDS].toSorted())
  expect(new Set(report.checks.map(({ outcome }) => outcome))).toEqual(new Set(['passed']))
})

interface Remedied {
  readonly fault: Fault
  /** The first check that shows it. */
  readonly check: CheckId
  readonly why: string
  readonly quirks: Readonly<Record<string, unknown>>
  /** Calls beyond those of a host without a fault: none where the same bytes are read once more. */
  readonly extraCalls: number
  /** Of the provider, before the check. */
  readonly provider?: object
}

const DEVELOPER_MODEL = [{ id: 'steady-1', capabilities: { developer_role: true } }]

const REMEDIED: readonly Remedied[] = [
  {
    fault: 'refuses max_completion_tokens',
    check: 'text',
    why: 'refused the request (status 400, about max_completion_tokens)',
    quirks: { max_tokens_field: 'max_tokens' },
    extraCalls: 1,
  },
  {
    fault: 'refuses max_tokens',
    check: 'text',
    why: 'refused the request (status 400, about max_tokens)',
    quirks: { max_tokens_field: 'max_completion_tokens' },
    extraCalls: 1,
    provider: { quirks: { max_tokens_field: 'max_tokens' } },
  },
  {
    fault: 'refuses stream_options',
    check: 'stream',
    why: 'refused the request (status 400, about stream_options)',
    quirks: { no_stream_usage: true },
    extraCalls: 1,
  },
  {
    fault: 'refuses system',
    check: 'system_prompt',
    why: 'refused the request (status 400, about messages)',
    quirks: { no_system_role: true },
    extraCalls: 1,
  },
  {
    fault: 'refuses developer',
    check: 'system_prompt',
    why: 'refused the request (status 400, about messages)',
    quirks: { no_developer_role: true },
    extraCalls: 1,
    provider: { models: DEVELOPER_MODEL },
  },
  {
    fault: 'refuses tool_choice',
    check: 'tool',
    why: 'refused the request (status 400, about tool_choice)',
    quirks: { strip_params: ['tool_choice'] },
    extraCalls: 1,
  },
  {
    fault: 'refuses parallel_tool_calls',
    check: 'parallel_tools',
    why: 'refused the request (status 400, about parallel_tool_calls)',
    quirks: { strip_params: ['metadata', 'parallel_tool_calls'] },
    extraCalls: 1,
    provider: { quirks: { strip_params: ['metadata'] } },
  },
  {
    fault: 'refuses json_schema',
    check: 'structured_output',
    why: 'refused the request (status 400, about response_format)',
    quirks: { json_schema_mode: 'json_object' },
    extraCalls: 1,
  },
  {
    fault: 'ignores json_schema',
    check: 'structured_output',
    why: 'gave an answer that is not JSON',
    quirks: { json_schema_mode: 'json_object' },
    extraCalls: 1,
  },
  {
    fault: 'thinks aloud',
    check: 'text',
    why: 'wrote its thinking into the answer, between <think> tags',
    quirks: { split_think_tags: true },
    extraCalls: 0,
  },
  {
    fault: 'spreads over choices',
    check: 'tool',
    why: 'did not call the tool',
    quirks: { merge_choices: true },
    extraCalls: 0,
  },
  {
    fault: 'cuts tool names',
    check: 'tool_without_arguments',
    why: 'called a tool that it was not offered',
    quirks: { name_fragments: true },
    extraCalls: 0,
  },
]

for (const { fault, check, why, quirks, extraCalls, provider } of REMEDIED) {
  test(`a host that ${fault} is found out, and works once its quirk is known`, async () => {
    const { accountId, providerId } = await stage.add(provider)
    const found = await stage.check(accountId, [fault])
    expect(found.failed).toEqual([{ dialect: 'openai_chat', check, why }])
    expect(found).toMatchObject({ quirks, applied: false, calls: 11 + extraCalls })
    expect(found.score).toBeLessThan(100)
    expect((await stage.call('GET', `/v1/custom-providers/${providerId}`)).body.data.version).toBe(1)
    const applied = await stage.check(accountId, [fault], { apply: true })
    expect(applied).toMatchObject({ score: 100, failed: [], quirks, applied: true })
    expect(applied.checks.filter(({ outcome }) => outcome === 'remedied')).toMatchObject([{ check, why }])
    const changed = (await stage.call('GET', `/v1/custom-providers/${providerId}`)).body.data
    expect(changed).toMatchObject({ version: 2, quirks })
    expect(await stage.check(accountId, [fault])).toMatchObject({ score: 100, failed: [], quirks: {}, calls: 11 })
  })
}

test('streams that just end are taken as they are, but not where a tool is called', async () => {
  const { accountId } = await stage.add()
  const report = await stage.check(accountId, ['ends without finish'], { apply: true })
  expect(report).toMatchObject({ quirks: { ends_without_finish: true }, applied: true })
  expect(report.checks.find(({ check }) => check === 'stream')).toMatchObject({ outcome: 'remedied' })
  expect(namesOf(report.failed)).toEqual(['stream_usage', 'tool_without_arguments', 'parallel_tools'])
})

const WITHOUT_REMEDY: readonly (readonly [Fault, Readonly<Partial<Record<CheckId, string>>>])[] = [
  ['refuses stop', { stop_sequence: 'refused the request (status 400, about stop)' }],
  ['refuses images', { image: 'refused the request (status 400)' }],
  ['ignores stop', { stop_sequence: 'went on after the stop sequence' }],
  ['ignores system', { system_prompt: 'did not follow the system prompt' }],
  ['ignores tool results', { tool_result: 'did not use the result of the tool that it was given' }],
  ['serves any model', { unknown_model: 'answered in the name of a model that does not exist' }],
  ['counts no streams', { stream_usage: 'did not say how many tokens it used' }],
  ['glues calls', { parallel_tools: 'sent arguments of a tool that are not JSON' }],
  ['calls once', { parallel_tools: 'made one call in an answer that needed two' }],
  [
    'breaks arguments',
    {
      tool: 'sent arguments of a tool that are not JSON',
      tool_without_arguments: 'sent arguments of a tool that are not JSON',
      parallel_tools: 'sent arguments of a tool that are not JSON',
    },
  ],
  [
    'ignores tools',
    {
      tool: 'did not call the tool',
      tool_without_arguments: 'did not call the tool',
      parallel_tools: 'did not call the tool',
    },
  ],
  [
    'ignores stream',
    {
      stream: 'answered in one piece where a stream was asked for',
      tool_without_arguments: 'answered in one piece where a stream was asked for',
      parallel_tools: 'answered in one piece where a stream was asked for',
    },
  ],
]

for (const [fault, failed] of WITHOUT_REMEDY) {
  test(`a host that ${fault} is told of, and no quirk is made up for it`, async () => {
    const { accountId, providerId } = await stage.add()
    const report = await stage.check(accountId, [fault], { apply: true })
    expect(Object.fromEntries(report.failed.map(({ check, why }) => [check, why]))).toEqual(failed)
    expect(report).toMatchObject({ quirks: {}, applied: false })
    expect((await stage.call('GET', `/v1/custom-providers/${providerId}`)).body.data).toMatchObject({
      version: 1,
      quirks: {},
    })
  })
}

describe('several faults at once', () => {
  test('are each found, the later ones with what is known of the earlier', async () => {
    const { accountId } = await stage.add()
    const faults: readonly Fault[] = [
      'refuses max_completion_tokens',
      'refuses stream_options',
      'refuses system',
      'refuses parallel_tool_calls',
      'refuses json_schema',
      'thinks aloud',
      'cuts tool names',
    ]
    const report = await stage.check(accountId, faults, { apply: true })
    expect(report.quirks).toEqual({
      max_tokens_field: 'max_tokens',
      no_stream_usage: true,
      no_system_role: true,
      strip_params: ['parallel_tool_calls'],
      json_schema_mode: 'json_object',
      split_think_tags: true,
      name_fragments: true,
    })
    expect(await stage.check(accountId, faults)).toMatchObject({ score: 100, quirks: {} })
  })
})
