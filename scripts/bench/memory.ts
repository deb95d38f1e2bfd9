import { type Contender, streamBody } from './contenders.ts'
import { holdLoad, residentBytes, type Helper } from './processes.ts'
import { heading, number, row, type Verdict } from './report.ts'
import type { Scale } from './scale.ts'

const MB = 1_000_000
const HELD_DELTA_EVERY_MS = 1_000
/** Held streams never end by themselves. */
const HELD_DELTAS = 1_000_000
/** Memory is given back by and by: it is looked at until it is back, at most this long. */
const SETTLE_MS_MAX = 15_000
const SETTLE_POLL_MS = 500
const IDLE_SHARE = 1.2
const HANG_UP_MS_MAX = 5_000
const HANG_UP_POLL_MS = 5

/** Many streams open at once: whether any waits, what each costs, and what is left when they are gone. */
export async function measureHeldStreams(ours: Contender, upstream: Helper, scale: Scale): Promise<readonly Verdict[]> {
  const idleBytes = residentBytes(ours.pid)
  const body = streamBody(ours, HELD_DELTAS, HELD_DELTA_EVERY_MS)
  const held = await holdLoad({ kind: 'hold', target: ours.target, body, streams: scale.heldStreams })
  await Bun.sleep(HELD_DELTA_EVERY_MS)
  const perStream = (residentBytes(ours.pid) - idleBytes) / scale.heldStreams
  const releasedMs = performance.now()
  await held.release()
  const hangUpMs = (await whenNoneOpen(upstream)) - releasedMs
  const afterBytes = await settled(ours.pid, idleBytes)
  heading(`${scale.heldStreams} streams held open`)
  row('open at once', number(held.open))
  row('memory for each', number(perStream / 1_000, ' KB'))
  row('all upstreams closed after', number(hangUpMs, ' ms'))
  row('memory before and after', number(idleBytes / MB, ' MB'), number(afterBytes / MB, ' MB'))
  return [
    { name: 'streams open at once', measured: held.open, bound: scale.heldStreams, unit: '', atLeast: true },
    { name: 'memory per stream', measured: perStream / 1_000, bound: 30, unit: ' KB' },
    { name: 'memory after the load, of idle', measured: afterBytes / idleBytes, bound: IDLE_SHARE, unit: '×' },
  ]
}

/** One client leaves: how long until the upstream's connection is closed. */
export async function measureHangUp(ours: Contender, upstream: Helper): Promise<readonly Verdict[]> {
  const body = streamBody(ours, HELD_DELTAS, HELD_DELTA_EVERY_MS)
  const held = await holdLoad({ kind: 'hold', target: ours.target, body, streams: 1 })
  const leftMs = performance.now()
  const [closedMs] = await Promise.all([whenNoneOpen(upstream), held.release()])
  const measured = closedMs - leftMs
  heading('A client leaves')
  row('upstream closed after', number(measured, ' ms'))
  return [{ name: 'hang-up reaches the upstream', measured, bound: 250, unit: ' ms' }]
}

async function whenNoneOpen({ url }: Helper): Promise<number> {
  const deadlineMs = performance.now() + HANG_UP_MS_MAX
  while (performance.now() < deadlineMs) {
    if ((await (await fetch(url)).text()) === '0') return performance.now()
    await Bun.sleep(HANG_UP_POLL_MS)
  }
  return Number.POSITIVE_INFINITY
}

async function settled(pid: number, idleBytes: number): Promise<number> {
  const deadlineMs = performance.now() + SETTLE_MS_MAX
  while (residentBytes(pid) > idleBytes * IDLE_SHARE && performance.now() < deadlineMs) await Bun.sleep(SETTLE_POLL_MS)
  return residentBytes(pid)
}
