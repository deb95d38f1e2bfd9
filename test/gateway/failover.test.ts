/** Several accounts of one provider: when the next one is asked, what becomes of the one that failed, and what is said when none is left. */
import { describe, expect, test } from 'bun:test'
import { ATTEMPTS_MAX } from '../../src/routing/attempts.ts'
import { makeApp, type TestApp } from '../support/app.ts'
import { closedPort, type Play } from '../support/provider.ts'
import { json, redirect, reset, stream, text } from '../support/plays.ts'
import { CHAT, errorOf, MESSAGES, question, readStream } from './clients.ts'
import { ANTHROPIC } from './upstreams.ts'

function error(status: number, type: string, message = 'no', headers: Readonly<Record<string, string>> = {}): Play {
  return json({ type: 'error', error: { type, message } }, status, headers)
}

const EMPTY = { ...ANTHROPIC.reply(''), content: [] }
const ASK = question(MESSAGES, ANTHROPIC.model)
const STREAM = question(MESSAGES, ANTHROPIC.model, { stream: true })

async function ask(app: TestApp, request = ASK) {
  return app.ask(MESSAGES.path, request)
}

interface Case {
  readonly name: string
  readonly play: Play
  readonly kind: string
  readonly http: number | null
  /** Of the account that failed, afterwards. */
  readonly standing: string
}

const MOVES_ON: readonly Case[] = [
  { name: '429', play: error(429, 'rate_limit_error'), kind: 'rate_limit', http: 429, standing: 'cooldown' },
  { name: '401', play: error(401, 'authentication_error'), kind: 'auth', http: 401, standing: 'auth_error' },
  { name: '402', play: error(402, 'billing_error'), kind: 'billing', http: 402, standing: 'exhausted' },
  { name: '403', play: error(403, 'permission_error'), kind: 'not_entitled', http: 403, standing: 'untested' },
  { name: '529', play: error(529, 'overloaded_error'), kind: 'overloaded', http: 529, standing: 'untested' },
  { name: '503', play: error(503, 'api_error'), kind: 'overloaded', http: 503, standing: 'untested' },
  { name: '500', play: error(500, 'api_error'), kind: 'server', http: 500, standing: 'untested' },
  { name: 'a redirect', play: redirect('http://127.0.0.1:1/'), kind: 'server', http: 307, standing: 'untested' },
  {
    name: 'a page',
    play: text('<html>', 200, { 'content-type': 'text/html' }),
    kind: 'server',
    http: 200,
    standing: 'untested',
  },
  {
    name: 'an error under 200',
    play: error(200, 'overloaded_error'),
    kind: 'overloaded',
    http: 200,
    standing: 'untested',
  },
  {
    name: 'broken JSON',
    play: text('{"id":', 200, { 'content-type': 'application/json' }),
    kind: 'server',
    http: 200,
    standing: 'untested',
  },
  { name: 'an empty answer', play: json(EMPTY), kind: 'empty', http: 200, standing: 'untested' },
  { name: 'a reset', play: reset, kind: 'server', http: null, standing: 'untested' },
]

describe('the next account answers after', () => {
  for (const { name, play, kind, http, standing } of MOVES_ON) {
    for (const request of [ASK, STREAM]) {
      const isStream = request === STREAM
      if (isStream && name === 'an empty answer') continue // its own test below
      test(`${name}${isStream ? ', of a stream' : ''}`, async () => {
        await using app = await makeApp({ accounts: { anthropic: 2 } })
        app.upstream('anthropic', 0).played.play(play)
        app
          .upstream('anthropic', 1)
          .played.play(isStream ? stream(ANTHROPIC.stream(['Hi.'])) : json(ANTHROPIC.reply('Hi.')))
        const { status, headers, body } = await ask(app, request)
        expect({ status, attempts: headers.get('x-gateway-attempts') }).toEqual({ status: 200, attempts: '2' })
        expect(isStream ? readStream(body).text : MESSAGES.textOf(body)).toBe('Hi.')
        const [row] = await app.rows()
        expect(row).toMatchObject({ status: 'ok', http: 200, error_class: null })
        expect(row?.attempts).toMatchObject([
          { class: kind, http },
          { class: null, http: 200 },
        ])
        expect(await app.account(app.upstream('anthropic', 0))).toMatchObject({ status: standing })
        expect(await app.account(app.upstream('anthropic', 1))).toMatchObject({ status: 'active' })
      })
    }
  }

  test('a refused connection', async () => {
    await using app = await makeApp({ accounts: { anthropic: 2 } })
    const base_url_override = `http://127.0.0.1:${closedPort()}/v1`
    const credentials = { api_key: 'sk-upstream-anthropic-0-0123456789' }
    const path = `/v1/accounts/${app.upstream('anthropic').accountId}`
    expect((await app.owner('PATCH', path, { base_url_override, credentials })).status).toBe(200)
    app.upstream('anthropic', 1).played.play(json(ANTHROPIC.reply('Hi.')))
    expect((await ask(app)).status).toBe(200)
    expect((await app.rows())[0]?.attempts).toMatchObject([{ class: 'connect', state: 'released' }, { class: null }])
  })

  test('a stream that ends before its content', async () => {
    await using app = await makeApp({ accounts: { anthropic: 3 } })
    const events = ANTHROPIC.stream([])
    app.upstream('anthropic', 0).played.play(stream(events))
    app.upstream('anthropic', 1).played.play(stream([...events.slice(0, 1), 'cut']))
    app.upstream('anthropic', 2).played.play(stream(ANTHROPIC.stream(['Hi.'])))
    expect(readStream((await ask(app, STREAM)).body)).toMatchObject({ text: 'Hi.', ended: true })
    expect((await app.rows())[0]?.attempts).toMatchObject([{ class: 'empty' }, { class: 'server' }, { class: null }])
  })

  test('nothing of the one that failed reaches the client', async () => {
    await using app = await makeApp({ accounts: { anthropic: 2 } })
    const [start = '', ...rest] = ANTHROPIC.stream(['first'], { model: 'of-the-first' })
    app.upstream('anthropic', 0).played.play(stream([start, 'reset']))
    app.upstream('anthropic', 1).played.play(stream(ANTHROPIC.stream(['second'])))
    expect(rest.length).toBeGreaterThan(0)
    expect((await ask(app, STREAM)).body).toBe(ANTHROPIC.stream(['second']).join(''))
  })
})

describe('the next account is not asked', () => {
  const cases: readonly (readonly [string, Play, number])[] = [
    ['the request is wrong', error(400, 'invalid_request_error', 'messages: too odd'), 400],
    ['the request conflicts', error(409, 'conflict_error'), 409],
    ['the request is too large', error(413, 'request_too_large'), 413],
    ['the request cannot be processed', error(422, 'invalid_request_error'), 422],
    ['the provider’s filter refuses it', error(400, 'invalid_request_error', 'violates our content policy'), 400],
  ]
  for (const [when, play, status] of cases) {
    test(`when ${when}, and the account keeps its good name`, async () => {
      await using app = await makeApp({ accounts: { anthropic: 2 } })
      app.upstream('anthropic', 0).played.play(play)
      expect((await ask(app)).status).toBe(status)
      expect(app.upstream('anthropic', 1).played.requests).toHaveLength(0)
      expect(await app.account(app.upstream('anthropic', 0))).toMatchObject({ status: 'untested', last_error: null })
    })
  }

  test('once content has come', async () => {
    await using app = await makeApp({ accounts: { anthropic: 2 } })
    app.upstream('anthropic', 0).played.play(stream([...ANTHROPIC.stream(['Hi']).slice(0, 4), 'reset']))
    expect(readStream((await ask(app, STREAM)).body)).toMatchObject({
      text: 'Hi',
      ended: false,
      error: { type: 'api_error' },
    })
    expect(app.upstream('anthropic', 1).played.requests).toHaveLength(0)
    expect((await app.rows())[0]).toMatchObject({ status: 'cut', error_class: 'cut' })
  })

  test('more than once after an attempt of which nobody knows whether it was billed', async () => {
    await using app = await makeApp({ accounts: { anthropic: 3 } })
    for (const index of [0, 1, 2]) app.upstream('anthropic', index).played.play(reset)
    const { status } = await ask(app)
    expect(status).toBe(502)
    expect(app.upstream('anthropic', 2).played.requests).toHaveLength(0)
    const [row] = await app.rows()
    expect(row?.attempts.map(({ state }) => state)).toEqual(['estimated', 'estimated'])
    expect(row?.['cost_usd']).toBeGreaterThan(0)
  })

  test(`more than ${ATTEMPTS_MAX} times`, async () => {
    await using app = await makeApp({ accounts: { anthropic: ATTEMPTS_MAX + 2 } })
    for (let index = 0; index < ATTEMPTS_MAX + 2; index++) {
      app.upstream('anthropic', index).played.play(error(500, 'api_error'))
    }
    expect((await ask(app)).headers.get('x-gateway-attempts')).toBe(String(ATTEMPTS_MAX))
    expect((await app.rows())[0]?.attempts).toHaveLength(ATTEMPTS_MAX)
  })
})

describe('when no account is left', () => {
  /** What the client is told after the accounts answered like this, and what it is told when it asks once more. */
  async function told(plays: readonly Play[]) {
    await using app = await makeApp({ accounts: { anthropic: plays.length } })
    for (const [index, play] of plays.entries()) app.upstream('anthropic', index).played.play(play)
    const answers = [await ask(app), await ask(app)]
    return answers.map(({ status, headers, body }) => ({
      status,
      type: errorOf(body).type,
      after: headers.get('retry-after'),
      reset: headers.get('x-gateway-reset'),
      retry: headers.get('x-should-retry'),
    }))
  }

  const inSeconds = (seconds: number): string => new Date(Date.UTC(2026, 0, 15, 12) + seconds * 1_000).toISOString()

  test('and all are limited, 429 names the soonest return; the true time stands beside the capped one', async () => {
    const limited = (seconds: number): Play =>
      error(429, 'rate_limit_error', 'slow', { 'retry-after': String(seconds) })
    const expected = { status: 429, type: 'rate_limit_error', after: '60', reset: inSeconds(90), retry: null }
    expect(await told([limited(600), limited(90)])).toEqual([expected, expected])
  })

  test('and some are limited while others fail, 503 names when the first comes back', async () => {
    const [first] = await told([
      error(429, 'rate_limit_error', 'slow', { 'retry-after': '7' }),
      error(500, 'api_error'),
    ])
    expect(first).toEqual({ status: 503, type: 'overloaded_error', after: '7', reset: inSeconds(7), retry: null })
  })

  test('and an account rests that was not even asked, its return counts too', async () => {
    await using app = await makeApp({ accounts: { anthropic: 2 } })
    app.upstream('anthropic', 0).played.play(error(429, 'rate_limit_error', 'slow', { 'retry-after': '5' }))
    app.upstream('anthropic', 1).played.play(json(ANTHROPIC.reply('hi')))
    await ask(app)
    app.upstream('anthropic', 1).played.play(error(429, 'rate_limit_error', 'slow', { 'retry-after': '30' }))
    const { status, headers } = await ask(app)
    expect({ status, after: headers.get('retry-after') }).toEqual({ status: 429, after: '5' })
  })

  test('and waiting does not help, the last failure is told as final', async () => {
    const auth = error(401, 'authentication_error')
    const final = { status: 502, type: 'api_error', after: null, reset: null, retry: 'false' }
    expect((await told([auth]))[0]).toEqual(final)
    expect((await told([error(403, 'permission_error'), auth]))[0]).toEqual(final)
    const unpaid = (await told([error(402, 'billing_error')]))[0]
    expect(unpaid).toMatchObject({ status: 429, type: 'rate_limit_error', retry: 'false' })
  })

  test('and one may come back, it is not final', async () => {
    const [first] = await told([error(401, 'authentication_error'), error(500, 'api_error')])
    expect(first).toMatchObject({ status: 503, type: 'overloaded_error', retry: null })
  })

  test('and all have bad credentials, the next request says which provider needs an account', async () => {
    const [, second] = await told([error(401, 'authentication_error')])
    expect(second).toMatchObject({ status: 404, type: 'not_found_error', retry: 'false' })
  })

  test('and none may use the model, the next request is told the same, and to wait for nothing', async () => {
    const [first, second] = await told([error(404, 'not_found_error'), error(404, 'not_found_error')])
    expect(first).toEqual({ status: 404, type: 'not_found_error', after: null, reset: null, retry: 'false' })
    expect(second).toEqual(first)
  })

  test('because there is none, the answer says which provider and where to add one', async () => {
    await using app = await makeApp({ accounts: {} })
    const { status, body } = await ask(app)
    expect({ status, ...errorOf(body) }).toMatchObject({ status: 404, type: 'not_found_error' })
    expect(errorOf(body).message).toMatch(/Anthropic.*Accounts/)
    expect((await app.rows())[0]).toMatchObject({
      status: 'error',
      error_class: 'unconnected',
      http: 404,
      attempts: [],
    })
  })
})

describe('an account', () => {
  test('that limits one model still serves another, and comes back when its time is over', async () => {
    await using app = await makeApp({ accounts: { anthropic: 2 } })
    const [first, second] = [app.upstream('anthropic', 0).played, app.upstream('anthropic', 1).played]
    first.play(error(429, 'rate_limit_error', 'slow', { 'retry-after': '30' }))
    first.otherwise(json(ANTHROPIC.reply('first')))
    second.otherwise(json(ANTHROPIC.reply('second')))
    const answers: string[] = []
    for (const [model, waitMs] of [
      [ANTHROPIC.model, 0],
      [ANTHROPIC.model, 0],
      ['anthropic/claude-opus-5-5', 0],
      [ANTHROPIC.model, 30_000],
    ] as const) {
      app.clock.advance(waitMs)
      answers.push(MESSAGES.textOf((await ask(app, question(MESSAGES, model))).body))
    }
    expect(answers).toEqual(['second', 'second', 'first', 'first'])
  })

  test('that is off, or may not serve the model, is passed over and the route says why', async () => {
    await using app = await makeApp({ accounts: { anthropic: 3 } })
    const [off, denied, good] = [0, 1, 2].map((index) => app.upstream('anthropic', index))
    await app.owner('PATCH', `/v1/accounts/${off?.accountId}`, { enabled: false })
    await app.owner('PATCH', `/v1/accounts/${denied?.accountId}`, { models_deny: ['claude-haiku-*'] })
    good?.played.play(json(ANTHROPIC.reply('hi')))
    const { headers } = await app.ask(CHAT.path, {
      ...question(CHAT, ANTHROPIC.model),
      headers: { 'x-gateway-explain': '1' },
    })
    expect(headers.get('x-gateway-route')?.split(',')).toEqual([
      `${ANTHROPIC.model}@${off?.accountId}=disabled`,
      `${ANTHROPIC.model}@${denied?.accountId}=model_not_allowed`,
      `${ANTHROPIC.model}@${good?.accountId}=ok`,
    ])
    expect(headers.get('x-gateway-attempts')).toBe('1')
  })

  test('that failed is named in the route of the answer and of the failure', async () => {
    await using app = await makeApp({ accounts: { anthropic: 2 } })
    for (const index of [0, 1]) app.upstream('anthropic', index).played.play(error(500, 'api_error'))
    const { headers } = await ask(app, { ...ASK, headers: { 'x-gateway-explain': '1' } })
    expect(headers.get('x-gateway-route')).toMatch(/^[^,]+=server,[^,]+=server$/)
    expect((await app.rows())[0]?.['route']).toMatchObject([
      { outcome: 'failed', reason: 'server' },
      { reason: 'server' },
    ])
  })
})
