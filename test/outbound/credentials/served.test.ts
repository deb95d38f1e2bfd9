import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { makeApp, type TestApp } from '../../support/app.ts'
import { json, silence } from '../../support/plays.ts'
import { anthropicReply } from '../../support/provider-bodies.ts'
import { playProvider, type Play, type Provider } from '../../support/provider.ts'
import { serviceAccountJson } from '../../support/service-account.ts'
import { claimOf, expectedSignature } from '../../support/sigv4.ts'
import { until } from '../../support/until.ts'

/** Requests of clients over accounts whose calls are signed, from the gateway's door to the provider's. */
let app: TestApp
let played: Provider
let tokens: Provider
beforeEach(async () => {
  app = await makeApp({ accounts: {} })
  played = playProvider()
  tokens = playProvider()
})
afterEach(async () => {
  await app[Symbol.asyncDispose]()
  played.stop()
  tokens.stop()
})

async function add(provider: string, account: Record<string, unknown>): Promise<string> {
  const address = { base_url_override: played.url, allow_private_network: true }
  const { status, body } = await app.owner('POST', '/v1/accounts', { provider, ...address, ...account })
  expect(status).toBe(201)
  return body.data.id
}

const vertex = (more: Record<string, unknown> = {}) =>
  add('vertex', { credentials: { service_account: serviceAccountJson(`${tokens.url}/token`) }, ...more })
const token = (value: string) => json({ access_token: value, expires_in: 3_600, token_type: 'Bearer' })
const answer = json(anthropicReply('Hello'))
const ask = (model = 'vertex/claude-opus-5-5') =>
  app.ask('/v1/messages', { body: { model, max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] } })
const statusOf = async (id: string) => (await app.owner('GET', `/v1/accounts/${id}`)).body.data.status
const bearers = () => played.requests.map(({ headers }) => headers['authorization'])

describe('a service account', () => {
  test('serves many requests with one token, and the next hour with another', async () => {
    await vertex()
    tokens.play(token('ya29.first'), token('ya29.second'))
    played.otherwise(answer)
    const first = await Promise.all(Array.from({ length: 8 }, () => ask()))
    expect(first.map(({ status }) => status)).toEqual(first.map(() => 200))
    app.clock.advance(3_600_000)
    expect((await ask()).status).toBe(200)
    expect(bearers()).toEqual([...first.map(() => 'Bearer ya29.first'), 'Bearer ya29.second'])
    expect(tokens.requests.length).toBe(2)
    expect(played.requests[0]?.path).toBe('/models/claude-opus-5-5:rawPredict')
  })

  test('whose token the provider repeats does not give it away', async () => {
    await vertex()
    tokens.play(token('ya29.a-secret-token'))
    played.play(
      json({ type: 'error', error: { type: 'invalid_request_error', message: 'bad ya29.a-secret-token' } }, 400),
    )
    const refused = await ask()
    expect(refused.status).toBe(400)
    expect(JSON.stringify([refused.body, await app.rows(), app.log])).not.toContain('ya29.a-secret-token')
  })

  test('whose key is refused is a bad account, and the next one answers', async () => {
    const id = await vertex({ priority: 0 })
    await vertex({ priority: 1, name: 'spare', credentials: { service_account: spareKey() } })
    tokens.play(json({ error: 'invalid_grant' }, 400), token('ya29.spare'))
    played.play(answer)
    expect((await ask()).status).toBe(200)
    expect([await statusOf(id), bearers()]).toEqual(['auth_error', ['Bearer ya29.spare']])
    const [row] = await app.rows()
    expect(row?.attempts.map(({ class: kind }) => kind)).toEqual(['auth', null])
  })

  test('whose token is refused asks for another as soon as it may be used again', async () => {
    const id = await vertex()
    tokens.play(token('ya29.revoked'))
    played.play(json({ type: 'error', error: { type: 'authentication_error', message: 'no' } }, 401))
    expect([(await ask()).status, await statusOf(id)]).toEqual([502, 'auth_error'])
    await app.owner('PATCH', `/v1/accounts/${id}`, { enabled: false })
    await app.owner('PATCH', `/v1/accounts/${id}`, { enabled: true })
    tokens.play(token('ya29.new'))
    played.play(answer)
    expect([(await ask()).status, bearers().at(-1)]).toEqual([200, 'Bearer ya29.new'])
  })

  const faults: readonly (readonly [what: string, play: Play, status: number, kind: string])[] = [
    ['a fault', json({}, 500), 502, 'server'],
    ['a limit', json({ error: 'slow_down' }, 429), 502, 'server'],
  ]
  for (const [what, play, status, kind] of faults) {
    test(`keeps its standing through ${what} of the endpoint for tokens`, async () => {
      const id = await vertex()
      tokens.play(play)
      expect((await ask()).status).toBe(status)
      const [row] = await app.rows()
      expect([await statusOf(id), row?.error_class, played.requests.length]).toEqual(['untested', kind, 0])
    })
  }

  test('that waits for a token too long is given up in time, although the exchange goes on', async () => {
    await vertex()
    tokens.play(silence)
    const waiting = ask()
    await tokens.request(0)
    let isAnswered = false
    void waiting.then(() => (isAnswered = true))
    await until(() => {
      app.clock.advance(1_000)
      return isAnswered
    }, 'the end of the wait')
    expect([(await waiting).status, played.requests.length]).toEqual([504, 0])
  })
})

test("Google's key goes into Google's header, and clients of every dialect reach its own format", async () => {
  const key = 'AIza-0123456789-0123456789'
  await add('google', { credentials: { api_key: key } })
  await ask('google/gemini-2.5-flash')
  await app.ask('/v1/chat/completions', {
    body: { model: 'google/gemini-2.5-flash', messages: [{ role: 'user', content: 'Hi' }] },
  })
  expect(played.requests).toHaveLength(2)
  for (const { headers, path } of played.requests) {
    expect([headers['x-goog-api-key'], headers['authorization']]).toEqual([key, undefined])
    expect(path).toContain('gemini-2.5-flash:generateContent')
  }
})

function spareKey(): string {
  return serviceAccountJson(`${tokens.url}/token`, { client_email: 'spare@project-1.iam.gserviceaccount.com' })
}

test('Bedrock gets a signature over the very bytes that it gets', async () => {
  const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
  const credentials = { region: 'eu-west-1', access_key_id: 'AKIDEXAMPLE0123456', secret_access_key: secret }
  await add('bedrock', { auth_type: 'sigv4', credentials })
  played.play(json({ message: 'too many tokens' }, 429))
  await ask('bedrock/global.anthropic.claude-haiku-4-5-20251001-v1:0')
  const [request] = played.requests
  if (request === undefined) throw new Error('nothing was sent')
  expect(request.path).toBe('/model/global.anthropic.claude-haiku-4-5-20251001-v1%3A0/invoke')
  const claim = claimOf(request)
  expect(claim).toMatchObject({ accessKeyId: 'AKIDEXAMPLE0123456', region: 'eu-west-1', service: 'bedrock' })
  expect(claim.signature).toBe(expectedSignature(request, claim, secret))
})
