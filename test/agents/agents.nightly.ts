/**
 * Coding agents as people run them, through the executable, against a scripted provider of each dialect: a turn with thinking,
 * two parallel calls that write files, their results, a last word. `bun run agents`; about a minute once the programs are there.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../../scripts/build.ts'
import { UPSTREAMS } from '../dialects/samples/index.ts'
import type { UpstreamSample } from '../dialects/samples/sample.ts'
import { factsOf } from '../matrix/vendors.ts'
import { startGateway, type GatewayProcess } from '../support/gateway-process.ts'
import { Operator } from '../support/operator.ts'
import { AGENTS, FILES, IDS, type Agent, type Stage } from './agents.ts'
import { installPrograms, type Programs } from './programs.ts'
import { LAST_WORD, playVendor, replayed } from './vendors.ts'

const BUILT = join(import.meta.dir, '..', '..', 'dist', 'signalbox')
const AGENT_MS_MAX = 90_000
const PREPARATION_MS_MAX = 600_000

const place = mkdtempSync(join(tmpdir(), 'signalbox-agents-'))
let programs: Programs
let gateway: GatewayProcess
let operator: Operator
let key: string

beforeAll(async () => {
  programs = await installPrograms()
  if (!existsSync(BUILT)) await build(BUILT)
  const dataDir = join(place, 'data')
  mkdirSync(dataDir, { mode: 0o700 })
  gateway = await startGateway({ executable: [BUILT], dataDir })
  operator = await Operator.setUp(gateway.url, gateway.setupToken ?? '')
  key = (await operator.create('/v1/keys', { name: 'agents' })).secret
}, PREPARATION_MS_MAX)

afterAll(async () => {
  gateway?.signal('SIGTERM')
  await gateway?.exited
  rmSync(place, { recursive: true, force: true })
})

for (const agent of AGENTS) {
  describe(agent.name, () => {
    for (const vendor of UPSTREAMS) {
      test(`works on a provider that speaks ${vendor.id}`, () => check(agent, vendor), AGENT_MS_MAX + 10_000)
    }
  })
}

/** The files are there, the agent ends well, and what it replays is what the provider said. */
async function check(agent: Agent, vendor: UpstreamSample): Promise<void> {
  const slug = `${agent.name}-${vendor.id}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const folder = join(place, slug)
  const home = join(place, `${slug}-home`)
  mkdirSync(folder)
  mkdirSync(home)
  const provider = playVendor(vendor, agent.calls(folder))
  try {
    const model = await connect(slug, vendor, provider.url)
    const { code, output } = await run(agent, { programs, gatewayUrl: gateway.url, key, model, folder, home })
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining(LAST_WORD) })
    for (const [name, text] of Object.entries(FILES)) expect(readFileSync(join(folder, name), 'utf8')).toBe(text)
    for (const said of saidBefore(vendor)) expect(replayed(provider)).toContain(said)
  } finally {
    provider.stop()
  }
}

/** What has to come back with the results of the tools: the ids of the calls, where there are ids, and the vendor's own state. */
function saidBefore({ id, upstream }: UpstreamSample): readonly string[] {
  const ids = id === 'ollama' ? [] : IDS
  return upstream.opaque === undefined || id === 'openai-chat' ? ids : [...ids, upstream.opaque.blob]
}

async function connect(slug: string, vendor: UpstreamSample, url: string): Promise<string> {
  const { wireName, base, model } = factsOf(vendor.id)
  await operator.create('/v1/custom-providers', {
    slug,
    dialects: [{ dialect: wireName, base_url: url + base }],
    auth_scheme: 'none',
    allow_private_network: true,
    models_mode: 'static',
    models: [{ id: model }],
  })
  await operator.create('/v1/accounts', { provider: slug, name: slug })
  return `${slug}/${model}`
}

async function run(agent: Agent, stage: Stage): Promise<{ readonly code: number; readonly output: string }> {
  const { command, env } = agent.start(stage)
  const child = Bun.spawn([...command], {
    cwd: stage.folder,
    env: { HOME: stage.home, PATH: '/usr/local/bin:/usr/bin:/bin', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: AGENT_MS_MAX,
  })
  const [out, error, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, output: `${out}\n${error}` }
}
