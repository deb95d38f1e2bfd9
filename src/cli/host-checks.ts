import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config, OutboundProxies } from '../config.ts'
import { reasonOf } from '../db/db-failure.ts'
import { type Check, failed, passed, warned } from './check.ts'
import { descriptorLimit, fewDescriptors, streamsWithin } from './descriptor-limit.ts'
import { belowFloor, NO_JIT, type RuntimeFacts, runtimeFacts } from './runtime-floor.ts'

/** No clock that is right shows an earlier time: this program did not exist yet. */
const CLOCK_MIN_MS = Date.UTC(2026, 0, 1)
/** A file may be this much younger than the clock: file systems round. */
const CLOCK_SLACK_MS = 60_000
/** Programs that only tunnels need. */
const HELPERS = ['cloudflared', 'tailscale'] as const

/** Looks at the machine that the gateway runs on; starts nothing and calls no one. */
export function checkHost(config: Config, nowMs: number): readonly Check[] {
  return [
    checkRuntime(runtimeFacts()),
    checkPort(config),
    checkClock(nowMs, config.dataDir),
    checkDescriptors(descriptorLimit()),
    checkProxies(config.proxies),
    ...HELPERS.map((program) => checkHelper(program, config.programPath)),
  ]
}

function checkRuntime(facts: RuntimeFacts): Check {
  const old = belowFloor(facts)
  if (old !== undefined) return failed('runtime', old)
  return facts.jit ? passed('runtime', `Bun ${facts.bun}, SQLite ${facts.sqlite}`) : warned('runtime', NO_JIT)
}

/** Listens for a moment: only that tells whether the address is ours and the port free. */
function checkPort({ host, port }: Config): Check {
  try {
    Bun.listen({ hostname: host, port, socket: { data() {} } }).stop(true)
    return passed('port', port === 0 ? `any free one on ${host}` : `${host}:${port} is free`)
  } catch (error) {
    return warned('port', `cannot listen on ${host}:${port}, unless our own gateway does: ${reasonOf(error)}`)
  }
}

function checkClock(nowMs: number, dataDir: string): Check {
  const shown = new Date(nowMs).toISOString()
  if (nowMs < CLOCK_MIN_MS) return failed('clock', `${shown} cannot be right: keys and prices would count as of then`)
  const writtenMs = statSync(join(dataDir, 'config.sqlite'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (writtenMs <= nowMs + CLOCK_SLACK_MS) return passed('clock', shown)
  return failed('clock', `${shown} is before the last write to the data, ${new Date(writtenMs).toISOString()}`)
}

function checkDescriptors(limit: number | undefined): Check {
  const few = fewDescriptors(limit)
  if (few !== undefined) return warned('descriptors', few)
  if (limit === undefined) return passed('descriptors', 'this system does not say how many it allows')
  return passed('descriptors', `${limit}, enough for ${streamsWithin(limit)} streams`)
}

/** Names the machine in between, never its password. */
function checkProxies({ http, https, bypass }: OutboundProxies): Check {
  const named = [http, https].filter((proxy) => proxy !== null).map((proxy) => new URL(proxy).host)
  if (named.length === 0) return passed('proxies', 'none')
  const direct = bypass.length === 0 ? '' : `, but not to ${bypass.join(', ')}`
  return passed('proxies', `calls go through ${[...new Set(named)].join(' and ')}${direct}`)
}

function checkHelper(program: string, programPath: string): Check {
  const path = Bun.which(program, { PATH: programPath })
  return passed(program, path ?? 'not installed; only its tunnel needs it')
}
