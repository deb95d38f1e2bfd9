import { type Contender, type ContenderName, plainBody, streamBody } from './contenders.ts'
import type { RequestsMeasured, StreamsMeasured } from './load.ts'
import { cpuSeconds, runLoad } from './processes.ts'
import { heading, number, row, type Verdict } from './report.ts'
import { DELTA_EVERY_MS, type Scale } from './scale.ts'

interface Measured extends StreamsMeasured {
  readonly cpuMicrosPerDelta: number
}

type Results = ReadonlyMap<ContenderName, Measured>

/** A lone client reads several, since one first token tells nothing. */
const ROUNDS_ALONE = 20
const DELTAS_ALONE = 5
/** Clients come at 400 a second. */
const SPREAD_MS_PER_STREAM = 2.5
const WARM_UP_STREAMS = 50
/** The two bounds on CPU as one, which moves less with the machine. */
const TRANSLATED_RATIO_MAX = 55 / 40

/** Streams at twenty deltas a second, read to their end. */
export async function measureStreams(contenders: readonly Contender[], scale: Scale): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = []
  for (const contender of contenders) await measure(contender, WARM_UP_STREAMS, scale)
  for (const streams of scale.streams) {
    const results = new Map<ContenderName, Measured>()
    for (const contender of contenders) results.set(contender.name, await measure(contender, streams, scale))
    show(streams, results)
    verdicts.push(...verdictsOf(streams, results))
  }
  return verdicts
}

async function measure(contender: Contender, streams: number, scale: Scale): Promise<Measured> {
  const { target, pid } = contender
  const before = cpuSeconds(pid)
  const [rounds, deltas] = streams === 1 ? [ROUNDS_ALONE, DELTAS_ALONE] : [1, scale.streamDeltas]
  const body = streamBody(contender, deltas, DELTA_EVERY_MS)
  const spreadMs = streams * SPREAD_MS_PER_STREAM
  const measured = await runLoad<StreamsMeasured>({ kind: 'streams', target, body, streams, rounds, spreadMs })
  return { ...measured, cpuMicrosPerDelta: ((cpuSeconds(pid) - before) * 1e6) / measured.deltas }
}

function show(streams: number, results: Results): void {
  heading(`${streams} streams, ${1_000 / DELTA_EVERY_MS} deltas a second each`)
  row('', 'first p50', 'delay p50', 'delay p99', 'CPU/delta', 'errors')
  for (const [name, { firstToken, delay, cpuMicrosPerDelta, errors }] of results) {
    const cells = [firstToken.p50, delay.p50, delay.p99].map((ms) => number(ms, ' ms'))
    row(name, ...cells, number(cpuMicrosPerDelta, ' us'), String(errors))
  }
}

function verdictsOf(streams: number, results: Results): Verdict[] {
  const [direct, ours, translated] = (['direct', 'passed through', 'translated'] as const).map((name) =>
    results.get(name),
  )
  if (!direct || !ours || !translated) return []
  const firstAdded = ours.firstToken.p50 - direct.firstToken.p50
  if (streams === 1) return [{ name: 'first token added, 1 stream', measured: firstAdded, bound: 0.8, unit: ' ms' }]
  if (streams === 100) return [{ name: 'first token added, 100 streams', measured: firstAdded, bound: 1, unit: ' ms' }]
  return [
    { name: 'CPU per delta passed through', measured: ours.cpuMicrosPerDelta, bound: 40, unit: ' us' },
    { name: 'CPU per delta translated', measured: translated.cpuMicrosPerDelta, bound: 55, unit: ' us' },
    {
      name: 'translated, of passed through',
      measured: translated.cpuMicrosPerDelta / ours.cpuMicrosPerDelta,
      bound: TRANSLATED_RATIO_MAX,
      unit: ' times',
    },
    { name: `first token, ${streams} streams`, measured: ours.firstToken.p50, bound: 3, unit: ' ms' },
    { name: `first token translated, ${streams}`, measured: translated.firstToken.p50, bound: 25, unit: ' ms' },
    { name: `delay p50, ${streams} streams`, measured: ours.delay.p50, bound: 2, unit: ' ms' },
    { name: `delay p99, ${streams} streams`, measured: ours.delay.p99, bound: 20, unit: ' ms' },
  ]
}

/** What 100 streams feel of 1 MB requests that come in one after another. */
export async function measureInterference(ours: Contender, scale: Scale): Promise<readonly Verdict[]> {
  const { target } = ours
  const durationMs = scale.streamDeltas * DELTA_EVERY_MS
  const body = streamBody(ours, scale.streamDeltas, DELTA_EVERY_MS)
  const [{ delay }] = await Promise.all([
    runLoad<StreamsMeasured>({ kind: 'streams', target, body, streams: 100, rounds: 1, spreadMs: 0 }),
    runLoad<RequestsMeasured>({
      kind: 'requests',
      target,
      body: plainBody(ours),
      bodyBytes: 1_000_000,
      connections: 1,
      durationMs,
    }),
  ])
  heading('100 streams beside 1 MB requests, one after another')
  row('passed through', `${number(delay.p50, ' ms')} p50`, `${number(delay.p99, ' ms')} p99`)
  return [
    { name: 'delay p50 beside 1 MB requests', measured: delay.p50, bound: 1.5, unit: ' ms' },
    { name: 'delay p99 beside 1 MB requests', measured: delay.p99, bound: 10, unit: ' ms' },
  ]
}
