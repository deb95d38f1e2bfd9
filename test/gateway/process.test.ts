/** The program as a process, started from its sources: what a signal leaves of the requests under way and of their records. */
import { describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { COMMIT_MS } from '../../src/ledger/writer.ts'
import type { GatewayProcess } from '../support/gateway-process.ts'
import { Operator } from '../support/operator.ts'
import { json, stream } from '../support/plays.ts'
import { type Play, playProvider, type Provider } from '../support/provider.ts'
import { until } from '../support/until.ts'
import { CHAT, type Client, MESSAGES, readStream, RESPONSES, type Streamed } from './clients.ts'
import { MAIN, makeProcesses } from './processes.ts'
import { ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES, type Speaker } from './upstreams.ts'

const TEST_MS_MAX = 30_000
/** Beyond the writer's own time: how long a timer may be late on a busy machine. */
const LATE_MS = 60

const ROUTES: readonly (readonly [Client, Speaker])[] = [
  [MESSAGES, ANTHROPIC],
  [CHAT, OPENAI_CHAT],
  [RESPONSES, OPENAI_RESPONSES],
]

interface Row {
  readonly id: string
  readonly status: string
  readonly error_class: string | null
}

interface Installation extends Disposable {
  readonly dataDir: string
  readonly gateway: GatewayProcess
  readonly operator: Operator
  readonly secret: string
  readonly played: Provider
}

const { newFolder, start } = makeProcesses()

/** A gateway with an owner, a key, and one played provider behind all accounts. */
async function install(settings: object = {}): Promise<Installation> {
  const dataDir = newFolder()
  const gateway = await start(dataDir)
  const operator = await Operator.setUp(gateway.url, gateway.setupToken ?? '')
  const played = playProvider()
  for (const provider of ['anthropic', 'openai']) {
    const account = { provider, credentials: { api_key: `sk-upstream-${provider}-0123456789` } }
    const address = { base_url_override: `${played.url}/v1`, allow_private_network: true }
    await operator.create('/v1/accounts', { ...account, ...address })
  }
  await operator.change('/v1/settings', settings)
  const { secret } = await operator.create('/v1/keys', { name: 'client' })
  return { dataDir, gateway, operator, secret, played, [Symbol.dispose]: () => played.stop() }
}

function ask(
  { gateway, secret }: Installation,
  client: Client,
  speaker: Speaker,
  more: object = {},
): Promise<Response> {
  return fetch(`${gateway.url}${client.path}`, {
    method: 'POST',
    headers: { 'x-api-key': secret },
    body: JSON.stringify(client.body(speaker.model, 'hello', more)),
  })
}

/** Streams to the end. */
async function streamed(at: Installation, client: Client, speaker: Speaker): Promise<Streamed> {
  return readStream(await (await ask(at, client, speaker, { stream: true })).text())
}

/** Streams of all dialects, each played by `playOf`, once all of them are on record. */
async function underWay(at: Installation, playOf: (speaker: Speaker) => Play): Promise<readonly Promise<Streamed>[]> {
  const ends: Promise<Streamed>[] = []
  for (const [client, speaker] of ROUTES) {
    at.played.play(playOf(speaker))
    ends.push(streamed(at, client, speaker))
    await at.played.request(ends.length - 1)
  }
  await until(async () => (await rowsOf(at.operator)).length === ROUTES.length, 'a row for each stream')
  return ends
}

/** The events of a text in two parts, cut between them. */
function halves(speaker: Speaker): readonly [before: readonly string[], after: readonly string[]] {
  const events = speaker.stream(['One ', 'two.'])
  const cut = events.findIndex((event) => event.includes('two.'))
  return [events.slice(0, cut), events.slice(cut)]
}

async function rowsOf(operator: Operator): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (;;) {
    const page = await operator.read<Row[]>(`/v1/usage/requests?limit=100&offset=${rows.length}`)
    rows.push(...page)
    if (page.length < 100) return rows
  }
}

describe('SIGTERM', () => {
  test(
    'lets streams finish, whatever dialect they speak, and ends with 0',
    async () => {
      using at = await install()
      const rest = Promise.withResolvers<void>()
      const ends = await underWay(at, (speaker) => {
        const [before, after] = halves(speaker)
        return stream([...before, rest.promise, ...after])
      })
      at.gateway.signal('SIGTERM')
      await until(() => refused(at.gateway.url), 'the refusal of new work')
      rest.resolve()
      for (const end of ends) expect(await end).toMatchObject({ text: 'One two.', ended: true, error: undefined })
      expect(await at.gateway.exited).toBe(0)
      const gateway = await start(at.dataDir)
      expect((await rowsOf(at.operator.movedTo(gateway.url))).map(({ status }) => status)).toEqual(['ok', 'ok', 'ok'])
      gateway.signal('SIGTERM')
      expect(await gateway.exited).toBe(0)
    },
    TEST_MS_MAX,
  )

  test(
    'ends streams that outlast the grace with an error event in their own dialect, on record',
    async () => {
      using at = await install({ server: { shutdown_grace_s: 1 } })
      const ends = await underWay(at, (speaker) => stream([...halves(speaker)[0], 'silence']))
      at.gateway.signal('SIGTERM')
      const [messages, chat, responses] = await Promise.all(ends)
      expect(messages).toMatchObject({ text: 'One ', ended: false, error: { type: 'overloaded_error' } })
      expect(chat).toMatchObject({ text: 'One ', ended: false, error: { type: 'server_error', code: 'overloaded' } })
      expect(responses).toMatchObject({ text: 'One ', ended: false, error: { code: 'overloaded' } })
      expect(await at.gateway.exited).toBe(0)
      const gateway = await start(at.dataDir)
      const rows = await rowsOf(at.operator.movedTo(gateway.url))
      expect(rows.map(({ status, error_class }) => `${status} ${error_class}`)).toEqual(Array(3).fill('cut draining'))
      gateway.signal('SIGKILL')
    },
    TEST_MS_MAX,
  )

  test(
    'does not wait for connections on which nothing happens',
    async () => {
      using at = await install()
      const idle = await idleConnection(at.gateway.url)
      const beganMs = performance.now()
      at.gateway.signal('SIGTERM')
      expect(await at.gateway.exited).toBe(0)
      expect(performance.now() - beganMs).toBeLessThan(5_000)
      idle.destroy()
    },
    TEST_MS_MAX,
  )
})

test(
  'SIGKILL under load loses the last moment at most, and what was open is closed at the next start',
  async () => {
    using at = await install()
    at.played.otherwise((stage) => {
      const isOpen = stage.request.text().includes('"stream":true')
      const play = isOpen ? stream([...ANTHROPIC.stream(['One ']).slice(0, 4), 'silence']) : json(ANTHROPIC.reply('hi'))
      return play(stage)
    })
    const open = await Promise.all(Array.from({ length: 5 }, () => ask(at, MESSAGES, ANTHROPIC, { stream: true })))
    const answered: { readonly id: string; readonly atMs: number }[] = []
    const load = { goesOn: true }
    const clients = Array.from({ length: 8 }, async () => {
      while (load.goesOn) {
        const response = await ask(at, MESSAGES, ANTHROPIC)
        await response.arrayBuffer()
        answered.push({ id: response.headers.get('x-request-id') ?? '', atMs: performance.now() })
      }
    })
    await until(() => answered.length > 400 && isOld(answered[50]?.atMs), 'some load')
    const killedMs = performance.now()
    at.gateway.signal('SIGKILL')
    load.goesOn = false
    await Promise.allSettled(clients)
    await at.gateway.exited

    const gateway = await start(at.dataDir)
    const rows = await rowsOf(at.operator.movedTo(gateway.url))
    const statusOf = new Map(rows.map(({ id, status }) => [id, status]))
    const settled = answered.filter(({ atMs }) => atMs < killedMs - COMMIT_MS - LATE_MS)
    expect(settled.length).toBeGreaterThan(50)
    expect(settled.filter(({ id }) => statusOf.get(id) !== 'ok')).toEqual([])
    const ids = open.map((response) => response.headers.get('x-request-id') ?? '')
    expect(ids.map((id) => statusOf.get(id))).toEqual(Array(5).fill('interrupted'))
    expect(rows.filter(({ status }) => status === 'open')).toEqual([])
    gateway.signal('SIGKILL')
  },
  TEST_MS_MAX,
)

test(
  'a second instance on the same data folder ends with 3 and says why',
  async () => {
    using at = await install()
    const second = Bun.spawn([process.execPath, MAIN, 'serve', '--port', '0', '--data-dir', at.dataDir], {
      env: {},
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    expect(await second.exited).toBe(3)
    expect(await second.stderr.text()).toContain('another instance')
    expect((await fetch(`${at.gateway.url}/health`)).status).toBe(200)
  },
  TEST_MS_MAX,
)

/** Old enough to be on disk, by all that the writer promises. */
function isOld(atMs = Infinity): boolean {
  return performance.now() - atMs > 3 * (COMMIT_MS + LATE_MS)
}

async function refused(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`, { keepalive: false })).status === 503
  } catch {
    return true // nobody listens any more
  }
}

/** A connection that has been answered once and is kept open. */
async function idleConnection(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(`GET /health HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`)
  await new Promise((resolve) => socket.once('data', resolve))
  return socket
}
