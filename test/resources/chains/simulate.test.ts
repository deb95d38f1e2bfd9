/** Trying a chain: on a request that is thought of, and on those of the past. Nothing is sent, saved or counted. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { NO_USAGE } from '../../../src/core/usage.ts'
import type { RequestClosed, RequestOpened } from '../../../src/ledger/record.ts'
import { LedgerWriter } from '../../../src/ledger/writer.ts'
import { requestClosed, requestOpened } from '../../ledger/records.ts'
import { KEY, makeRules, type Rules } from './stage.ts'

const GPT = { id: 'gpt', model: 'openai/gpt-4o' }
const CLAUDE = { id: 'claude', model: 'anthropic/claude-sonnet-4-5' }
const PATH = '/v1/chains/simulate'

let stage: Rules
beforeEach(async () => {
  stage = await makeRules()
})
afterEach(() => stage.played.stop())

const chainOf = (...steps: readonly object[]) => ({ name: 'Tried', steps })
const JUDGE = { id: 'judge', model: GPT.model }
/** GPT and Claude on the panel. */
const ensembleOf = (...steps: readonly object[]) => ({
  ...chainOf(...steps),
  strategy: 'ensemble',
  ensemble: { panel: ['gpt', 'claude'], judge: 'judge', mode: 'pick' },
})
const simulate = (body: object, path = PATH) => stage.call('POST', path, body)
const stepsFor = async (chain: object, request: object) => {
  const { status, body } = await simulate({ chain, request })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.data.request.steps
}
/** Each step in a few words. */
const brief = async (chain: object, request: object) =>
  (await stepsFor(chain, request)).map(({ id, tried, reason }: Record<string, unknown>) =>
    [id, tried, reason].filter((word) => word !== null).join(' '),
  )

describe('a request that is thought of', () => {
  test('is told which step would answer, which would follow, on which account and for how much', async () => {
    const steps = await stepsFor(chainOf(GPT, CLAUDE), { facts: { input_tokens: 1_000, max_tokens: 100 } })
    expect(steps).toMatchObject([
      {
        id: 'gpt',
        model: 'openai/gpt-4o',
        tried: 'first',
        reason: null,
        estimated_cost_usd: 0.0035,
        candidates: [
          { provider: 'openai', model: 'gpt-4o', account_id: stage.accountIds.openai, order: 1, reason: null },
        ],
      },
      { id: 'claude', tried: 'after_failure', candidates: [{ account_id: stage.accountIds.anthropic, order: 2 }] },
    ])
  })

  test('is told who is on the panel of an ensemble, who judges, and what each would cost', async () => {
    const spare = { ...GPT, id: 'spare' }
    const steps = await stepsFor(ensembleOf(GPT, CLAUDE, JUDGE, spare), {
      facts: { input_tokens: 1_000, max_tokens: 100 },
    })
    expect(steps).toMatchObject([
      { id: 'gpt', tried: 'panel', estimated_cost_usd: 0.0035 },
      { id: 'claude', tried: 'panel', estimated_cost_usd: 0.0045 },
      { id: 'judge', tried: 'judge', estimated_cost_usd: 0.004 },
      { id: 'spare', tried: 'no', reason: 'not_in_ensemble', estimated_cost_usd: null },
    ])
    expect(steps[2].candidates).toMatchObject([{ order: 1 }])
  })

  test('is told who of an ensemble could not be asked', async () => {
    const picky = { ...GPT, when: { fact: 'stream', op: 'is', value: true } }
    expect(await brief(ensembleOf(picky, CLAUDE, JUDGE), { facts: { stream: false } })).toEqual([
      'gpt no condition_false',
      'claude panel',
      'judge judge',
    ])
  })

  const conditions: readonly (readonly [string, object, object, string])[] = [
    ['whose condition holds', { fact: 'input_tokens', op: 'lt', value: 10 }, { input_tokens: 9 }, 'gpt first'],
    [
      'whose condition does not',
      { fact: 'stream', op: 'is', value: true },
      { stream: false },
      'gpt no condition_false',
    ],
    ['of which a fact is not said', { fact: 'has_tools', op: 'is', value: true }, {}, 'gpt unknown condition_unknown'],
    ['at another hour', { fact: 'hour', op: 'eq', value: 3 }, { at: '2026-01-01T03:30:00Z' }, 'gpt first'],
    ['for its format', { fact: 'dialect', op: 'matches', value: 'openai_*' }, { dialect: 'openai_chat' }, 'gpt first'],
    ['for another client', { fact: 'client', op: 'eq', value: 'codex' }, { client: 'curl' }, 'gpt no condition_false'],
  ]
  for (const [what, when, facts, expected] of conditions) {
    test(`meets a step ${what}: ${expected}`, async () => {
      expect((await brief(chainOf({ ...GPT, when }), { facts }))[0]).toBe(expected)
    })
  }

  const passedOver: readonly (readonly [string, object, object, readonly string[]])[] = [
    ['is switched off', { steps: [{ ...GPT, enabled: false }, CLAUDE] }, {}, ['gpt no disabled', 'claude first']],
    ['has no account', { steps: [{ id: 'a', model: 'groq/llama-3.3-70b-versatile' }] }, {}, ['a no no_account']],
    [
      'lacks what the chain requires',
      { require: { min_context: 150_000 } },
      {},
      ['gpt no context_too_short', 'claude first'],
    ],
    [
      'is nowhere that anybody knows',
      { require: { regions: ['eu'] } },
      {},
      ['gpt no other_region', 'claude no other_region'],
    ],
    ['costs too much', { require: { max_price_in: 2.6 } }, {}, ['gpt first', 'claude no too_expensive']],
    [
      'comes when the attempts are used up',
      { retry: { total_attempts: 1 } },
      {},
      ['gpt first', expect.stringMatching(/^claude no \w*attempts\w*$/)],
    ],
    ['is too small', {}, { input_tokens: 150_000 }, ['gpt after_failure context_too_short', 'claude first']],
  ]
  for (const [what, chain, facts, expected] of passedOver) {
    test(`passes over what ${what}`, async () => {
      expect(await brief({ ...chainOf(GPT, CLAUDE), ...chain }, { facts })).toEqual([...expected])
    })
  }

  const IMAGE = { type: 'image_url', image_url: { url: 'https://images.example/a.png' } }
  const bodies: readonly (readonly [string, object])[] = [
    ['chat', { messages: [{ role: 'user', content: 'hi' }], tools: [{ type: 'function' }], stream: true }],
    ['messages', { max_tokens: 9, messages: [{ role: 'user', content: 'hi' }], tools: [{ name: 'a' }], stream: true }],
    ['responses', { input: 'hi', tools: [{ type: 'function', name: 'a' }], stream: true }],
    ['gemini', { contents: [{ parts: [{ text: 'hi' }] }], tools: [{}], stream: true }],
    ['ollama', { messages: [{ role: 'user', content: 'hi' }], tools: [{}] }],
  ]
  for (const [endpoint, body] of bodies) {
    test(`may be a body of ${endpoint}`, async () => {
      const when = {
        all: [
          { fact: 'has_tools', op: 'is', value: true },
          { fact: 'stream', op: 'is', value: true },
        ],
      }
      expect(await brief(chainOf({ ...GPT, when }), { endpoint, body })).toEqual(['gpt first'])
    })
  }

  test('may hold images, headers and a key, which decide as they would', async () => {
    const body = { messages: [{ role: 'user', content: [IMAGE] }] }
    const when = {
      all: [
        { fact: 'has_images', op: 'is', value: true },
        { fact: 'header.x-team', op: 'eq', value: 'red' },
        { fact: 'tag.team', op: 'eq', value: 'blue' },
        { fact: 'plan_id', op: 'eq', value: KEY.planId },
        { fact: 'budget_left_pct', op: 'lte', value: 30 },
      ],
    }
    const request = { body, headers: { 'X-Team': 'red' }, key_id: KEY.id }
    expect(await brief(chainOf(CLAUDE, { ...GPT, when }), request)).toEqual(['claude no not_permitted', 'gpt first'])
    expect((await brief(chainOf({ ...GPT, when }), { body, headers: { 'x-team': 'red' } }))[0]).toBe(
      'gpt unknown condition_unknown',
    )
  })

  test('goes through rules that are nested', async () => {
    await stage.call('POST', '/v1/chains', { name: 'Inner', steps: [CLAUDE, GPT] })
    const [step] = await stepsFor(chainOf({ id: 'in', model: 'inner' }), { facts: {} })
    expect(step.candidates.map(({ provider, order }: Record<string, unknown>) => [provider, order])).toEqual([
      ['anthropic', 1],
      ['openai', 2],
    ])
    expect(step.estimated_cost_usd).toBeNull()
  })

  test('takes nobody’s turn and saves nothing', async () => {
    const chain = { ...chainOf(GPT, CLAUDE), strategy: 'round_robin', sticky: { by: 'none' } }
    const once = await brief(chain, { facts: {} })
    expect(await brief(chain, { facts: {} })).toEqual(once)
    expect(stage.chains.all()).toEqual([])
    expect(stage.audited().some(({ action }) => action.startsWith('chain.'))).toBe(false)
  })
})

describe('a saved chain', () => {
  test('is tried as it is, or with a change, switched off or not', async () => {
    const { id } = (await stage.call('POST', '/v1/chains', { ...chainOf(GPT), enabled: false })).body.data
    const path = `/v1/chains/${id}/simulate`
    const ids = async (body: object) => (await simulate(body, path)).body.data.request.steps[0].id
    expect(await ids({ request: { facts: {} } })).toBe('gpt')
    expect(await ids({ request: { facts: {} }, chain: chainOf(CLAUDE) })).toBe('claude')
    expect(stage.chains.all()[0]?.steps[0]?.id).toBe('gpt')
  })

  test('tells what looks wrong with the change, on requests and on ranges, before it is saved', async () => {
    const { id } = (await stage.call('POST', '/v1/chains', chainOf(GPT))).body.data
    const chain = chainOf({ ...GPT, when: { fact: 'hour', op: 'gt', value: 23 } }, { model: 'openai/gpt-99' })
    for (const asked of [{ request: { facts: {} } }, { range: '24h' }]) {
      const { metadata } = (await simulate({ chain, ...asked }, `/v1/chains/${id}/simulate`)).body
      expect(metadata.warnings).toEqual([
        'steps.0.when: never holds, whatever is asked',
        'steps.1.model: gpt-99 is not on the list of OpenAI',
      ])
    }
    expect((await simulate({ request: { facts: {} } }, `/v1/chains/${id}/simulate`)).body.metadata.warnings).toEqual([])
  })

  test('must exist', async () => {
    expect((await simulate({ request: { facts: {} } }, '/v1/chains/chn_1/simulate')).status).toBe(404)
  })
})

describe('a simulation is refused', () => {
  const chain = chainOf(GPT)
  const refused: readonly (readonly [string, object, string])[] = [
    ['without a chain', { request: { facts: {} } }, 'chain'],
    ['without anything to try it on', { chain }, 'request'],
    ['with two things to try it on', { chain, request: { facts: {} }, range: '7d' }, 'request'],
    ['without a body or facts', { chain, request: {} }, 'request.body'],
    ['with both', { chain, request: { facts: {}, body: {} } }, 'request.body'],
    ['with a body that its endpoint would refuse', { chain, request: { body: { messages: 'hi' } } }, 'request.body'],
    ['with a key that does not exist', { chain, request: { facts: {}, key_id: 'key_2' } }, 'request.key_id'],
    ['with a time that is none', { chain, request: { facts: { at: 'noon' } } }, 'request.facts.at'],
    ['with a fact that nobody knows', { chain, request: { facts: { mood: 1 } } }, 'request.facts.mood'],
    ['with a range that nobody knows', { chain, range: '1y' }, 'range'],
    ['with more rows than are looked at', { chain, range: '7d', limit: 1_001 }, 'limit'],
    ['with a chain that could not be saved', { chain: chainOf({ model: 'nobody/gpt' }), range: '7d' }, 'steps.0.model'],
  ]
  for (const [what, body, field] of refused) {
    test(what, async () => {
      const answer = await simulate(body)
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
    })
  }

  test('without a sign-in', async () => {
    expect((await stage.stranger('POST', PATH, {})).status).toBe(401)
    expect((await stage.stranger('POST', '/v1/chains/chn_1/simulate', {})).status).toBe(401)
  })
})

describe('the requests of a range', () => {
  let ledger: LedgerWriter
  beforeEach(() => {
    const { clock, log, databases } = stage
    ledger = new LedgerWriter(databases.telemetry.$client, { clock, log, checkpoint: () => undefined })
  })
  afterEach(() => void ledger.close())

  const usage = { ...NO_USAGE, inputUncached: 100_000, output: 0 }
  const facts = { ...requestOpened().facts, tools: 0 }

  /** A finished request of 100,000 tokens that GPT answered for a quarter dollar, unless it says otherwise. */
  function logged(id: string, opened: Partial<RequestOpened> = {}, closed: Partial<RequestClosed> = {}): void {
    const answered = { provider: 'openai', modelUsed: 'gpt-4o', usage, costNano: 250_000_000 }
    ledger.openRequest(requestOpened({ id, atMs: stage.clock.nowMs(), facts, ...opened }))
    ledger.closeRequest(requestClosed({ id, ...answered, ...closed }))
    ledger.flush()
  }

  const past = async (chain: object, more: object = {}) =>
    (await simulate({ chain, range: '24h', ...more })).body.data.range

  test('are added up as they were and as they would have been', async () => {
    logged('req_1')
    logged('req_2', {}, { provider: 'anthropic', modelUsed: 'claude-sonnet-4-5', costNano: 300_000_000 })
    expect(await past(chainOf(CLAUDE))).toEqual({
      requests: 2,
      moved: 1,
      unserved: 0,
      unknown: 0,
      before_usd: 0.55,
      after_usd: 0.6,
      cost_unknown_requests: 0,
      steps: [{ id: 'claude', model: CLAUDE.model, requests: 2, cost_usd: 0.6 }],
      examples: [{ request_id: 'req_1', before: 'openai/gpt-4o', after: 'anthropic/claude-sonnet-4-5' }],
    })
  })

  test('cost what all of an ensemble would have cost', async () => {
    logged('req_1')
    const { steps, ...sums } = await past(ensembleOf(GPT, CLAUDE, JUDGE))
    expect(sums).toMatchObject({ requests: 1, moved: 0, unserved: 0, before_usd: 0.25, after_usd: 0.8 })
    expect(steps.map(({ requests, cost_usd: usd }: Record<string, unknown>) => [requests, usd])).toEqual([
      [1, 0.25],
      [1, 0.3],
      [1, 0.25],
    ])
  })

  test('go by what rows keep, and are unknown where a fact was not kept', async () => {
    logged('req_1', { stream: true })
    logged('req_2', { stream: false, facts: { ...facts, tools: 2 } })
    const split = chainOf({ ...CLAUDE, when: { fact: 'has_tools', op: 'is', value: true } }, GPT)
    expect((await past(split)).steps.map(({ requests }: Record<string, unknown>) => requests)).toEqual([1, 1])
    const byHeader = chainOf({ ...CLAUDE, when: { fact: 'header.x-team', op: 'eq', value: 'red' } }, GPT)
    expect(await past(byHeader)).toMatchObject({ requests: 2, unknown: 2, moved: 0, before_usd: 0.5, after_usd: 0.5 })
  })

  test('count what nothing would have served, and what has no price', async () => {
    logged('req_1')
    logged('req_2', {}, { costSource: 'unknown', costNano: 0 })
    expect(await past(chainOf({ ...GPT, enabled: false }))).toMatchObject({ unserved: 2, moved: 2, after_usd: 0 })
    expect(await past(chainOf(GPT))).toMatchObject({ cost_unknown_requests: 1, moved: 0 })
  })

  test('do not mind that an account rests today', async () => {
    logged('req_1')
    const outcome = { kind: 'rate_limit', message: 'slow down', retryAfterMs: 60_000 } as const
    stage.roster.failed(stage.accountIds.openai, {
      failure: outcome,
      http: 429,
      model: 'gpt-4o',
      atMs: stage.clock.nowMs(),
    })
    expect(await brief(chainOf(GPT), { facts: {} })).toEqual(['gpt no cooldown'])
    expect(await past(chainOf(GPT))).toMatchObject({ unserved: 0 })
  })

  test('are the newest, and of a saved chain its own', async () => {
    const { id } = (await stage.call('POST', '/v1/chains', chainOf(GPT))).body.data
    for (let n = 1; n <= 5; n++) {
      stage.clock.advance(1_000)
      logged(`req_${n}`, {}, n > 3 ? { rules: { chainId: id, stepId: 'gpt', alias: null } } : {})
    }
    const { examples, requests } = await past(chainOf(CLAUDE), { limit: 2 })
    expect([requests, examples.map((example: Record<string, unknown>) => example['request_id'])]).toEqual([
      2,
      ['req_5', 'req_4'],
    ])
    expect((await past(chainOf(CLAUDE))).requests).toBe(5)
    expect((await simulate({ range: '24h' }, `/v1/chains/${id}/simulate`)).body.data.range.requests).toBe(2)
    stage.clock.advance(86_400_000 * 2)
    expect((await past(chainOf(CLAUDE))).requests).toBe(0)
  })
})
