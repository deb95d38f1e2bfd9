/**
 * The failure table: how each kind shows in each client's dialect, what it says about trying again, what it does to the account
 * and what is written down. The provider speaks Messages, so one of the clients is passed through and the others are translated.
 */
import { describe, expect, test } from 'bun:test'
import { makeApp, type TestApp } from '../support/app.ts'
import type { Answer } from '../support/dashboard.ts'
import { json, silence, stream, text } from '../support/plays.ts'
import { sseFrame } from '../support/provider-bodies.ts'
import { until } from '../support/until.ts'
import { type Client, CLIENTS, errorOf, MESSAGES, question } from './clients.ts'
import { ask, type Case, CASES, INVALID, refusal } from './failure-cases.ts'
import { ANTHROPIC, OPENAI_CHAT } from './upstreams.ts'

for (const client of CLIENTS) {
  describe(`in ${client.name}`, () => {
    for (const entry of CASES) {
      const { kind, when, options = {}, play, words, status, row: expectedRow = {} } = entry
      test(when === undefined ? kind : `${kind}: ${when}`, async () => {
        await using app = await makeApp(options)
        if (play !== undefined) app.upstream('anthropic').played.play(play)
        const answer = await (entry.ask ?? ask)(app, client)
        const isMessages = client === MESSAGES
        const [messagesStatus, openaiStatus] = typeof status === 'number' ? [status, status] : status
        const { type, code } = errorOf(answer.body)
        expect({ status: answer.status, type, code }).toEqual({
          status: isMessages ? messagesStatus : openaiStatus,
          type: isMessages ? entry.type : words[0],
          code: isMessages ? null : words[1],
        })
        expect(answer.headers.get('retry-after')).toBe(entry.retryAfter ?? null)
        expect(answer.headers.get('x-should-retry')).toBe(entry.isFinal === true ? 'false' : null)
        expectEnvelope(client, answer)
        await expectRecord(app, entry, kind, answer.status, expectedRow)
      })
    }
  })
}

/** The envelope of the dialect, the request's id, and never a secret. */
function expectEnvelope(client: Client, { body, headers }: Answer): void {
  const id = headers.get('x-request-id')
  expect(id).toMatch(/^req_[a-z2-7]{26}$/)
  expect(headers.get('content-type')).toBe('application/json')
  expect(JSON.stringify(body)).not.toContain('sk-upstream')
  if (client === MESSAGES) expect(body).toMatchObject({ type: 'error', error: { message: expect.any(String) } })
  else expect(Object.keys(body.error)).toContainValues(['message', 'type', 'code', 'param'])
}

async function expectRecord(app: TestApp, entry: Case, kind: string, http: number, row: Case['row']): Promise<void> {
  const rows = await app.rows()
  if (row === null) return expect(rows).toEqual([])
  expect(rows.at(-1)).toMatchObject({ status: row?.status ?? 'error', error_class: row?.class ?? kind, http })
  const attempts = rows.at(-1)?.attempts ?? []
  expect(attempts.map(({ state }) => state)).toEqual(entry.attempt === undefined ? [] : [entry.attempt])
  expect(rows.at(-1)?.['cost_usd'] > 0).toBe(entry.attempt === 'estimated' || entry.attempt === 'settled')
  if (entry.play === undefined) expect(app.app.inFlight()).toBe(0)
  else expect(await app.account(app.upstream('anthropic'))).toMatchObject({ status: entry.account ?? 'untested' })
}

describe('a failure that no table row shows', () => {
  test('cancelled: the client that left is told nothing, the record says so', async () => {
    await using app = await makeApp()
    app.upstream('anthropic').played.play(silence)
    const left = new AbortController()
    const pending = app.ask(MESSAGES.path, { ...question(MESSAGES, ANTHROPIC.model), signal: left.signal })
    const asked = await app.upstream('anthropic').played.request(0)
    left.abort()
    app.clock.advance(150)
    await asked.hungUp
    await pending.catch(() => undefined)
    expect((await app.rows())[0]).toMatchObject({ status: 'cancelled', error_class: 'cancelled', http: 499 })
    expect(await app.account(app.upstream('anthropic'))).toMatchObject({ status: 'untested', last_error: null })
  })

  test('internal: a mistake of ours is told as such, under an id that the log has', async () => {
    await using app = await makeApp()
    for (const client of CLIENTS) {
      const request = new Request(`http://gateway.test${client.path}`, {
        method: 'POST',
        headers: { 'x-api-key': app.key.secret },
        body: JSON.stringify(client.body(ANTHROPIC.model)),
      })
      const bodyRead = (): never => {
        throw new Error('a bug')
      }
      const response = await app.app.handle(request, { address: null, bodyRead, answered: () => undefined })
      const id = response.headers.get('x-request-id') ?? ''
      expect(response.status).toBe(500)
      const { message, type } = errorOf(await response.json())
      expect(type).toBe(client === MESSAGES ? 'api_error' : 'server_error')
      expect(message).not.toContain('a bug')
      expect(app.log.some((line) => line.includes(id) && line.includes('a bug'))).toBe(true)
    }
    await until(() => app.app.inFlight() === 0, 'the end of the failed requests')
  })

  test('internal: no record stays open after it', async () => {
    await using app = await makeApp()
    app.upstream('anthropic').played.otherwise(json({}, 500))
    const lines = app.log as string[]
    const push = lines.push.bind(lines)
    lines.push = (line) => {
      if (line.includes('attempt failed')) throw new Error('a bug')
      return push(line)
    }
    for (const stream of [false, true]) {
      const { status } = await app.ask(MESSAGES.path, question(MESSAGES, ANTHROPIC.model, { stream }))
      expect(status).toBe(500)
    }
    for (const row of await app.rows())
      expect(row).toMatchObject({
        status: 'error',
        error_class: 'internal',
        http: 500,
        attempts: [{ state: 'released' }],
      })
  })

  test('a provider’s own refusal reaches a client of its dialect as it came', async () => {
    await using app = await makeApp()
    const body = { type: 'error', error: { type: INVALID, message: 'tools.0: odd' }, request_id: 'req_vendor', x: 1 }
    app.upstream('anthropic').played.play(json(body, 400))
    expect((await ask(app, MESSAGES)).body).toEqual(body)
  })

  test('a secret that a provider repeats stays here', async () => {
    await using app = await makeApp()
    const { secret, played } = app.upstream('anthropic')
    played.otherwise(refusal(400, INVALID, `the key ${secret} is odd`))
    for (const client of CLIENTS) expect(JSON.stringify((await ask(app, client)).body)).not.toContain(secret)
    expect(JSON.stringify(await app.rows())).not.toContain(secret)
    expect(app.log.join('\n')).not.toContain(secret)
  })

  test('nor is half of one written down where an answer that is none is cut', async () => {
    await using app = await makeApp()
    const { secret, played } = app.upstream('anthropic')
    const half = secret.slice(0, secret.length / 2)
    for (let filler = 200; filler < 250; filler++) {
      played.play(text(`${'.'.repeat(filler)} ${secret}`, 200, { 'content-type': 'text/html' }))
      await app.ask(MESSAGES.path, question(MESSAGES, ANTHROPIC.model))
    }
    expect(JSON.stringify(await app.rows())).not.toContain(half)
    expect(app.log.join('\n')).not.toContain(half)
  })

  test('nor does one leave that looks like none and stands in an answer of status 200, whole or streamed', async () => {
    await using app = await makeApp()
    const secret = 'correct.horse.battery.staple'
    for (const speaker of [ANTHROPIC, OPENAI_CHAT]) {
      const { accountId, played } = app.upstream(speaker.provider)
      await app.owner('PATCH', `/v1/accounts/${accountId}`, { credentials: { api_key: secret } })
      const error = { type: 'error', error: { type: INVALID, message: `the key ${secret} is odd` } }
      const event = sseFrame('error', error)
      const begun = speaker.stream(['Hi ']).slice(0, 3)
      for (const play of [json(error, 200), stream([event]), stream([...begun, event])]) {
        for (const client of CLIENTS) {
          for (const isStream of [false, true]) {
            played.otherwise(play)
            const { body } = await app.ask(client.path, question(client, speaker.model, { stream: isStream }))
            expect(JSON.stringify(body)).not.toContain(secret)
          }
        }
      }
    }
    expect(JSON.stringify(await app.rows())).not.toContain(secret)
    expect(app.log.join('\n')).not.toContain(secret)
  })
})
