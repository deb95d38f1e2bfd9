import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGateway } from '../support/gateway-process.ts'

const MAIN = join(import.meta.dir, '..', '..', 'src', 'main.ts')
const SOURCE = join(import.meta.dir, '..', '..', 'src', 'cli', 'core-dumps.ts')
/** Starts what follows without a limit, where the system allows it. */
const GENEROUS = ['/bin/sh', '-c', 'ulimit -c unlimited; exec "$0" "$@"'] as const
/** https://man7.org/linux/man-pages/man2/PR_GET_DUMPABLE.2const.html (read 2026-11-21) */
const ASKING = `
  import { dlopen } from 'bun:ffi'
  import { forbidDumps } from ${JSON.stringify(SOURCE)}
  const { symbols } = dlopen('libc.so.6', { prctl: { args: ['i32', 'u64', 'u64', 'u64', 'u64'], returns: 'i32' } })
  const isDumpable = () => symbols.prctl(3, 0n, 0n, 0n, 0n)
  console.log(isDumpable(), forbidDumps(), isDumpable())
`

test('a process that forbids dumps is no longer dumpable', async () => {
  const child = Bun.spawn([process.execPath, '-e', ASKING], { stdout: 'pipe', stderr: 'inherit' })
  expect((await child.stdout.text()).trim()).toBe('1 true 0')
})

test('the server forbids them before it listens, so that no limit lets its memory be written to disk', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-dumps-'))
  const gateway = await startGateway({ executable: [...GENEROUS, process.execPath, MAIN], dataDir })
  expect(readFileSync(`/proc/${gateway.pid}/limits`, 'utf8')).toMatch(/^Max core file size +0 +0 /m)
  gateway.signal('SIGTERM')
  expect(await gateway.exited).toBe(0)
  rmSync(dataDir, { recursive: true })
})
