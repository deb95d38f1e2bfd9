/**
 * What the operating system tells about this process and its host. A hardened unit hides most of `/proc`, other systems have none:
 * whatever cannot be read is null, never an exception and never a guess.
 */
import { readdirSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { freemem, loadavg, totalmem } from 'node:os'

/** Where the kernel keeps the limit of a container or a unit: seen from inside a container, from outside by systemd. */
const CGROUP = '/sys/fs/cgroup'

export interface ProcessFacts {
  readonly rssBytes: number
  readonly heapUsed: number
  readonly heapTotal: number
  readonly external: number
  readonly fds: number | null
}

export interface HostFacts {
  readonly os: string
  readonly arch: string
  readonly cpus: number
  readonly load1: number | null
  /** Of the container or unit where that has less than the machine. */
  readonly memTotal: number | null
  readonly memFree: number | null
  /** On the disk of the data folder. */
  readonly diskFree: number | null
}

export function processFacts(): ProcessFacts {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
  // One of them is the folder that is being read.
  const fds = tried(() => readdirSync('/proc/self/fd').length - 1)
  return { rssBytes: rss, heapUsed, heapTotal, external, fds }
}

/** `dataDir`: null when everything is in memory. */
export function hostFacts(dataDir: string | null): HostFacts {
  return {
    os: process.platform,
    arch: process.arch,
    cpus: navigator.hardwareConcurrency,
    load1: tried(() => loadavg()[0] ?? null),
    ...memory(),
    diskFree: dataDir === null ? null : tried(() => freeOn(dataDir)),
  }
}

export function cpuUs(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Zero when there is no such file. */
export function fileBytes(path: string): number {
  return tried(() => statSync(path, { throwIfNoEntry: false })?.size ?? 0) ?? 0
}

function memory(): Pick<HostFacts, 'memTotal' | 'memFree'> {
  const [total, free] = [tried(totalmem), tried(freemem)]
  const limit = tried(() => Number(readFileSync(`${CGROUP}/memory.max`, 'utf8')))
  const used = tried(() => Number(readFileSync(`${CGROUP}/memory.current`, 'utf8')))
  if (limit === null || used === null || !(limit < (total ?? Infinity))) return { memTotal: total, memFree: free }
  return { memTotal: limit, memFree: Math.max(0, limit - used) }
}

function freeOn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

function tried<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null // hidden or not there: that it is unknown is the answer
  }
}
