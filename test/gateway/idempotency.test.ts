/** Requests that their clients name: answered once, refused while they run, told again as they were. */
import { describe, expect, test } from 'bun:test'
import { LedgerWriter } from '../../src/ledger/writer.ts'
import { ANSWER_BYTES_MAX, ANSWERS_BOUNDS, Idempotency, NAMES_KEPT_MS } from '../../src/gateway/copies/idempotency.ts'
import { namedRequestsSince } from '../../src/ledger/named-requests.ts'
import { recover } from '../../src/ledger/recover.ts'
import { makeApp, type TestApp } from '../support/app.ts'
import { requestClosed, requestOpened, telemetry } from '../ledger/records.ts'
import { HandClock } from '../support/clock.ts'
import { after, json, stream } from '../support/plays.ts'
import { until } from '../support/until.ts'
import { CHAT, type Client, MESSAGES, RESPONSES } from './clients.ts'
import { ANTHROPIC, OPENAI_RESPONSES, type Speaker } from './upstreams.ts'

const NAME = '7f1c2a90-0f3e-4f58-9a86-name'
/** Directly and through a translation. */
const WAYS: readonly (readonly [name: string, Client, Speaker])[] = [
  ['messages', MESSAGES, ANTHROPIC],
  ['chat → messages', CHAT, ANTHROPIC],
  ['responses', RESPONSES, OPENAI_RESPONSES],
]

interface Wanted {
  readonly client?: Client
  readonly speaker?: Speaker
  readonly name?: string
  readonly text?: string
  readonly stream?: boolean
}

function send(app: TestApp, wanted: Wanted = {}) {
  const { client = MESSAGES, speaker = ANTHROPIC, name = NAME, text = 'hello', stream: streams = false } = wanted
  const headers = { 'idempotency-key': name }
  return app.ask(client.path, { headers, body: client.body(speaker.model, text, { stream: streams }) })
}

describe('a request with an idempotency key', () => {
  for (const [way, client, speaker] of WAYS) {
    for (const streams of [false, true]) {
      test(`${way}, ${streams ? 'streamed' : 'plain'}: the second time has the same answer, and no provider is asked`, async () => {
        await using app = await makeApp()
        const { played } = app.upstream(speaker.provider)
        played.play(streams ? stream(speaker.stream(['One ', 'two'])) : json(speaker.reply('One two')))
        const first = await send(app, { client, speaker, stream: streams })
        const second = await send(app, { client, speaker, stream: streams })
        expect([first.status, second.status]).toEqual([200, 200])
        expect(second.body).toEqual(first.body)
        expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'))
        expect(second.headers.get('x-gateway-replayed')).toBe(first.headers.get('x-request-id'))
        expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
        expect(played.requests).toHaveLength(1)
        const [paid, free] = await app.rows()
        expect(paid?.['cost_usd']).toBeGreaterThan(0)
        expect(free).toMatchObject({ status: 'ok', cost_usd: 0, attempts: [] })
      })
    }
  }

  test('in another form of the answer, which the query of the path asks for, is another request', async () => {
    await using app = await makeApp()
    app.upstream('anthropic').played.otherwise(stream(ANTHROPIC.stream(['One ', 'two'])))
    const body = { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] }
    const ask = (query: string) =>
      app.ask(`/v1beta/models/${ANTHROPIC.model}:streamGenerateContent${query}`, {
        headers: { 'idempotency-key': NAME },
        body,
      })
    expect((await ask('?alt=sse')).headers.get('content-type')).toStartWith('text/event-stream')
    expect((await ask('')).status).toBe(422)
  })

  test('is a conflict while the first one runs', async () => {
    await using app = await makeApp()
    const { played } = app.upstream('anthropic')
    const gate = Promise.withResolvers<void>()
    played.play(after(gate.promise, json(ANTHROPIC.reply('hi'))))
    const first = send(app)
    await played.request(0)
    const second = await send(app)
    expect(second.status).toBe(409)
    expect(second.headers.get('x-should-retry')).toBe('false')
    expect(second.body.error.message).toContain('still being answered')
    gate.resolve()
    expect((await first).status).toBe(200)
    expect((await send(app)).headers.has('x-gateway-replayed')).toBe(true)
    expect(played.requests).toHaveLength(1)
  })

  const others: readonly (readonly [name: string, Wanted])[] = [
    ['another text', { text: 'something else' }],
    ['a stream instead of a plain answer', { stream: true }],
    ['another endpoint', { client: CHAT }],
  ]
  for (const [what, wanted] of others) {
    test(`with ${what} is a mismatch, in the dialect of its client`, async () => {
      await using app = await makeApp()
      app.upstream('anthropic').played.play(json(ANTHROPIC.reply('hi')))
      await send(app)
      const second = await send(app, wanted)
      expect(second.status).toBe(422)
      expect(second.body.error).toMatchObject({ type: 'invalid_request_error' })
      expect(app.upstream('anthropic').played.requests).toHaveLength(1)
    })
  }

  test('of another gateway key is another request', async () => {
    await using app = await makeApp()
    const { played } = app.upstream('anthropic')
    played.play(json(ANTHROPIC.reply('mine')), json(ANTHROPIC.reply('theirs')))
    const other = (await app.owner('POST', '/v1/keys', { name: 'other' })).body.data.secret
    await send(app)
    const headers = { 'idempotency-key': NAME, 'x-api-key': other }
    const theirs = await app.ask('/v1/messages', { headers, body: MESSAGES.body(ANTHROPIC.model) })
    expect(MESSAGES.textOf(theirs.body)).toBe('theirs')
  })

  test('that failed is asked again', async () => {
    await using app = await makeApp()
    const { played } = app.upstream('anthropic')
    played.play(json({ type: 'error', error: { type: 'invalid_request_error', message: 'no' } }, 400))
    played.play(json(ANTHROPIC.reply('hi')))
    expect((await send(app)).status).toBe(400)
    const second = await send(app)
    expect(MESSAGES.textOf(second.body)).toBe('hi')
    expect(second.headers.has('x-gateway-replayed')).toBe(false)
  })

  test('whose stream was cut is asked again', async () => {
    await using app = await makeApp()
    const { played } = app.upstream('anthropic')
    played.play(stream([...ANTHROPIC.stream(['One ', 'two']).slice(0, 4), 'cut']))
    played.play(stream(ANTHROPIC.stream(['whole'])))
    expect((await send(app, { stream: true })).body).toContain('event: error')
    expect((await send(app, { stream: true })).body).toContain('whole')
  })

  test('whose client left is asked again', async () => {
    await using app = await makeApp()
    const { played } = app.upstream('anthropic')
    played.play(stream([...ANTHROPIC.stream(['One ']).slice(0, 4), 'silence']))
    played.play(stream(ANTHROPIC.stream(['whole'])))
    const response = await app.request('/v1/messages', {
      headers: { 'idempotency-key': NAME },
      body: MESSAGES.body(ANTHROPIC.model, 'hello', { stream: true }),
    })
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    await until(() => app.app.inFlight() === 0, 'the end of the first request')
    expect((await send(app, { stream: true })).body).toContain('whole')
  })

  test('is refused with a name that no header should have', async () => {
    await using app = await makeApp()
    const answer = await send(app, { name: 'x'.repeat(256) })
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toContain('Idempotency-Key')
  })
})

describe('what is kept of named requests', () => {
  const named = { keyId: 'key_1', requestId: 'req_1', name: 'n', digest: 'd' }
  const answer = { requestId: 'req_1', body: new Uint8Array(10), headers: [] }

  test('the answer for an hour, that there was one for a day', () => {
    const kept = new Idempotency()
    kept.begin(named, 0)
    kept.answered(named, answer, 0)
    expect(kept.begin({ ...named, requestId: 'req_2' }, ANSWERS_BOUNDS.ttlMs - 1)).toEqual({ ok: true, value: answer })
    expect(kept.begin({ ...named, requestId: 'req_3' }, ANSWERS_BOUNDS.ttlMs)).toMatchObject({
      error: { kind: 'idempotency_conflict', message: expect.stringContaining('already done (req_1)') },
    })
    expect(kept.begin({ ...named, requestId: 'req_4' }, NAMES_KEPT_MS)).toEqual({ ok: true, value: undefined })
  })

  test('answers up to a number of bytes', () => {
    const kept = new Idempotency({ entriesPerOwnerMax: 10, bytesMax: 2_000, ttlMs: 1_000 })
    for (const n of [1, 2, 3]) {
      const one = { ...named, name: `n${n}` }
      kept.begin(one, 0)
      kept.answered(one, { ...answer, body: new Uint8Array(1_000) }, 0)
    }
    expect(kept.begin({ ...named, name: 'n1' }, 1)).toMatchObject({ error: { kind: 'idempotency_conflict' } })
    expect(kept.begin({ ...named, name: 'n3' }, 1)).toMatchObject({ ok: true, value: { requestId: 'req_1' } })
  })

  test('not an answer that is too long, but that it was given', async () => {
    await using app = await makeApp()
    app.upstream('anthropic').played.play(json(ANTHROPIC.reply('x'.repeat(ANSWER_BYTES_MAX))))
    expect((await send(app)).status).toBe(200)
    expect((await send(app)).status).toBe(409)
  })
})

test('after a restart what was answered, or died with its process, is still known; of two the first', () => {
  const database = telemetry()
  const clock = new HandClock()
  const ledger = new LedgerWriter(database, { clock, log: { write: () => undefined }, checkpoint: () => undefined })
  const endings = { answered: 'ok', again: 'ok', failed: 'error', left: 'cancelled', running: undefined } as const
  for (const [n, [id, status]] of Object.entries(endings).entries()) {
    const named = { name: id === 'again' ? 'answered' : id, digest: `digest of ${id}` }
    ledger.openRequest(requestOpened({ id, atMs: clock.nowMs() + n, named }))
    if (status !== undefined) ledger.closeRequest(requestClosed({ id, status }))
  }
  ledger.openRequest(requestOpened({ id: 'unnamed' }))
  ledger.close()
  recover(database)
  const known = namedRequestsSince(database, clock.nowMs()).map(({ requestId, name, digest }) => [
    requestId,
    name,
    digest,
  ])
  expect(known.toSorted()).toEqual([
    ['answered', 'answered', 'digest of answered'],
    ['running', 'running', 'digest of running'],
  ])
  expect(namedRequestsSince(database, clock.nowMs() + 100)).toEqual([])
})
