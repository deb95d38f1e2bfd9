import { type Contender, type ContenderName, plainBody } from './contenders.ts'
import type { RequestsMeasured } from './load.ts'
import { cpuSeconds, runLoad } from './processes.ts'
import { heading, number, row, type Verdict } from './report.ts'
import type { Scale } from './scale.ts'

interface Measured extends RequestsMeasured {
  readonly cpuMicrosPerRequest: number
}

interface Case {
  readonly connections: number
  readonly bodyBytes: number
  readonly by: ReadonlyMap<ContenderName, Measured>
}

export interface RequestResults {
  readonly verdicts: readonly Verdict[]
  /** Requests that the gateway answered, the benchmark's own warm-up left out: the ledger must have at least these. */
  readonly answered: number
}

const WARM_UP = { connections: 32, bodyBytes: 1_000, requestsMs: 3_000 }

/** Requests that do not stream: every size at every number of connections, the contenders one after another. */
export async function measureRequests(contenders: readonly Contender[], scale: Scale): Promise<RequestResults> {
  const cases: Case[] = []
  // A compiler that is still at work is no part of what a request costs.
  for (const contender of contenders) await measure(contender, WARM_UP.connections, WARM_UP.bodyBytes, WARM_UP)
  for (const bodyBytes of scale.bodyBytes) {
    for (const connections of scale.connections) {
      const by = new Map<ContenderName, Measured>()
      for (const contender of contenders)
        by.set(contender.name, await measure(contender, connections, bodyBytes, scale))
      cases.push({ connections, bodyBytes, by })
      show(connections, bodyBytes, by)
    }
  }
  return { verdicts: verdictsOf(cases), answered: answeredByUs(cases) }
}

async function measure(
  contender: Contender,
  connections: number,
  bodyBytes: number,
  scale: Pick<Scale, 'requestsMs'>,
): Promise<Measured> {
  const { target, pid } = contender
  const before = cpuSeconds(pid)
  const job = {
    kind: 'requests',
    target,
    body: plainBody(contender),
    bodyBytes,
    connections,
    durationMs: scale.requestsMs,
  } as const
  const measured = await runLoad<RequestsMeasured>(job)
  const cpuMicros = (cpuSeconds(pid) - before) * 1e6
  return { ...measured, cpuMicrosPerRequest: cpuMicros / measured.total }
}

function show(connections: number, bodyBytes: number, by: ReadonlyMap<ContenderName, Measured>): void {
  heading(`Requests of ${sizeOf(bodyBytes)}, ${connections} connections`)
  row('', 'requests/s', 'added p50', 'added p99', 'CPU/1,000', 'errors')
  const direct = by.get('direct')?.latency
  for (const [name, { perSecond, latency, cpuMicrosPerRequest, errors }] of by) {
    const added = (of: 'p50' | 'p99'): string => number(latency[of] - (direct?.[of] ?? 0), ' ms')
    row(name, number(perSecond), added('p50'), added('p99'), number(cpuMicrosPerRequest, ' ms'), String(errors))
  }
}

function verdictsOf(cases: readonly Case[]): Verdict[] {
  return cases.flatMap(({ connections, bodyBytes, by }) => {
    const [direct, bare, ours, naive, translated] = [...by.values()]
    if (!direct || !bare || !ours || !naive || !translated) return []
    const at = `${sizeOf(bodyBytes)}, ${connections} connections`
    const ratio = (name: string, measured: number, bound: number, atLeast = false): Verdict => {
      return { name: `${name}, ${at}`, measured, bound, unit: '×', atLeast }
    }
    if (connections === 32 && bodyBytes <= 100_000) {
      const cpu = ratio('CPU over bare', ours.cpuMicrosPerRequest / bare.cpuMicrosPerRequest, 1.25)
      const cpuTranslated = ratio('CPU over naive', translated.cpuMicrosPerRequest / naive.cpuMicrosPerRequest, 1.5)
      const rate = ratio('rate over bare', ours.perSecond / bare.perSecond, 0.8, true)
      return bodyBytes === 200 ? [cpu, rate, cpuTranslated] : [cpu, cpuTranslated]
    }
    if (connections !== 10 || bodyBytes !== 200) return []
    return [
      { name: `added p50, ${at}`, measured: ours.latency.p50 - direct.latency.p50, bound: 0.5, unit: ' ms' },
      { name: `added p99, ${at}`, measured: ours.latency.p99 - direct.latency.p99, bound: 3, unit: ' ms' },
    ]
  })
}

function answeredByUs(cases: readonly Case[]): number {
  const ours = cases.flatMap(({ by }) => [by.get('passed through'), by.get('translated')])
  return ours.reduce((total, measured) => total + (measured?.total ?? 0), 0)
}

function sizeOf(bytes: number): string {
  if (bytes >= 1_000_000) return `${bytes / 1_000_000} MB`
  return bytes >= 1_000 ? `${bytes / 1_000} KB` : `${bytes} B`
}
