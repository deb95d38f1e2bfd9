/**
 * The executable alone: copied into an empty folder, without Bun, the sources or an environment. Not part of `bun run test`;
 * `bun run verify` builds it and then runs this.
 */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RawClient } from '../scripts/bench/raw-client.ts'
import { build } from '../scripts/build.ts'
import { type GatewayProcess, startGateway } from './support/gateway-process.ts'
import { type Created, Operator } from './support/operator.ts'
import { stream } from './support/plays.ts'
import { playProvider, type Provider } from './support/provider.ts'

const BUILT = join(import.meta.dir, '..', 'dist', 'signalbox')
const PLACE = mkdtempSync(join(tmpdir(), 'signalbox-binary-'))
const EXECUTABLE = join(PLACE, 'signalbox')
const DATA = join(PLACE, 'data')
/** Rows are on disk well within this. */
const LEDGER_MS = 200

interface Finished {
  readonly code: number
  readonly out: string
  readonly error: string
}

interface RequestRow {
  readonly endpoint: string
  readonly model_asked: string
  readonly status: string
}

/** Runs to the end, in the hostile folder, with nothing on standard input unless given. */
async function run(args: readonly string[], input = ''): Promise<Finished> {
  const child = Bun.spawn([EXECUTABLE, ...args], {
    cwd: PLACE,
    env: { HOME: PLACE },
    stdin: Buffer.from(input),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, error, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, out, error }
}

function start(): Promise<GatewayProcess> {
  return startGateway({ executable: [EXECUTABLE], dataDir: DATA, workingDir: PLACE })
}

function stopped(gateway: GatewayProcess): Promise<number> {
  gateway.signal('SIGTERM')
  return gateway.exited
}

function ask(gateway: GatewayProcess, path: string, secret: string, body: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  return fetch(`${gateway.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** The bodies of both chat dialects, alike enough for an echo. */
function question(model: string, text: string) {
  return { model, max_tokens: 100, stream: true, messages: [{ role: 'user', content: text }] }
}

beforeAll(async () => {
  if (!existsSync(BUILT)) await build(BUILT)
  copyFileSync(BUILT, EXECUTABLE)
  mkdirSync(DATA, { mode: 0o700 })
  // All of this belongs to somebody else: an executable that read it would fail every test below.
  writeFileSync(join(PLACE, '.env'), 'SIGNALBOX_HOST=192.0.2.1\nBUN_CONFIG_MAX_HTTP_REQUESTS=1\n')
  writeFileSync(join(PLACE, 'bunfig.toml'), 'preload = ["./hostile.ts"]\n')
  writeFileSync(join(PLACE, 'hostile.ts'), 'process.exit(77)\n')
  writeFileSync(join(PLACE, 'package.json'), '{"name": "hostile", "type": "commonjs"}')
}, 120_000)

afterAll(() => rmSync(PLACE, { recursive: true, force: true }))

describe('from nothing to an answer', () => {
  let gateway: GatewayProcess
  let secret: string

  beforeAll(async () => {
    gateway = await start()
    const operator = await Operator.setUp(gateway.url, gateway.setupToken ?? '')
    secret = (await operator.create('/v1/keys', { name: 'first' })).secret
  })

  afterAll(() => gateway.signal('SIGKILL'))

  test('health is open to all, the rest is not', async () => {
    expect(await (await fetch(`${gateway.url}/health`)).json()).toMatchObject({ status: 'ok' })
    expect((await fetch(`${gateway.url}/v1/keys`)).status).toBe(401)
  })

  test('the owner’s password is kept as a hash of full cost', () => {
    using config = new Database(join(DATA, 'config.sqlite'), { readonly: true })
    expect(config.query('SELECT password_hash FROM users').values()).toEqual([
      [expect.stringContaining('$argon2id$v=19$m=32768,t=2,')],
    ])
  })

  test('a Messages client streams an answer', async () => {
    const answer = await ask(gateway, '/v1/messages', secret, question('demo/echo', 'what a nice day'))
    const text = await answer.text()
    expect(answer.status).toBe(200)
    expect(text).toContain('event: message_start')
    expect(text).toContain('" nice"')
    expect(text.trimEnd()).toEndWith('data: {"type":"message_stop"}')
  })

  test('a Chat Completions client streams an answer', async () => {
    const answer = await ask(gateway, '/v1/chat/completions', secret, question('demo/echo', 'what a nice day'))
    const text = await answer.text()
    expect(text).toContain('chat.completion.chunk')
    expect(text).toContain('" nice"')
    expect(text.trimEnd()).toEndWith('data: [DONE]')
  })

  test('the folder is taken: a second gateway, and a command that needs it, end with 3', async () => {
    const second = await run(['serve', '--port', '0', '--data-dir', DATA])
    expect(second).toMatchObject({ code: 3 })
    expect(second.error).toContain('another instance')
    expect(await run(['key', 'create', '--name', 'x', '--data-dir', DATA])).toMatchObject({ code: 3 })
  })

  test('SIGTERM lets an open stream finish, refuses new work, and ends with 0', async () => {
    const rest = Promise.withResolvers<void>()
    const provider = playProvider([stream([chatChunk('first '), rest.promise, chatChunk('last'), 'data: [DONE]\n\n'])])
    const operator = await Operator.signIn(gateway.url)
    await operator.create('/v1/accounts', localAccount(`${provider.url}/v1`))
    const answer = await ask(gateway, '/v1/chat/completions', secret, question('vllm/slow', 'hello'))
    const reader = answer.body?.getReader()
    const begin = await reader?.read()
    gateway.signal('SIGTERM')
    await refusesConnections(gateway.url)
    rest.resolve()
    const text = Buffer.from(begin?.value ?? []).toString() + (await textOf(reader))
    provider.stop()
    expect(text).toContain('first ')
    expect(text).toContain('last')
    expect(text.trimEnd()).toEndWith('data: [DONE]')
    expect(await gateway.exited).toBe(0)
  })

  test('hundreds of streams flow at once: none waits for another', async () => {
    const rest = Promise.withResolvers<void>()
    const provider = playProvider()
    provider.otherwise(stream([chatChunk('first '), rest.promise, chatChunk('last'), 'data: [DONE]\n\n']))
    gateway = await start()
    const operator = await Operator.signIn(gateway.url)
    await operator.create('/v1/accounts', { ...localAccount(`${provider.url}/v1`), provider: 'lmstudio' })
    const { hostname: host, port } = new URL(gateway.url)
    const clients = await Promise.all(
      Array.from({ length: 600 }, () => RawClient.connect({ host, port: Number(port) })),
    )
    const begun = clients.map(() => Promise.withResolvers<void>())
    const request = rawQuestion('lmstudio/slow', secret)
    const replies = clients.map((client, index) => client.send(request, () => begun[index]?.resolve()))
    await Promise.all(begun.map(({ promise }) => promise))
    rest.resolve()
    const statuses = new Set((await Promise.all(replies)).map(({ status }) => status))
    for (const client of clients) client.close()
    provider.stop()
    expect([...statuses]).toEqual([200])
    expect(await stopped(gateway)).toBe(0)
  })

  test('what was used is on record after a restart, and the owner is known', async () => {
    gateway = await start()
    expect(gateway.setupToken).toBeUndefined()
    const operator = await Operator.signIn(gateway.url)
    const { requests } = await operator.read<{ requests: number }>('/v1/usage?range=24h')
    const [last] = await operator.read<RequestRow[]>('/v1/usage/requests')
    expect(requests).toBe(603)
    expect(last).toMatchObject({ model_asked: 'lmstudio/slow', status: 'ok' })
    expect(await stopped(gateway)).toBe(0)
  })

  test('after SIGKILL the request that was under way counts as interrupted', async () => {
    const { answer, provider } = await neverEnding()
    await answer.body?.getReader().read()
    await Bun.sleep(LEDGER_MS)
    gateway.signal('SIGKILL')
    await gateway.exited
    provider.stop()
    gateway = await start()
    const [last] = await (await Operator.signIn(gateway.url)).read<RequestRow[]>('/v1/usage/requests')
    expect(last).toMatchObject({ model_asked: 'ollama/slow', status: 'interrupted' })
    expect(await stopped(gateway)).toBe(0)
  })

  test('a second signal does not wait', async () => {
    const { answer, provider } = await neverEnding()
    await answer.body?.getReader().read()
    gateway.signal('SIGTERM')
    await refusesConnections(gateway.url)
    gateway.signal('SIGTERM')
    expect(await gateway.exited).toBe(1)
    provider.stop()
  })

  /** A gateway with one stream open that nobody will end. */
  async function neverEnding(): Promise<{ answer: Response; provider: Provider }> {
    const provider = playProvider([stream([chatChunk('first '), 'silence'])])
    gateway = await start()
    const operator = await Operator.signIn(gateway.url)
    const account = { ...localAccount(`${provider.url}/v1`), provider: 'ollama', name: provider.url }
    for (const { id } of await operator.read<Created[]>('/v1/accounts?provider=ollama'))
      await operator.remove(`/v1/accounts/${id}`)
    await operator.create('/v1/accounts', account)
    const answer = await ask(gateway, '/v1/chat/completions', secret, question('ollama/slow', 'hello'))
    return { answer, provider }
  }
})

describe('the command line', () => {
  test('an unknown flag ends with 2 and one line that names it', async () => {
    const { code, out, error } = await run(['serve', '--prot', '1'])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(error.trim().split('\n')).toEqual([expect.stringContaining('--prot')])
  })

  test('version and doctor answer as JSON', async () => {
    expect(JSON.parse((await run(['version', '--json'])).out)).toMatchObject({ bun: Bun.version })
    const doctor = await run(['doctor', '--json', '--data-dir', DATA, '--port', '0'])
    expect(JSON.parse(doctor.out)).toMatchObject({ ok: true })
    expect(doctor.code).toBe(0)
  })

  test('a user is created with a password from a pipe, and listed', async () => {
    const created = await run(['user', 'create', '--email', 'Second@signalbox.example', '--data-dir', DATA], PASSWORD)
    expect(created).toMatchObject({ code: 0 })
    const listed = await run(['user', 'list', '--json', '--data-dir', DATA])
    expect(JSON.parse(listed.out)).toMatchObject([{ role: 'owner' }, { email: 'second@signalbox.example' }])
  })

  test('a key that it creates opens the gateway', async () => {
    const { out } = await run(['key', 'create', '--name', 'from the shell', '--data-dir', DATA])
    const gateway = await start()
    const answer = await ask(gateway, '/v1/messages', out.trim(), question('demo/echo', 'hello'))
    expect(answer.status).toBe(200)
    await answer.text()
    expect(await stopped(gateway)).toBe(0)
  })

  test('runtime options left in the environment are dropped with one warning', async () => {
    const gateway = await startGateway({
      executable: [EXECUTABLE],
      dataDir: DATA,
      workingDir: PLACE,
      env: { BUN_OPTIONS: '--smol', NODE_OPTIONS: '--no-warnings' },
    })
    expect(await stopped(gateway)).toBe(0)
    expect(gateway.output().match(/ignored/g)).toHaveLength(1)
  })
})

const PASSWORD = 'another long passphrase\n'

/** For a client without the ceiling that `fetch` has in tests. */
function rawQuestion(model: string, secret: string): Uint8Array {
  const body = JSON.stringify(question(model, 'hello'))
  const head = ['POST /v1/chat/completions HTTP/1.1', 'host: localhost', `authorization: Bearer ${secret}`]
  return Buffer.from(`${head.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
}

function localAccount(baseUrl: string) {
  return { provider: 'vllm', name: 'slow', base_url_override: baseUrl, allow_private_network: true, credentials: {} }
}

function chatChunk(text: string): string {
  const chunk = {
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'slow',
    choices: [{ index: 0, delta: { content: text }, finish_reason: text === 'last' ? 'stop' : null }],
  }
  return `data: ${JSON.stringify(chunk)}\n\n`
}

async function textOf(reader: { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }> } | undefined) {
  const pieces: Uint8Array[] = []
  for (;;) {
    const piece = await reader?.read()
    if (piece?.value === undefined) return Buffer.concat(pieces).toString()
    pieces.push(piece.value)
  }
}

/** Resolves once nobody is let in any more. */
async function refusesConnections(url: string): Promise<void> {
  for (;;) {
    try {
      const response = await fetch(`${url}/health`, { keepalive: false })
      if (response.status === 503) return
    } catch {
      return // refused: that is what we wait for
    }
    await Bun.sleep(20)
  }
}
