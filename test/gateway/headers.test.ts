/** Headers between client and provider: what goes on, what stays, and that a credential never does. */
import { describe, expect, test } from 'bun:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { makeApp, type TestApp } from '../support/app.ts'
import { json, stream } from '../support/plays.ts'
import { CHAT, type Client, MESSAGES, question, RESPONSES } from './clients.ts'
import { ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES, type Speaker, SPEAKERS } from './upstreams.ts'

type Headers_ = Readonly<Record<string, string>>

/** The headers with which the provider of `speaker` is asked. */
async function sent(app: TestApp, client: Client, speaker: Speaker, headers: Headers_): Promise<Headers_> {
  const { played } = app.upstream(speaker.provider)
  played.play(json(speaker.reply('hi')))
  const { status } = await app.ask(client.path, { ...question(client, speaker.model), headers })
  expect(status).toBe(200)
  return played.requests.at(-1)?.headers ?? {}
}

/** What is ours or the connection's in every request. */
const OWN = ['host', 'accept', 'accept-encoding', 'content-length', 'content-type'] as const

describe('headers of the client', () => {
  const NEVER = {
    cookie: 'session=1',
    'x-goog-api-key': 'g-secret',
    'proxy-authorization': 'Basic c2VjcmV0',
    'x-forwarded-for': '203.0.113.9',
    forwarded: 'for=203.0.113.9',
    via: '1.1 proxy',
    origin: 'http://gateway.test',
    referer: 'http://gateway.test/',
    'openai-organization': 'org-x',
    'openai-project': 'proj_x',
    'anthropic-workspace-id': 'wrkspc_x',
    'x-gateway-explain': '1',
    'x-gateway-anything': '1',
    'x-unknown': '1',
    te: 'trailers',
  }

  for (const speaker of SPEAKERS) {
    for (const form of ['x-api-key', 'authorization', 'x-gateway-key']) {
      test(`${speaker.client.name}: with the key as ${form}, only the account’s credential arrives`, async () => {
        await using app = await makeApp()
        const value = form === 'authorization' ? `Bearer ${app.key.secret}` : app.key.secret
        const others =
          form === 'x-gateway-key' ? { authorization: 'Bearer sk-of-the-client', 'x-api-key': 'other' } : {}
        const got = await sent(app, speaker.client, speaker, { ...NEVER, ...others, [form]: value })
        const { secret } = app.upstream(speaker.provider)
        const isAnthropic = speaker.provider === 'anthropic'
        const own = isAnthropic
          ? { 'x-api-key': secret, 'anthropic-version': '2023-06-01' }
          : { authorization: `Bearer ${secret}` }
        expect(Object.keys(got).sort()).toEqual([...OWN, ...Object.keys(own)].sort())
        expect(got).toMatchObject(own)
      })
    }
  }

  const FORWARDED: readonly (readonly [Client, Speaker, Headers_])[] = [
    [
      MESSAGES,
      ANTHROPIC,
      {
        'anthropic-version': '2026-10-21',
        'anthropic-beta': 'context-1m-2025-08-07, files-api-2025-04-14',
        'user-agent': 'claude-cli/3.0',
        'idempotency-key': 'idem-1',
        'x-stainless-lang': 'js',
        'x-claude-code-session-id': 'session-1',
      },
    ],
    [CHAT, OPENAI_CHAT, { 'user-agent': 'OpenAI/JS', 'openai-beta': 'x=1', 'idempotency-key': 'idem-1' }],
    [RESPONSES, OPENAI_RESPONSES, { originator: 'codex_cli', session_id: 's1', 'x-codex-turn-state': 't' }],
  ]
  for (const [client, speaker, headers] of FORWARDED) {
    test(`${client.name}: what its own provider understands goes on`, async () => {
      await using app = await makeApp()
      expect(await sent(app, client, speaker, headers)).toMatchObject(headers)
    })
  }

  test('mean nothing to a provider of another dialect', async () => {
    await using app = await makeApp()
    const got = await sent(app, MESSAGES, OPENAI_CHAT, { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'x' })
    expect(Object.keys(got).filter((name) => name.startsWith('anthropic'))).toEqual([])
  })

  test('an account adds its own, and they win over the client’s', async () => {
    await using app = await makeApp()
    const headers = { 'anthropic-beta': 'of-the-operator', 'x-team': 'blue' }
    await app.owner('PATCH', `/v1/accounts/${app.upstream('anthropic').accountId}`, { headers })
    expect(await sent(app, MESSAGES, ANTHROPIC, { 'anthropic-beta': 'of-the-client' })).toMatchObject(headers)
  })
})

describe('a compressed body', () => {
  const body = Buffer.from(JSON.stringify(MESSAGES.body(ANTHROPIC.model)))
  for (const [encoding, bytes] of [
    ['gzip', gzipSync(body)],
    ['zstd', zstdCompressSync(body)],
    ['identity', body],
  ] as const) {
    test(`${encoding} is decoded and sent on as it is`, async () => {
      await using app = await makeApp()
      const { played } = app.upstream('anthropic')
      played.play(json(ANTHROPIC.reply('hi')))
      await app.ask(MESSAGES.path, { body: bytes, headers: { 'content-encoding': encoding } })
      expect(played.requests[0]?.headers).not.toHaveProperty('content-encoding')
      expect(played.requests[0]?.json()).toEqual({ ...MESSAGES.body(''), model: 'claude-haiku-4-5' })
    })
  }
})

describe('headers of the provider', () => {
  const VENDOR = {
    'x-request-id': 'req_vendor',
    'request-id': 'req_vendor',
    'set-cookie': 'spy=1',
    server: 'vendor',
    'x-gateway-model': 'forged',
    'anthropic-organization-id': 'org',
    'anthropic-ratelimit-requests-remaining': '7',
    'x-ratelimit-remaining-requests': '7',
  }

  async function got(accounts: number, client: Client, isStream = false): Promise<Headers_> {
    await using app = await makeApp({ accounts: { anthropic: accounts } })
    const answer = isStream
      ? stream(ANTHROPIC.stream(['hi']), { ...VENDOR, 'content-type': 'text/event-stream' })
      : json(ANTHROPIC.reply('hi'), 200, VENDOR)
    app.upstream('anthropic').played.play(answer)
    const { headers } = await app.ask(client.path, question(client, ANTHROPIC.model, isStream ? { stream: true } : {}))
    return Object.fromEntries(headers)
  }

  for (const isStream of [false, true]) {
    test(`${isStream ? 'of a stream' : 'of a plain answer'}: the request’s id is ours, what identifies the account stays`, async () => {
      const headers = await got(1, MESSAGES, isStream)
      expect(headers['x-request-id']).toStartWith('req_')
      expect(headers['x-request-id']).not.toBe('req_vendor')
      expect(headers['request-id']).toBe(headers['x-request-id'])
      expect(headers['x-gateway-upstream-request-id']).toBe('req_vendor')
      expect(headers['x-gateway-model']).toBe(ANTHROPIC.model)
      expect(headers).not.toContainAnyKeys(['set-cookie', 'server'])
    })
  }

  test('limits go on when one account stands behind the route, else they would mislead', async () => {
    const limits = ['anthropic-ratelimit-requests-remaining', 'x-ratelimit-remaining-requests']
    expect(await got(1, MESSAGES)).toContainKeys(limits)
    expect(await got(2, MESSAGES)).not.toContainAnyKeys(limits)
    expect(await got(1, CHAT)).not.toContainAnyKeys(limits)
  })

  test('a stream tells proxies to keep their hands off', async () => {
    expect(await got(1, MESSAGES, true)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
  })
})
