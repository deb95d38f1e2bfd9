import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { verifyAudit } from '../../src/cli/audit.ts'
import { dispatch } from '../../src/cli/dispatch.ts'
import { readConfig } from '../../src/config.ts'
import { value } from '../support/dashboard.ts'

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

async function opened() {
  return value(await createApp(value(readConfig({ 'data-dir': dataDir }, { HOME: dataDir }))))
}

async function verify(...flags: readonly string[]) {
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  const terminal = {
    print,
    tell: print,
    readSecret: async () => undefined,
    confirm: async () => undefined,
    colours: false,
  }
  const argv = ['audit', 'verify', '--data-dir', dataDir, ...flags]
  return { code: await dispatch([verifyAudit], argv, { HOME: dataDir }, terminal), output: lines.join('\n') }
}

test('a chain that nobody touched holds', async () => {
  expect(await verify()).toEqual({ code: 0, output: 'the chain of 3 entries holds' })
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
