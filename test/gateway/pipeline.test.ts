/** One request from start to finish, across dialects: what the provider is asked, what the client is told, what is written down. */
import { describe, expect, test } from 'bun:test'
import { makeApp, type TestApp } from '../support/app.ts'
import type { PlayedRequest } from '../support/provider.ts'
import { json, stream } from '../support/plays.ts'
import { CHAT, type Client, CLIENTS, MESSAGES, question, readStream, RESPONSES } from './clients.ts'
import { ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES, type Speaker } from './upstreams.ts'

/** What the account's provider got last. */
function asked(app: TestApp, provider: string): PlayedRequest {
  const request = app.upstream(provider).played.requests.at(-1)
  if (request === undefined) throw new Error(`${provider} was not asked`)
  return request
}

describe('a request for a provider of another dialect', () => {
  const pairs: readonly (readonly [Client, Speaker])[] = [
    [MESSAGES, OPENAI_CHAT],
    [CHAT, ANTHROPIC],
    [RESPONSES, ANTHROPIC],
  ]
  for (const [client, speaker] of pairs) {
    const { provider, model, path } = speaker
    const name = `${client.name} → ${speaker.client.name}`

    test(`${name}: is translated there and back`, async () => {
      await using app = await makeApp()
      app.upstream(provider).played.play(json(speaker.reply('Good day.')))
      const { status, body } = await app.ask(client.path, question(client, model))
      expect({ status, text: client.textOf(body), model: body.model }).toEqual({
        status: 200,
        text: 'Good day.',
        model,
      })
      expect(asked(app, provider).path).toBe(path)
      const { messages } = asked(app, provider).json<{ messages: object[] }>()
      expect(JSON.stringify(messages)).toContain('hello')
    })

    test(`${name}: is streamed event by event`, async () => {
      await using app = await makeApp()
      app.upstream(provider).played.play(stream(speaker.stream(['Good ', 'day.'], { inputTokens: 12 })))
      const response = await app.request(client.path, question(client, model, { stream: true }))
      expect(readStream(await response.text())).toMatchObject({ text: 'Good day.', ended: true, error: undefined })
      const [row] = await app.rows()
      expect(row).toMatchObject({ status: 'ok', stream: true, tokens: { input_uncached: 12, output: 5 } })
      expect(row?.['dialect_in']).not.toBe(row?.['dialect_out'])
    })
  }

  test('names what could not be carried, in a header and on record', async () => {
    await using app = await makeApp()
    app.upstream('openai').played.play(json(OPENAI_CHAT.reply('hi')))
    const body = { ...MESSAGES.body(OPENAI_CHAT.model), top_k: 5, container: 'c1' }
    const { headers } = await app.ask(MESSAGES.path, { body })
    const dropped = headers.get('x-gateway-dropped')?.split(',')
    expect(dropped).toContainValues(['top_k', 'container'])
    expect((await app.rows())[0]).toMatchObject({ status: 'ok', dropped })
  })

  test('goes on untranslated where the provider speaks the client’s dialect too', async () => {
    await using app = await makeApp({ accounts: { deepseek: 1, openai: 1 } })
    for (const [client, speaker, model, path] of [
      [MESSAGES, ANTHROPIC, 'deepseek/deepseek-v4-pro', '/v1/messages'],
      [CHAT, OPENAI_CHAT, 'deepseek/deepseek-v4-pro', '/v1/chat/completions'],
      [RESPONSES, OPENAI_RESPONSES, 'openai/gpt-4.1', '/v1/responses'],
    ] as const) {
      const provider = model.slice(0, model.indexOf('/'))
      app.upstream(provider).played.play(json(speaker.reply('hi')))
      expect(client.textOf((await app.ask(client.path, question(client, model))).body)).toBe('hi')
      expect(asked(app, provider).path).toBe(path)
    }
  })
})

describe('tools', () => {
  const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

  test('chat → anthropic: two calls at once and their results keep their places', async () => {
    await using app = await makeApp()
    const calls = [
      { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Rome' } },
      { type: 'tool_use', id: 'toolu_2', name: 'weather', input: { city: 'Oslo' } },
    ]
    app.upstream('anthropic').played.play(json({ ...ANTHROPIC.reply(''), content: calls, stop_reason: 'tool_use' }))
    const tools = [{ type: 'function', function: { name: 'weather', parameters: SCHEMA } }]
    const body = CHAT.body(ANTHROPIC.model, 'weather?', { tools })
    const { message, finish_reason } = (await app.ask(CHAT.path, { body })).body.choices[0]
    expect(finish_reason).toBe('tool_calls')
    expect(message.tool_calls.map((call: { function: { arguments: string } }) => call.function.arguments)).toEqual([
      '{"city":"Rome"}',
      '{"city":"Oslo"}',
    ])
    const results = message.tool_calls.map(({ id }: { id: string }, index: number) => ({
      role: 'tool',
      tool_call_id: id,
      content: `${index} degrees`,
    }))
    app.upstream('anthropic').played.play(json(ANTHROPIC.reply('Cold.')))
    const user = { role: 'user', content: 'weather?' }
    await app.ask(CHAT.path, { body: { ...body, messages: [user, message, ...results] } })
    const { messages } = asked(app, 'anthropic').json<{ messages: { content: object[] }[] }>()
    expect(messages[1]?.content).toMatchObject(calls)
    expect(messages[2]?.content).toMatchObject([
      { type: 'tool_result', tool_use_id: 'toolu_1' },
      { type: 'tool_result', tool_use_id: 'toolu_2' },
    ])
  })
})

/** Where each dialect keeps its system prompt. */
interface Sent {
  readonly system?: readonly { readonly text: string }[]
  readonly messages?: readonly { readonly content: string }[]
  readonly instructions?: string
}

describe('skills', () => {
  const SKILLS = ['First.', 'Second.']
  const CASES: readonly (readonly [Client, Speaker, own: object, systemOf: (sent: Sent) => unknown, unknown])[] = [
    [
      MESSAGES,
      ANTHROPIC,
      { system: 'Own.' },
      (sent) => sent.system?.map(({ text }) => text),
      ['Own.', 'First.\n\nSecond.'],
    ],
    [
      CHAT,
      OPENAI_CHAT,
      {
        messages: [
          { role: 'system', content: 'Own.' },
          { role: 'user', content: 'hello' },
        ],
      },
      (sent) => sent.messages?.[0]?.content,
      'Own.\n\nFirst.\n\nSecond.',
    ],
    [RESPONSES, OPENAI_RESPONSES, { instructions: 'Own.' }, (sent) => sent.instructions, 'Own.\n\nFirst.\n\nSecond.'],
  ]
  for (const [client, speaker, own, systemOf, expected] of CASES) {
    test(`${client.name}: come after the client’s own system prompt, in creation order`, async () => {
      await using app = await makeApp({ skills: SKILLS })
      app.upstream(speaker.provider).played.play(json(speaker.reply('hi')))
      await app.ask(client.path, question(client, speaker.model, own))
      expect(systemOf(asked(app, speaker.provider).json())).toEqual(expected)
      expect((await app.rows())[0]?.['skills']).toEqual(app.skillIds)
    })
  }

  test('go into a translated request once', async () => {
    await using app = await makeApp({ skills: SKILLS, accounts: { anthropic: 2 } })
    app.upstream('anthropic', 0).played.play(json({}, 500))
    app.upstream('anthropic', 1).played.play(json(ANTHROPIC.reply('hi')))
    await app.ask(CHAT.path, question(CHAT, ANTHROPIC.model))
    expect(
      asked(app, 'anthropic')
        .text()
        .match(/First\./g),
    ).toHaveLength(1)
    expect(app.upstream('anthropic', 1).played.requests[0]?.text()).toBe(asked(app, 'anthropic').text())
  })

  const modes: readonly (readonly [mode: string, own: readonly number[], expected: readonly number[]])[] = [
    ['add', [], [0, 1]],
    ['add', [2], [0, 1, 2]],
    ['add', [1, 0], [0, 1]],
    ['only', [2, 1], [1, 2]],
    ['only', [], []],
    ['none', [0, 2], []],
  ]
  for (const [skills_mode, own, expected] of modes) {
    test(`mode ${skills_mode} with the key’s own ${JSON.stringify(own)} gives ${JSON.stringify(expected)}`, async () => {
      await using app = await makeApp({ skills: [...SKILLS, 'Third.'] })
      const [, , third = ''] = app.skillIds
      await app.owner('PATCH', `/v1/skills/${third}`, { enabled: false })
      const skill_ids = own.map((index) => app.skillIds[index])
      expect((await app.owner('PATCH', `/v1/keys/${app.key.id}`, { skills_mode, skill_ids })).status).toBe(200)
      app.upstream('anthropic').played.play(json(ANTHROPIC.reply('hi')))
      await app.ask(MESSAGES.path, question(MESSAGES, ANTHROPIC.model))
      expect((await app.rows())[0]?.['skills']).toEqual(expected.map((index) => app.skillIds[index]))
      const texts = ['First.', 'Second.', 'Third.'].filter((skill) => asked(app, 'anthropic').text().includes(skill))
      expect(texts).toEqual(expected.map((index) => [...SKILLS, 'Third.'][index] ?? ''))
    })
  }

  test('count from the next request on, and no longer once deleted', async () => {
    await using app = await makeApp({ skills: ['First.'] })
    const seen: boolean[] = []
    for (const change of [undefined, { enabled: false }, { enabled: true }, 'DELETE'] as const) {
      const path = `/v1/skills/${app.skillIds[0]}`
      if (change === 'DELETE') await app.owner('DELETE', path)
      else if (change !== undefined) await app.owner('PATCH', path, change)
      app.upstream('anthropic').played.play(json(ANTHROPIC.reply('hi')))
      await app.ask(MESSAGES.path, question(MESSAGES, ANTHROPIC.model))
      seen.push(asked(app, 'anthropic').text().includes('First.'))
    }
    expect(seen).toEqual([true, false, true, false])
  })
})

describe('the model’s name', () => {
  async function modelAsked(model: string, account: object = {}, settings: object = {}): Promise<string> {
    await using app = await makeApp({ settings })
    await app.owner('PATCH', `/v1/accounts/${app.upstream('anthropic').accountId}`, account)
    app.upstream('anthropic').played.play(json(ANTHROPIC.reply('hi')))
    const { headers } = await app.ask(MESSAGES.path, question(MESSAGES, model))
    const got = asked(app, 'anthropic').json<{ model: string }>().model
    expect(headers.get('x-gateway-model')).toBe(`anthropic/${got}`)
    return got
  }

  const cases: readonly (readonly [string, string, string, object?, object?])[] = [
    ['with its provider', 'anthropic/claude-haiku-4-5', 'claude-haiku-4-5'],
    ['that no catalogue lists', 'anthropic/claude-of-tomorrow', 'claude-of-tomorrow'],
    ['with slashes of its own', 'anthropic/a/b/c', 'a/b/c'],
    ['alone, found with its maker', 'claude-haiku-4-5', 'claude-haiku-4-5'],
    ['auto', 'auto', 'claude-opus-5-5', {}, { routing: { default_model: 'anthropic/claude-opus-5-5' } }],
    ['mapped by the account', 'anthropic/mine', 'claude-haiku-4-5', { model_map: { mine: 'claude-haiku-4-5' } }],
  ]
  for (const [what, model, expected, account, settings] of cases) {
    test(`${what}: ${model}`, async () => expect(await modelAsked(model, account, settings)).toBe(expected))
  }
})

test('every dialect is told who answered', async () => {
  await using app = await makeApp()
  for (const client of CLIENTS) {
    app.upstream('anthropic').played.play(json(ANTHROPIC.reply('hi'), 200, { 'request-id': 'req_vendor' }))
    const { headers } = await app.ask(client.path, question(client, ANTHROPIC.model))
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-gateway-model': ANTHROPIC.model,
      'x-gateway-provider': 'anthropic',
      'x-gateway-attempts': '1',
      'x-gateway-upstream-request-id': 'req_vendor',
      'x-request-id': expect.stringMatching(/^req_[a-z2-7]{26}$/),
    })
  }
  const ids = (await app.rows()).map(({ attempts }) => attempts[0]?.upstream_request_id)
  expect(ids).toEqual(['req_vendor', 'req_vendor', 'req_vendor'])
})
