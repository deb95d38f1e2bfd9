import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Check } from '../../src/cli/check.ts'
import { checkData } from '../../src/cli/data-checks.ts'
import { checkHost } from '../../src/cli/host-checks.ts'
import { type Config, type Environment, readConfig } from '../../src/config.ts'
import { lockFolder } from '../../src/db/lock.ts'

const NOW_MS = Date.UTC(2026, 10, 21)
const ROOT = mkdtempSync(join(tmpdir(), 'signalbox-doctor-'))
afterAll(() => rmSync(ROOT, { recursive: true }))

function makeFolder(name: string): string {
  const folder = join(ROOT, name)
  mkdirSync(folder, { mode: 0o700 })
  return folder
}

function config(env: Environment, flags: Parameters<typeof readConfig>[0] = {}): Config {
  const read = readConfig({ port: '0', 'data-dir': join(ROOT, 'none'), ...flags }, env)
  if (!read.ok) throw new Error(read.error.message)
  return read.value
}

function find(checks: readonly Check[], name: string): Check | undefined {
  return checks.find((check) => check.name === name)
}

describe('the data folder', () => {
  test('one that does not exist yet is fine and stays away', () => {
    const folder = join(ROOT, 'absent')
    expect(checkData(folder)).toMatchObject([{ verdict: 'ok' }])
    expect(() => rmSync(folder)).toThrow()
  })

  test('a file in its place is not', () => {
    const path = join(ROOT, 'file')
    writeFileSync(path, '')
    expect(checkData(path)).toMatchObject([{ name: 'data folder', verdict: 'fail' }])
  })

  test('what others can read is named', () => {
    const folder = makeFolder('open')
    mkdirSync(join(folder, 'keys'))
    chmodSync(join(folder, 'keys'), 0o750)
    const check = find(checkData(folder), 'permissions')
    expect(check?.verdict).toBe('fail')
    expect(check?.detail).toContain(join(folder, 'keys'))
  })

  test('a running gateway shows by its lock', () => {
    const folder = makeFolder('locked')
    const lock = lockFolder(folder)
    expect(find(checkData(folder), 'lock')?.detail).toContain('another instance')
    if (lock.ok) lock.value.release()
    expect(find(checkData(folder), 'lock')?.detail).toContain('no gateway')
  })

  test('a damaged database is found, a whole one too', () => {
    const folder = makeFolder('databases')
    using database = new Database(join(folder, 'config.sqlite'), { create: true })
    database.run('CREATE TABLE t (x)')
    writeFileSync(join(folder, 'telemetry.sqlite'), 'not a database at all')
    const checks = checkData(folder)
    expect(find(checks, 'config.sqlite')).toMatchObject({ verdict: 'ok' })
    expect(find(checks, 'telemetry.sqlite')).toMatchObject({ verdict: 'fail' })
  })
})

describe('the machine', () => {
  test('a clock of another age is not believed', () => {
    expect(find(checkHost(config({}), NOW_MS), 'clock')?.verdict).toBe('ok')
    expect(find(checkHost(config({}), 1_000), 'clock')?.verdict).toBe('fail')
  })

  test('a port that somebody listens on is named', () => {
    const taken = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
    const check = find(checkHost(config({}, { port: String(taken.port) }), NOW_MS), 'port')
    taken.stop(true)
    expect(check).toMatchObject({ verdict: 'warn' })
    expect(check?.detail).toContain(String(taken.port))
  })

  test('proxies are named without their password', () => {
    const proxied = config({ HTTPS_PROXY: 'http://user:hunter2@proxy.example:3128', NO_PROXY: 'localhost' })
    const detail = find(checkHost(proxied, NOW_MS), 'proxies')?.detail
    expect(detail).toBe('calls go through proxy.example:3128, but not to localhost')
  })

  test('a helper program is found on the search path, and its absence is no fault', () => {
    const folder = makeFolder('bin')
    writeFileSync(join(folder, 'cloudflared'), '#!/bin/sh\n', { mode: 0o755 })
    const checks = checkHost(config({ PATH: folder }), NOW_MS)
    expect(find(checks, 'cloudflared')?.detail).toBe(join(folder, 'cloudflared'))
    expect(find(checks, 'tailscale')).toMatchObject({ verdict: 'ok' })
  })
})
