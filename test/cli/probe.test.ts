import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { probe } from '../../src/cli/probe.ts'
import { callerOf, OWNER, value } from '../support/dashboard.ts'
import { GOOD_MODEL, playFaultyProvider, type FaultyProvider } from '../support/faulty-provider.ts'
import { openApp, runCommand } from './terminal.ts'

const PEER = { address: '127.0.0.1', bodyRead: () => undefined, answered: () => undefined }

let dataDir: string
let host: FaultyProvider
let accountId: string
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'signalbox-probe-'))
  host = playFaultyProvider()
  const app = await opened()
  const session = value(await app.auth.completeSetUp((await app.setupToken()) ?? '', OWNER, LOCAL))
  const owner = callerOf({ handle: (request) => app.handle(request, PEER) }, session.accessToken)
  const dialects = [{ dialect: 'openai_chat', base_url: `${host.played.url}/v1` }]
  const models = { models_mode: 'static', models: [{ id: GOOD_MODEL, price: { input: 1, output: 2 } }] }
  await owner('POST', '/v1/custom-providers', { slug: 'mine', dialects, allow_private_network: true, ...models })
  const credentials = { api_key: 'sk-mine-0123456789-0123456789' }
  accountId = (await owner('POST', '/v1/accounts', { provider: 'mine', name: 'rack', credentials })).body.data.id
  await app.close()
})
afterEach(() => {
  host.played.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const LOCAL = { requestId: null, address: null } as const

const opened = () => openApp(dataDir)

const run = (argv: readonly string[], answer?: boolean) => runCommand(probe, argv, dataDir, answer)

const COST = `11 calls, about `

test('a provider without a fault has the full score', async () => {
  for (const name of ['mine', 'rack', accountId]) {
    const { code, printed } = await run([name, '--yes'])
    expect([code, printed]).toEqual([0, 'mine: 100 of 100 (11 calls, 260 tokens (0.0003 $))'])
  }
})

test('what fails is listed, and the exit code says so', async () => {
  host.have('ignores stop', 'breaks arguments')
  const { code, printed } = await run(['mine', '--yes'])
  expect(code).toBe(1)
  expect(printed.split('\n').slice(1)).toEqual([
    'failed   openai_chat tool: sent arguments of a tool that are not JSON',
    'failed   openai_chat tool_without_arguments: sent arguments of a tool that are not JSON',
    'failed   openai_chat parallel_tools: sent arguments of a tool that are not JSON',
    'failed   openai_chat stop_sequence: went on after the stop sequence',
  ])
})

test('quirks are written, unless only a report is wanted', async () => {
  host.have('refuses system')
  const reported = await run(['mine', '--yes', '--no-apply'])
  expect([reported.code, reported.printed]).toEqual([1, expect.stringContaining('found    no_system_role: true')])
  const written = await run(['mine', '--yes'])
  expect([written.code, written.printed]).toEqual([0, expect.stringContaining('written  no_system_role: true')])
  expect((await run(['mine', '--yes', '--no-apply'])).code).toBe(0)
})

test('the cost is told before anything is asked, and the person decides', async () => {
  const refused = await run(['mine'], false)
  expect([refused.code, refused.told]).toEqual([1, expect.stringContaining(COST)])
  const unattended = await run(['mine'])
  expect([unattended.code, unattended.told]).toEqual([2, expect.stringContaining('say --yes')])
  expect(host.played.requests).toHaveLength(0)
  expect((await run(['mine'], true)).code).toBe(0)
})

test('--dry-run asks nobody', async () => {
  const { code, printed } = await run(['mine', '--dry-run'])
  expect([code, printed]).toEqual([
    0,
    expect.stringMatching(/^11 calls, about \d+ tokens \(0\.\d{4} \$\), at most .* with steady-1$/),
  ])
  expect(JSON.parse((await run(['mine', '--dry-run', '--json'])).printed)).toMatchObject({ dry_run: true, calls: 11 })
  expect(host.played.requests).toHaveLength(0)
})

test('--json writes the report, --model names the model', async () => {
  const { code, printed } = await run(['mine', '--yes', '--json', '--model', 'nonesuch'])
  expect(code).toBe(1)
  expect(JSON.parse(printed)).toMatchObject({ score: 0, models: [{ model: 'nonesuch' }] })
})

test('a name that is nobody’s is said to be', async () => {
  expect(await run(['nobody', '--yes'])).toMatchObject({
    code: 1,
    told: 'signalbox: there is no account and no provider with an account of this name',
  })
  expect((await run([])).code).toBe(2)
})
