import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey } from '../../src/cli/key.ts'
import { callerOf, OWNER, value } from '../support/dashboard.ts'
import { openApp, runCommand } from './terminal.ts'

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

const opened = () => openApp(dataDir)

const create = (...flags: readonly string[]) => runCommand(createKey, ['--json', ...flags], dataDir)

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
  expect(await create('--name', 'shell', '--plan', 'None')).toMatchObject({
    code: 1,
    output: 'signalbox: there is no plan None',
  })
})
