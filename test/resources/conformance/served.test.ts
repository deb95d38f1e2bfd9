/** What a check finds serves clients: a request that failed before works after it. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { makeApp, type ClientRequest, type TestApp } from '../../support/app.ts'
import { OWNER, value } from '../../support/dashboard.ts'
import { GOOD_MODEL, playFaultyProvider, type Fault, type FaultyProvider } from '../../support/faulty-provider.ts'

let app: TestApp
let host: FaultyProvider
beforeEach(async () => {
  app = await makeApp({ accounts: {} })
  host = playFaultyProvider()
})
afterEach(async () => {
  await app[Symbol.asyncDispose]()
  host.played.stop()
})

async function connect(): Promise<string> {
  const dialects = [{ dialect: 'openai_chat', base_url: `${host.played.url}/v1` }]
  const models = { models_mode: 'static', models: [{ id: GOOD_MODEL }] }
  await app.owner('POST', '/v1/custom-providers', { slug: 'mine', dialects, allow_private_network: true, ...models })
  const credentials = { api_key: 'sk-mine-0123456789-0123456789' }
  return (await app.owner('POST', '/v1/accounts', { provider: 'mine', credentials })).body.data.id
}

const ask = (body: object): ClientRequest => ({ body: { model: `mine/${GOOD_MODEL}`, max_tokens: 50, ...body } })
const says = (content: string) => ({ messages: [{ role: 'user', content }] })
const WEATHER = { name: 'get_weather', input_schema: { type: 'object', properties: { city: { type: 'string' } } } }

interface Served {
  readonly fault: Fault
  readonly request: object
  /** What a good answer to it has, and no bad one. */
  readonly good: string
}

const SERVED: readonly Served[] = [
  { fault: 'refuses max_completion_tokens', request: says('Hi'), good: '"text":"ready"' },
  { fault: 'refuses stream_options', request: { ...says('Hi'), stream: true }, good: 'message_stop' },
  { fault: 'ends without finish', request: { ...says('Hi'), stream: true }, good: 'message_stop' },
  {
    fault: 'refuses system',
    request: { ...says('Hi'), system: 'Answer with the single word pelican.' },
    good: '"text":"pelican"',
  },
  {
    fault: 'cuts tool names',
    request: { ...says('How is the weather in Paris?'), tools: [WEATHER], stream: true },
    good: '"name":"get_weather"',
  },
  {
    fault: 'spreads over choices',
    request: { ...says('How is the weather in Paris?'), tools: [WEATHER] },
    good: '"name":"get_weather"',
  },
  { fault: 'thinks aloud', request: says('Hi'), good: '"text":"ready"' },
]

for (const { fault, request, good } of SERVED) {
  test(`a request to a host that ${fault} is answered well from the check on`, async () => {
    const accountId = await connect()
    host.have(fault)
    const answered = async () =>
      JSON.stringify((await app.ask('/v1/messages', ask(request))).body).replaceAll('\\"', '"')
    expect(await answered()).not.toContain(good)
    const checked = await app.owner('POST', `/v1/accounts/${accountId}/probe`, { apply: true })
    expect([checked.status, checked.body.data.applied]).toEqual([200, true])
    expect(await answered()).toContain(good)
  })
}

test('a check may take longer than a connection may be silent', async () => {
  const accountId = await connect()
  const { accessToken } = value(await app.app.auth.signIn(OWNER, { requestId: null, address: '127.0.0.1' }))
  const lifted: string[] = []
  const peer = {
    address: '127.0.0.1',
    bodyRead: () => void lifted.push('lifted'),
    answered: () => void lifted.push('back'),
  }
  const call = (method: string, body?: object) =>
    app.app.handle(
      new Request(`http://gateway.test/v1/accounts/${accountId}/probe`, {
        method,
        headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
      peer,
    )
  expect((await call('GET')).status).toBe(200)
  expect(lifted).not.toContain('lifted')
  expect((await call('POST', {})).status).toBe(200)
  expect(lifted.slice(-2)).toEqual(['lifted', 'back'])
})
