/** What breaks between a provider and a client that streams, and how the client is told, with real sockets where they matter. */
import { describe, expect, test } from 'bun:test'
import { makeApp, type TestApp } from '../support/app.ts'
import type { Play } from '../support/provider.ts'
import { json, silence, stream, type Step } from '../support/plays.ts'
import { longFrame, sseFrame } from '../support/provider-bodies.ts'
import { turn } from '../support/until.ts'
import { CHAT, type Client, errorOf, MESSAGES, question, readStream, RESPONSES } from './clients.ts'
import { ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES, type Speaker } from './upstreams.ts'

/** Each dialect passed through, and one translated. */
const ROUTES: readonly (readonly [name: string, Client, Speaker])[] = [
  ['messages', MESSAGES, ANTHROPIC],
  ['chat', CHAT, OPENAI_CHAT],
  ['responses', RESPONSES, OPENAI_RESPONSES],
  ['messages → chat', MESSAGES, OPENAI_CHAT],
]

function streamed(client: Client, speaker: Speaker) {
  return question(client, speaker.model, { stream: true })
}

/** Events of `speaker` up to and with its first content. */
function begin(speaker: Speaker): readonly string[] {
  const events = speaker.stream(['Hi '])
  return events.slice(0, events.findIndex((event) => event.includes('Hi ')) + 1)
}

async function play(app: TestApp, client: Client, speaker: Speaker, steps: Iterable<Step>) {
  app.upstream(speaker.provider).played.play(stream(steps))
  const { status, body } = await app.ask(client.path, streamed(client, speaker))
  expect(status).toBe(200)
  return readStream(body)
}

describe('a stream breaks after content', () => {
  const breaks: readonly (readonly [string, (speaker: Speaker) => readonly Step[], kind: string])[] = [
    ['by a reset', () => ['reset'], 'cut'],
    ['by an end of the connection', () => ['cut'], 'cut'],
    ['by a proper end without the end of the answer', () => [], 'cut'],
    ['inside an event', (speaker) => [speaker.stream(['more'])[2]?.slice(0, 40) ?? '', 'cut'], 'cut'],
  ]
  for (const [name, client, speaker] of ROUTES) {
    for (const [how, steps, kind] of breaks) {
      test(`${name}: ${how}`, async () => {
        await using app = await makeApp()
        const seen = await play(app, client, speaker, [...begin(speaker), ...steps(speaker)])
        expect(seen).toMatchObject({ text: 'Hi ', ended: false, error: { type: expect.any(String) } })
        const [row] = await app.rows()
        expect(row).toMatchObject({ status: 'cut', error_class: kind, http: 200 })
        expect(row?.attempts).toMatchObject([{ class: kind, state: 'estimated' }])
        expect(row?.['tokens'].output).toBeGreaterThan(0)
      })
    }
  }

  for (const [client, speaker] of [
    [MESSAGES, OPENAI_CHAT],
    [CHAT, ANTHROPIC],
  ] as const) {
    test(`${client.name} → ${speaker.client.name}: by an event that is no JSON`, async () => {
      await using app = await makeApp()
      const broken = sseFrame('content_block_delta', '{"choices":[}')
      const seen = await play(app, client, speaker, [...begin(speaker), broken, 'silence'])
      expect(seen).toMatchObject({ text: 'Hi ', ended: false, error: { type: expect.any(String) } })
      expect((await app.rows())[0]).toMatchObject({ status: 'cut', error_class: 'server' })
    })
  }

  test('by an error event, which is told in our words and not the provider’s', async () => {
    await using app = await makeApp()
    const error = sseFrame('error', { type: 'error', error: { type: 'overloaded_error', message: 'cluster 7 is hot' } })
    const seen = await play(app, MESSAGES, ANTHROPIC, [...begin(ANTHROPIC), error])
    expect(seen).toMatchObject({ text: 'Hi ', ended: false, error: { type: 'overloaded_error' } })
    expect(seen.error?.message).not.toContain('cluster')
    expect((await app.rows())[0]).toMatchObject({ status: 'cut', error_class: 'overloaded' })
  })

  for (const [name, client, speaker] of ROUTES) {
    test(`${name}: by silence, which ends when the provider’s time to speak is over`, async () => {
      await using app = await makeApp()
      app.upstream(speaker.provider).played.play(stream([...begin(speaker), 'silence']))
      const response = await app.request(client.path, streamed(client, speaker))
      const text = response.text()
      const { hungUp } = await app.upstream(speaker.provider).played.request(0)
      app.clock.advance(299_000)
      await turn()
      expect(app.app.inFlight()).toBe(1)
      app.clock.advance(2_000)
      await hungUp
      expect(readStream(await text)).toMatchObject({ text: 'Hi ', ended: false, error: { type: expect.any(String) } })
      expect((await app.rows())[0]).toMatchObject({ status: 'cut', error_class: 'timeout' })
    })
  }
})

describe('a stream ends oddly, but ends', () => {
  for (const [name, client, speaker] of ROUTES) {
    test(`${name}: the connection breaks after all has been said`, async () => {
      await using app = await makeApp()
      const events = speaker.stream(['All of it.'])
      const isLast = (event: string): boolean => /message_stop|\[DONE\]/.test(event)
      const seen = await play(app, client, speaker, [...events.filter((event) => !isLast(event)), 'reset'])
      expect(seen).toMatchObject({ text: 'All of it.', ended: true, error: undefined })
      expect((await app.rows())[0]).toMatchObject({ status: 'ok', tokens_estimated: false })
    })
  }
})

describe('a stream begins with an error', () => {
  const overloaded = { type: 'overloaded_error', code: 'overloaded', message: 'busy' }
  for (const [name, client, speaker] of ROUTES) {
    const error = sseFrame('error', { ...overloaded, type: 'error', error: overloaded })

    test(`${name}: which is a status, not a stream`, async () => {
      await using app = await makeApp()
      app.upstream(speaker.provider).played.play(stream([error]))
      const { status, headers, body } = await app.ask(client.path, streamed(client, speaker))
      expect(status).toBe(client === MESSAGES ? 529 : 503)
      expect(headers.get('content-type')).toBe('application/json')
      expect(errorOf(body).type).toBe(client === MESSAGES ? 'overloaded_error' : 'server_error')
    })

    test(`${name}: so that the next account can answer`, async () => {
      await using app = await makeApp({ accounts: { [speaker.provider]: 2 } })
      app.upstream(speaker.provider, 0).played.play(stream([error]))
      app.upstream(speaker.provider, 1).played.play(stream(speaker.stream(['Second.'])))
      const { body } = await app.ask(client.path, streamed(client, speaker))
      expect(readStream(body)).toMatchObject({ text: 'Second.', ended: true })
    })
  }
})

describe('the provider takes its time', () => {
  /** A stream whose head was sent before the provider had said anything. */
  async function early(app: TestApp, client: Client, speaker: Speaker, then: Play) {
    const moment = Promise.withResolvers<void>()
    app.upstream(speaker.provider).played.play(async (stage) => {
      await moment.promise
      await then(stage)
    })
    const url = await app.listen()
    const pending = fetch(`${url}${client.path}`, {
      method: 'POST',
      headers: { 'x-api-key': app.key.secret },
      body: JSON.stringify(client.body(speaker.model, 'hello', { stream: true })),
    })
    await app.upstream(speaker.provider).played.request(0)
    app.clock.advance(15_100)
    const response = await pending
    const reader = response.body?.getReader()
    const first = Buffer.from((await reader?.read())?.value ?? []).toString()
    app.clock.advance(15_100)
    const second = Buffer.from((await reader?.read())?.value ?? []).toString()
    moment.resolve()
    let text = first + second
    for (;;) {
      const piece = await reader?.read()
      if (piece?.value === undefined) break
      text += Buffer.from(piece.value).toString()
    }
    return { status: response.status, id: response.headers.get('x-request-id'), first, second, seen: readStream(text) }
  }

  for (const [name, client, speaker] of ROUTES) {
    test(`${name}: head and comments go out after 15 s, and content may still follow`, async () => {
      await using app = await makeApp()
      const { status, id, first, second, seen } = await early(app, client, speaker, stream(speaker.stream(['Late.'])))
      expect({ status, first, second }).toEqual({ status: 200, first: ': keepalive\n\n', second: ': keepalive\n\n' })
      expect(id).toStartWith('req_')
      expect(seen).toMatchObject({ text: 'Late.', ended: true, error: undefined })
      expect((await app.rows())[0]).toMatchObject({
        id,
        status: 'ok',
        ms_first_token: 30_200,
      })
    })

    test(`${name}: a failure after that is an error inside the stream`, async () => {
      await using app = await makeApp()
      const { seen } = await early(app, client, speaker, json({ error: { type: 'x', message: 'no' } }, 500))
      expect(seen).toMatchObject({ text: '', ended: false, comments: 2, error: { type: expect.any(String) } })
      expect((await app.rows())[0]).toMatchObject({ status: 'error', error_class: 'server', http: 200 })
    })

    test(`${name}: the next account may still answer`, async () => {
      await using app = await makeApp({ accounts: { [speaker.provider]: 2 } })
      app.upstream(speaker.provider, 1).played.play(stream(speaker.stream(['Second.'])))
      const { seen } = await early(app, client, speaker, json({}, 500))
      expect(seen).toMatchObject({ text: 'Second.', ended: true, error: undefined })
    })
  }

  for (const [name, client, speaker] of ROUTES) {
    test(`${name}: a keep-alive never falls into an event of which half has come`, async () => {
      await using app = await makeApp()
      const bytes = Buffer.from(speaker.stream(['Hi ', 'there.']).join(''))
      const half = bytes.indexOf('there.') + 2
      const rest = Promise.withResolvers<void>()
      app.upstream(speaker.provider).played.play(stream([bytes.subarray(0, half), rest.promise, bytes.subarray(half)]))
      const text = (await app.request(client.path, streamed(client, speaker))).text()
      for (let turns = 0; turns < 50; turns++) await turn()
      app.clock.advance(15_200)
      rest.resolve()
      expect(await text).toMatch(/: keepalive|event: ping\ndata: \{"type":"ping"\}\n\n(?=event: content_block_delta)/)
      expect(readStream(await text)).toMatchObject({ text: 'Hi there.', ended: true, error: undefined })
    })
  }

  test('without an event for three minutes it has timed out', async () => {
    await using app = await makeApp()
    const { played } = app.upstream('anthropic')
    played.play(silence)
    const response = app.request(MESSAGES.path, streamed(MESSAGES, ANTHROPIC))
    const { hungUp } = await played.request(0)
    app.clock.advance(15_100)
    const text = (await response).text()
    app.clock.advance(165_000)
    await hungUp
    expect(readStream(await text)).toMatchObject({ error: { type: 'timeout_error' }, comments: 12 })
    expect((await app.rows())[0]).toMatchObject({ status: 'error', error_class: 'timeout' })
  })

  test('events without content hold it off for ten minutes, not for ever', async () => {
    await using app = await makeApp()
    const next = { ring: () => undefined as void }
    app.upstream('anthropic').played.play(async (stage) => {
      stage.head(200, { 'content-type': 'text/event-stream' })
      for (;;) {
        stage.write(sseFrame('ping', { type: 'ping' }))
        await new Promise<void>((resolve) => (next.ring = resolve))
      }
    })
    const response = app.request(MESSAGES.path, streamed(MESSAGES, ANTHROPIC))
    const { hungUp } = await app.upstream('anthropic').played.request(0)
    const upstream = { isGone: false }
    void hungUp.then(() => (upstream.isGone = true))
    let minutes = 0
    for (; !upstream.isGone && minutes < 15; minutes++) {
      for (let turns = 0; turns < 20; turns++) await turn()
      app.clock.advance(60_000)
      next.ring()
    }
    expect(minutes).toBeWithin(10, 13)
    expect(readStream(await (await response).text()).error).toMatchObject({ type: 'timeout_error' })
  })
})

describe('a provider’s answer is odd', () => {
  test('a line of 5 MB goes through whole', async () => {
    await using app = await makeApp()
    const events = ANTHROPIC.stream(['x'.repeat(5 * 1024 * 1024)])
    const bytes = Buffer.from(events.join(''))
    const pieces = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, at) =>
      bytes.subarray(at * 65_536, (at + 1) * 65_536),
    )
    for (const client of [MESSAGES, CHAT]) {
      const seen = await play(app, client, ANTHROPIC, pieces)
      expect({ length: seen.text.length, ended: seen.ended }).toEqual({ length: 5 * 1024 * 1024, ended: true })
    }
  })

  test('a line without end does not fill the memory', async () => {
    await using app = await makeApp()
    const megabyte = Buffer.from(longFrame(1024 * 1024).trimEnd())
    app
      .upstream('anthropic')
      .played.play(stream([...begin(ANTHROPIC), ...Array.from({ length: 18 }, () => megabyte), 'silence']))
    const { body } = await app.ask(MESSAGES.path, streamed(MESSAGES, ANTHROPIC))
    expect(readStream(body)).toMatchObject({ text: 'Hi ', ended: false, error: { type: 'api_error' } })
  })

  for (const [name, client, speaker] of ROUTES) {
    test(`${name}: a whole reply where a stream was asked for becomes the stream that it amounts to`, async () => {
      await using app = await makeApp()
      app.upstream(speaker.provider).played.play(json(speaker.reply('all at once')))
      const { status, headers, body } = await app.ask(client.path, streamed(client, speaker))
      expect({ status, type: headers.get('content-type') }).toEqual({
        status: 200,
        type: 'text/event-stream; charset=utf-8',
      })
      expect(readStream(body)).toMatchObject({ text: 'all at once', ended: true, error: undefined })
    })

    test(`${name}: an error of status 200 where a stream was asked for is a status of its own`, async () => {
      await using app = await makeApp()
      const error = { type: 'overloaded_error', code: 'overloaded', message: 'busy' }
      app.upstream(speaker.provider).played.play(json({ type: 'error', error }))
      const { status, body } = await app.ask(client.path, streamed(client, speaker))
      expect(status).toBe(client === MESSAGES ? 529 : 503)
      expect(errorOf(body).message).not.toBe('')
    })
  }

  test('without a figure of its tokens the record is an estimate', async () => {
    await using app = await makeApp()
    const [start = '', ...rest] = ANTHROPIC.stream(['Some ', 'words ', 'without ', 'figures.'])
    const without = (event: string): string => event.replace(/,?"usage":\{[^}]*\}/, '')
    await play(app, MESSAGES, ANTHROPIC, [without(start), ...rest.map(without)])
    const { usage: _, ...plain } = ANTHROPIC.reply('Some words without figures.') as Record<string, unknown>
    app.upstream('anthropic').played.play(json(plain))
    await app.ask(MESSAGES.path, question(MESSAGES, ANTHROPIC.model))
    for (const row of await app.rows()) {
      expect(row).toMatchObject({ status: 'ok', tokens_estimated: true, cost_source: 'estimated' })
      expect(row.attempts).toMatchObject([{ state: 'estimated' }])
      expect(row['tokens'].input_tokens).toBeGreaterThan(0)
      expect(row['tokens'].output).toBeGreaterThan(3)
    }
  })

  test('what comes after the end is nobody’s business', async () => {
    await using app = await makeApp()
    const events = OPENAI_CHAT.stream(['Hi'])
    const seen = await play(app, CHAT, OPENAI_CHAT, [...events, 'data: {"error":{"message":"late"}}\n\n', 'silence'])
    expect(seen).toMatchObject({ text: 'Hi', ended: true, error: undefined })
    expect((await app.rows())[0]).toMatchObject({ status: 'ok' })
  })
})

describe('a limit says when it ends', () => {
  const at = 'Thu, 15 Jan 2026 12:00:00 GMT'
  const forms: readonly (readonly [Speaker, Readonly<Record<string, string>>, seconds: number | null])[] = [
    [ANTHROPIC, { 'retry-after': '7' }, 7],
    [ANTHROPIC, { 'retry-after': '0.5' }, 1],
    [ANTHROPIC, { 'retry-after-ms': '2500' }, 3],
    [ANTHROPIC, { 'retry-after': 'Thu, 15 Jan 2026 12:00:20 GMT', date: at }, 20],
    [
      ANTHROPIC,
      {
        'anthropic-ratelimit-requests-reset': '2026-01-15T12:00:09Z',
        'anthropic-ratelimit-requests-remaining': '0',
        date: at,
      },
      9,
    ],
    [OPENAI_CHAT, { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1m30s' }, 90],
    [OPENAI_CHAT, { 'retry-after': '86400' }, 86_400],
    [OPENAI_CHAT, { 'retry-after': 'soon' }, null],
    [OPENAI_CHAT, {}, null],
  ]
  for (const [speaker, headers, seconds] of forms) {
    test(`${speaker.client.name}: ${JSON.stringify(headers)}`, async () => {
      await using app = await makeApp()
      app
        .upstream(speaker.provider)
        .played.play(json({ error: { type: 'rate_limit_error', message: 'slow' } }, 429, headers))
      const answer = await app.ask(speaker.client.path, question(speaker.client, speaker.model))
      expect(answer.status).toBe(429)
      expect(errorOf(answer.body).type).toBe('rate_limit_error')
      expect(answer.headers.get('retry-after')).toBe(String(Math.min(60, Math.max(1, Math.ceil(seconds ?? 0)))))
      const account = await app.account(app.upstream(speaker.provider))
      const untilMs = Date.parse(
        String(account['cooldown_until'] ?? (account['cooldowns'] as { until: string }[])[0]?.until),
      )
      const restS = (untilMs - app.clock.nowMs()) / 1_000
      expect(restS).toBeWithin((seconds ?? 2) - 1, (seconds ?? 2) + 1)
    })
  }
})
