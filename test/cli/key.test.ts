import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { dispatch } from '../../src/cli/dispatch.ts'
import { createKey } from '../../src/cli/key.ts'
import { readConfig } from '../../src/config.ts'
import { callerOf, OWNER, value } from '../support/dashboard.ts'

const PEER = { address: '127.0.0.1', bodyRead: () => undefined, answered: () => undefined }
let dataDir: string
let planId: string

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'signalbox-key-'))
  const app = await opened()
  const token = (await app.setupToken()) ?? ''
  const { accessToken } = value(await app.auth.completeSetUp(token, OWNER, { requestId: null, address: PEER.address }))
  const owner = callerOf({ handle: (request) => app.handle(request, PEER) }, accessToken)
  planId = (await owner('POST', '/v1/plans', { name: 'Team', rpm: 7 })).body.data.id
  await app.close()
})

afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

async function opened() {
  return value(await createApp(value(readConfig({ 'data-dir': dataDir }, { HOME: dataDir }))))
}

async function create(...flags: readonly string[]) {
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  const quiet = { readSecret: async () => undefined, confirm: async () => undefined, colours: false }
  const argv = ['key', 'create', '--data-dir', dataDir, '--json', ...flags]
  const code = await dispatch([createKey], argv, { HOME: dataDir }, { print, tell: print, ...quiet })
  return { code, output: lines.join('\n') }
}

for (const by of ['name', 'id'] as const) {
  test(`a key is put on a plan by its ${by}`, async () => {
    const { code, output } = await create('--name', 'shell', '--plan', by === 'name' ? 'Team' : planId)
    expect(code).toBe(0)
    const app = await opened()
    expect(app.keys.byId(JSON.parse(output).id)).toMatchObject({ planId, limits: { requestsPerMinute: 7 } })
    await app.close()
  })
}

test('a plan that there is not makes no key', async () => {
  expect(await create('--name', 'shell', '--plan', 'None')).toEqual({
    code: 1,
    output: 'signalbox: there is no plan None',
  })
})
