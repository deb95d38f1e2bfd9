/**
 * The program killed without warning while requests of a strict budget are in every state: what the counters say afterwards is the sum
 * of the rows, and never less than what the provider has counted. And many requests at once, of which only some fit.
 */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { makeApp } from '../support/app.ts'
import { Operator } from '../support/operator.ts'
import { after, json, stream } from '../support/plays.ts'
import { type Play, type PlayedRequest, playProvider, type Provider } from '../support/provider.ts'
import { until } from '../support/until.ts'
import { MESSAGES, question } from './clients.ts'
import { makeProcesses } from './processes.ts'
import { ANTHROPIC } from './upstreams.ts'

const TEST_MS_MAX = 90_000
const CHARACTERS_PER_TOKEN = 4

const { newFolder, start } = makeProcesses()

/** Counts as a provider bills: the whole prompt that it has read, and all that it may say unless it said less. */
class Bill {
  tokens = 0
  readonly #played: Provider

  constructor(played: Provider) {
    this.#played = played
  }

  /** How many requests have arrived. */
  get requests(): number {
    return this.#played.requests.length
  }

  /** Answers with so many tokens and bills those. */
  answering(outputTokens: number, play: (told: { inputTokens: number; outputTokens: number }) => Play): Play {
    return (stage) => {
      const inputTokens = promptOf(stage.request)
      this.tokens += inputTokens + outputTokens
      return play({ inputTokens, outputTokens })(stage)
    }
  }

  /** Never ends its answer, and bills it as long as it may get. */
  endless(play: Play): Play {
    return (stage) => {
      const { max_tokens } = stage.request.json<{ max_tokens: number }>()
      this.tokens += promptOf(stage.request) + max_tokens
      return play(stage)
    }
  }
}

function promptOf({ body }: PlayedRequest): number {
  return Math.ceil(body.length / CHARACTERS_PER_TOKEN)
}

const never = new Promise<never>(() => undefined)
const plain = (told: object): Play => json(ANTHROPIC.reply('hi', told))

/** Requests in all states in which a kill can meet them. */
function statesOf(bill: Bill, moment: Promise<unknown>): readonly (readonly [body: object, play: Play])[] {
  const events = ANTHROPIC.stream(['One ', 'two.'], { outputTokens: 9 })
  return [
    [{}, bill.answering(7, plain)],
    [{}, bill.endless(() => undefined)],
    [{ stream: true }, bill.answering(9, (told) => stream(ANTHROPIC.stream(['One ', 'two.'], told)))],
    [{ stream: true }, bill.endless(stream([...events.slice(0, 4), never]))],
    [{ stream: true }, bill.endless(stream([...events.slice(0, 2), never]))],
    [{}, bill.answering(11, (told) => after(moment, plain(told)))],
  ]
}

interface Sums {
  readonly cost_nano: number
  readonly tokens: number
  readonly requests: number
}

function read(dataDir: string, sql: string): Sums {
  const database = new Database(join(dataDir, 'telemetry.sqlite'), { readonly: true })
  const row = database.query<Sums, []>(sql).get()
  database.close()
  return row ?? { cost_nano: 0, tokens: 0, requests: 0 }
}

const ROWS = `SELECT sum(cost_nano) AS cost_nano, sum(state <> 'released') AS requests,
  sum(input_uncached + cache_read + cache_write_5m + cache_write_1h + output) AS tokens FROM attempts`
const COUNTERS =
  'SELECT sum(cost_nano) AS cost_nano, sum(requests) AS requests, sum(tokens) AS tokens FROM spend_counters'

test(
  'after kills at any moment the counter is the sum of its rows, and no less than the provider has counted',
  async () => {
    const dataDir = newFolder()
    let gateway = await start(dataDir)
    let operator = await Operator.setUp(gateway.url, gateway.setupToken ?? '')
    const played = playProvider()
    const bill = new Bill(played)
    const address = { base_url_override: `${played.url}/v1`, allow_private_network: true }
    await operator.create('/v1/accounts', {
      provider: 'anthropic',
      credentials: { api_key: 'sk-ant-0123456789ab' },
      ...address,
    })
    const { secret } = await operator.create('/v1/keys', { name: 'client' })
    await operator.create('/v1/budgets', { name: 'Team', amount_usd: 100, period: 'total', reserve: 'strict' })

    /** `answered`: the kill comes with the first answer; otherwise so many turns of this process after the first arrival. */
    const kill = async (when: 'answered' | number): Promise<void> => {
      const moment = Promise.withResolvers<void>()
      const states = statesOf(bill, moment.promise)
      const first = Promise.withResolvers<void>()
      const before = bill.requests
      for (const [more, play] of states) {
        played.play(play)
        const body = JSON.stringify(MESSAGES.body(ANTHROPIC.model, 'hello', { max_tokens: 50, ...more }))
        const init = { method: 'POST', headers: { 'x-api-key': secret }, body }
        void fetch(`${gateway.url}${MESSAGES.path}`, init).then(
          () => first.resolve(),
          () => first.resolve(),
        )
      }
      if (when === 'answered') await first.promise
      else await until(() => bill.requests - before >= when, 'the requests at the provider')
      moment.resolve()
      gateway.signal('SIGKILL')
      await gateway.exited
      gateway = await start(dataDir)
      operator = operator.movedTo(gateway.url)
    }

    for (const when of ['answered', 0, 1, 3, 6, 'answered'] as const) await kill(when)

    const [budget] =
      await operator.read<{ status: { spent: { tokens: number }; reserved: { tokens: number } } }[]>('/v1/budgets')
    gateway.signal('SIGTERM')
    await gateway.exited
    played.stop()
    const [rows, counters] = [read(dataDir, ROWS), read(dataDir, COUNTERS)]
    expect(counters).toEqual(rows)
    expect(budget?.status).toMatchObject({ spent: { tokens: rows.tokens }, reserved: { tokens: 0 } })
    expect(bill.requests).toBeGreaterThan(10)
    expect(rows.tokens).toBeGreaterThanOrEqual(bill.tokens)
  },
  TEST_MS_MAX,
)

test('of two hundred requests at once, exactly those are let through that fit a strict budget', async () => {
  await using app = await makeApp({ accounts: { anthropic: 1 } })
  const gate = Promise.withResolvers<void>()
  const { played } = app.upstream('anthropic')
  played.otherwise(after(gate.promise, json(ANTHROPIC.reply('hi', { inputTokens: 1, outputTokens: 1 }))))
  // What one of them reserves: measured, so that the test does not repeat the arithmetic.
  const probe = await app.owner('POST', '/v1/budgets', { name: 'Probe', amount_usd: 1_000, reserve: 'strict' })
  const ask = () => app.ask(MESSAGES.path, question(MESSAGES, ANTHROPIC.model, { max_tokens: 100 }))
  const first = ask()
  await played.request(0)
  const { reserved } = (await app.owner('GET', `/v1/budgets/${probe.body.data.id}`)).body.data.status
  const amount_usd = reserved.cost_usd * 50
  await app.owner('POST', '/v1/budgets', { name: 'Fifty', amount_usd, reserve: 'strict' })
  const others = Array.from({ length: 199 }, ask)
  await until(() => played.requests.length === 50, 'fifty requests at the provider')
  const refused = await Promise.all(others.slice(49))
  gate.resolve()
  const answered = await Promise.all([first, ...others.slice(0, 49)])
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]))
  expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([200]))
  expect(played.requests).toHaveLength(50)
})
