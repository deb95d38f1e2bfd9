/**
 * Every client's dialect × every provider's × streamed or plain × what may happen, through the whole gateway. A cell that cannot
 * exist says why in `mouths.ts` or `vendors.ts`, and is then tested for being refused with the field named.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../src/core/json.ts'
import { inputTokens } from '../../src/core/usage.ts'
import type { ChatReply } from '../../src/dialects/neutral.ts'
import { CLIENTS, UPSTREAMS } from '../dialects/samples/index.ts'
import { PNG, type ClientSample, type UpstreamSample } from '../dialects/samples/sample.ts'
import { makeApp, type TestApp } from '../support/app.ts'
import { playProvider, type Provider } from '../support/provider.ts'
import { until } from '../support/until.ts'
import { MOUTHS, PDF, type Mouth, type Wish } from './mouths.ts'
import { SCENARIOS, type Scenario } from './scenarios.ts'
import { factsOf, play, told, type VendorFacts } from './vendors.ts'

/** Longer than failures count together here, and than the ledger takes. */
const FORGOTTEN_MS = 1_100

interface Cell {
  readonly mouth: Mouth
  readonly client: ClientSample
  readonly vendor: UpstreamSample
  readonly facts: VendorFacts
  readonly scenario: Scenario
  readonly streams: boolean
}

const providers = new Map<string, Provider>()
let app: TestApp

beforeAll(async () => {
  app = await makeApp({ accounts: {}, settings: { resilience: { circuit: { window_s: 1 } } } })
  for (const { id } of UPSTREAMS) providers.set(id, await addProvider(id, factsOf(id)))
})

afterAll(async () => {
  for (const provider of providers.values()) provider.stop()
  await app[Symbol.asyncDispose]()
})

for (const client of CLIENTS) {
  const mouth = MOUTHS.find(({ id }) => id === client.id)
  if (mouth === undefined) throw new Error(`the matrix does not know what clients of ${client.id} send`)
  for (const vendor of UPSTREAMS) {
    describe(`${mouth.id} → ${vendor.id}`, () => {
      const facts = factsOf(vendor.id)
      for (const scenario of SCENARIOS) {
        for (const streams of [true, false]) addCell({ mouth, client, vendor, facts, scenario, streams })
      }
    })
  }
}

function addCell(cell: Cell): void {
  const { mouth, facts, scenario, streams } = cell
  const name = `${scenario.name}, ${streams ? 'streamed' : 'plain'}`
  const unsayable = wished(scenario)
    .map((wish) => mouth.unsayable[wish])
    .find((why) => why !== undefined)
  if (unsayable !== undefined) return
  const refused = wished(scenario)
    .map((wish) => facts.refuses[wish])
    .find((why) => why !== undefined)
  if (refused !== undefined) test(`${name}: refused, since ${refused}`, () => checkRefused(cell))
  else if (scenario.fails !== undefined) test(name, () => checkFailure(cell))
  else test(name, () => checkAnswer(cell))
}

function wished({ wish }: Scenario): readonly (keyof Scenario['wish'])[] {
  return Object.keys(wish) as (keyof Scenario['wish'])[]
}

async function addProvider(id: string, { wireName, base, model }: VendorFacts): Promise<Provider> {
  const provider = playProvider()
  const slug = `at-${id}`
  const described = await app.owner('POST', '/v1/custom-providers', {
    slug,
    dialects: [{ dialect: wireName, base_url: provider.url + base }],
    auth_scheme: 'none',
    allow_private_network: true,
    models_mode: 'static',
    models: [{ id: model, capabilities: { thinking: 'effort', efforts: ['low', 'high'] } }],
  })
  expect(described.status).toBe(201)
  expect((await app.owner('POST', '/v1/accounts', { provider: slug, name: slug })).status).toBe(201)
  return provider
}

interface Asked {
  readonly status: number
  readonly body: Uint8Array
  readonly written: unknown
  /** What the provider was sent; undefined when it was not asked. */
  readonly sent: string | undefined
  readonly dropped: string | null
}

async function ask({ mouth, vendor, facts, scenario, streams }: Cell): Promise<Asked> {
  const provider = providers.get(vendor.id)
  if (provider === undefined) throw new Error(`${vendor.id} is not played`)
  const before = provider.requests.length
  provider.otherwise(play(vendor, facts, scenario, streams))
  const model = `at-${vendor.id}/${facts.model}`
  const response = await app.request(mouth.path(model, streams), { body: mouth.body(scenario.wish, model, streams) })
  const body = await response.bytes()
  const dropped = response.headers.get('x-gateway-dropped')
  const sent = provider.requests[before]?.text()
  return { status: response.status, body, written: await lastStatus(), sent, dropped }
}

/** How the request log says that the last request ended. */
async function lastStatus(): Promise<unknown> {
  await until(() => app.app.inFlight() === 0, 'the end of the request')
  // The row is written, and what failed is forgotten before it is one failure too many.
  app.clock.advance(FORGOTTEN_MS)
  return (await app.owner('GET', '/v1/usage/requests?limit=1')).body.data[0].status
}

/** Text, calls and reasoning as the client hears them are those that the provider said, as far as both formats carry them. */
async function checkAnswer(cell: Cell): Promise<void> {
  const { client, vendor, facts, mouth, scenario, streams } = cell
  const { status, body, written, sent, dropped } = await ask(cell)
  const text = Buffer.from(body).toString('utf8')
  expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' })
  const { ears } = client.client
  const heard = streams ? ears.stream(body) : ears.plain(JSON.parse(text) as JsonObject)
  const expected = client.carried(told(vendor, facts, mouth, scenario.says))
  expect(essence(heard)).toEqual(essence(expected))
  expect(written).toBe('ok')
  for (const [wish, mark] of Object.entries(marks(scenario.wish))) {
    if (wish in facts.leavesOut) expect(dropped).not.toBeNull()
    else expect(sent).toContain(mark)
  }
}

async function checkRefused(cell: Cell): Promise<void> {
  const { status, body, sent } = await ask(cell)
  expect({ status, sent }).toEqual({ status: 400, sent: undefined })
  expect(messageOf(JSON.parse(Buffer.from(body).toString('utf8')))).not.toBe('')
}

async function checkFailure(cell: Cell): Promise<void> {
  const { client, scenario, streams } = cell
  const { status, body, written } = await ask(cell)
  const text = Buffer.from(body).toString('utf8')
  const isInside = streams && scenario.fails !== 'before'
  expect(written).toBe(isInside ? 'cut' : 'error')
  if (isInside) expect(() => client.client.ears.stream(body)).toThrow()
  else {
    expect(status).toBe(502)
    expect(messageOf(JSON.parse(text))).not.toBe('')
  }
}

/** What a provider must find in its request for a wish. */
function marks({ image, document, stop }: Wish): Readonly<Record<string, string>> {
  return {
    ...(image === undefined ? {} : { image: PNG }),
    ...(document === undefined ? {} : { document: PDF }),
    ...(stop === undefined ? {} : { stop }),
  }
}

/** The message in any of the envelopes. */
function messageOf(body: { error: string | { message: string } }): string {
  return typeof body.error === 'string' ? body.error : body.error.message
}

function essence({ parts, finish, usage }: ChatReply): object {
  const joined = (type: 'text' | 'reasoning' | 'refusal') =>
    parts.map((part) => (part.type === type ? part.text : '')).join('')
  return {
    text: joined('text') + joined('refusal'),
    reasoning: joined('reasoning'),
    calls: parts.flatMap((part) =>
      part.type === 'tool-call' ? [[part.name, JSON.parse(part.argumentsText || '{}')]] : [],
    ),
    reason: finish.reason,
    input: inputTokens(usage),
    output: usage.output,
  }
}
