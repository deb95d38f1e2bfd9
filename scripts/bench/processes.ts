/** Processes of the benchmark: starting them, and what they cost by the kernel's own books (Linux). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Job } from './load.ts'

/** The kernel counts processor time in hundredths of a second, whatever the machine. */
const TICKS_PER_SECOND = 100
const BYTES_PER_KIB = 1_024

export interface Helper {
  readonly url: string
  readonly port: number
  readonly pid: number
  stop(): void
}

const ENVIRONMENT = { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: '65535' }

/** Starts a script of this folder that prints its port when it listens. */
export async function startHelper(script: string, ...args: readonly string[]): Promise<Helper> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, script), ...args], {
    env: ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const port = Number(await firstLine(child.stdout))
  return { url: `http://127.0.0.1:${port}`, port, pid: child.pid, stop: () => child.kill('SIGKILL') }
}

/** Runs one job of the load generator and returns what it measured. */
export async function runLoad<T>(job: Job): Promise<T> {
  const child = spawnLoad(job)
  const text = await child.stdout.text()
  if ((await child.exited) !== 0) throw new Error(`the load generator failed on ${JSON.stringify(job.target)}`)
  return JSON.parse(text) as T
}

export interface Held {
  /** How many streams have had their first delta. */
  readonly open: number
  release(): Promise<void>
}

export async function holdLoad(job: Job & { kind: 'hold' }): Promise<Held> {
  const child = spawnLoad(job)
  const { open } = JSON.parse(await firstLine(child.stdout)) as { open: number }
  return {
    open,
    async release() {
      await child.stdin.end()
      await child.exited
    },
  }
}

function spawnLoad(job: Job) {
  return Bun.spawn([process.execPath, join(import.meta.dir, 'load.ts'), JSON.stringify(job)], {
    env: ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader()
  let text = ''
  while (!text.includes('\n')) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`a process of the benchmark ended early: ${text}`)
    text += Buffer.from(value).toString()
  }
  return text.slice(0, text.indexOf('\n'))
}

/** Processor seconds of a process so far, all threads, user and system. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** Resident memory of a process now. */
export function residentBytes(pid: number): number {
  const kib = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
  return Number(kib) * BYTES_PER_KIB
}
