/** What Connect offers to copy works as it is: settings parse, and code runs against the real server. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SnippetValues, TOOLS } from '../../../src/web/pages/home/snippets.ts'
import { type DashboardServer, startDashboard } from '../../support/browser.ts'

const VALUES: SnippetValues = { origin: 'http://127.0.0.1:4680', key: 'sk-sbx-abc', model: 'demo/echo' }
/** Below the repository, so that its packages are found. */
const FOLDER = join(import.meta.dir, '../../../dist/snippets')

describe('settings', () => {
  test('Claude Code reads an address without /v1, a token and a model', () => {
    const [shell, file] = snippetsOf('claude-code', VALUES)
    const env = JSON.parse(file ?? '').env
    expect(env.ANTHROPIC_BASE_URL).toBe(VALUES.origin)
    for (const [name, value] of Object.entries(env)) expect(shell).toContain(`export ${name}=${value}`)
  })

  test('Codex reads a provider of its own, whose key is in the environment', () => {
    const [file, shell] = snippetsOf('codex', VALUES)
    const config = Bun.TOML.parse(file ?? '') as { model_provider: string; model_providers: Record<string, object> }
    expect(config.model_providers[config.model_provider]).toMatchObject({
      base_url: `${VALUES.origin}/v1`,
      env_key: 'SIGNALBOX_API_KEY',
      wire_api: 'responses',
    })
    expect(shell).toContain(`SIGNALBOX_API_KEY=${VALUES.key}`)
  })

  test('OpenCode reads a provider and a model of it', () => {
    const [file] = snippetsOf('opencode', VALUES)
    const { provider, model } = JSON.parse(file ?? '')
    expect(provider.signalbox.options).toEqual({ baseURL: `${VALUES.origin}/v1`, apiKey: VALUES.key })
    expect(Object.keys(provider.signalbox.models).map((name) => `signalbox/${name}`)).toEqual([model])
  })
})

describe('code', () => {
  const parts: { server?: DashboardServer; values?: SnippetValues } = {}

  beforeAll(async () => {
    const server = await startDashboard()
    const { secret } = await server.call<{ secret: string }>('POST', '/v1/keys', { name: 'snippets' })
    parts.server = server
    parts.values = { origin: server.url, key: secret, model: 'demo/echo' }
    mkdirSync(FOLDER, { recursive: true })
  }, 60_000)

  afterAll(async () => {
    rmSync(FOLDER, { recursive: true, force: true })
    await parts.server?.stop()
  })

  for (const tool of ['anthropic-sdk', 'openai-sdk']) {
    test(`${tool} answers`, async () => {
      const [, typescript] = snippetsOf(tool, parts.values ?? VALUES)
      const file = join(FOLDER, `${tool}.ts`)
      writeFileSync(file, typescript ?? '')
      expect(await run(process.execPath, file)).toContain('Hello')
    })
  }

  test.skipIf(Bun.which('curl') === null)('curl answers', async () => {
    const [shell] = snippetsOf('curl', parts.values ?? VALUES)
    expect(await run('sh', '-c', shell ?? '')).toContain('Hello')
  })
})

function snippetsOf(id: string, values: SnippetValues): string[] {
  const tool = TOOLS.find((candidate) => candidate.id === id)
  return (tool?.snippets(values) ?? []).map(({ code }) => code)
}

/** What the program prints. */
async function run(...command: string[]): Promise<string> {
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe' })
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()])
  expect([await child.exited, errors]).toEqual([0, expect.any(String)])
  return output
}
