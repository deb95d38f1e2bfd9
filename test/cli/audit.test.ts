import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyAudit } from '../../src/cli/audit.ts'
import { value } from '../support/dashboard.ts'
import { openApp, runCommand } from './terminal.ts'

let dataDir: string

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'signalbox-audit-'))
  const app = await opened()
  for (const name of ['a', 'b', 'c']) {
    value(await app.keys.create({ name }, { actor: { id: null, email: null, ip: null }, requestId: null }))
  }
  await app.close()
})

afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const opened = () => openApp(dataDir)

const verify = (...flags: readonly string[]) => runCommand(verifyAudit, flags, dataDir)

test('a chain that nobody touched holds', async () => {
  expect(await verify()).toMatchObject({ code: 0, output: 'the chain of 3 entries holds' })
  expect(JSON.parse((await verify('--json')).output)).toEqual({ ok: true, entries: 3, first_broken: null })
})

test('the first entry that was changed is named', async () => {
  new Database(join(dataDir, 'config.sqlite')).run("UPDATE audit_entries SET object_name = 'x' WHERE seq = 2")
  const { code, output } = await verify()
  expect([code, output]).toEqual([1, expect.stringContaining('entry 2 was changed')])
  expect(JSON.parse((await verify('--json')).output)).toMatchObject({ ok: false, first_broken: 2 })
})

test('it needs the folder for itself', async () => {
  const app = await opened()
  expect((await verify()).code).toBe(3)
  await app.close()
})
