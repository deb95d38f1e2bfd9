import { SECOND_MS } from '../../../core/duration.ts'
import type { Facts, Finding } from './finding.ts'

const REQUESTS_MIN = 50
const TIMES_MIN = 2
const SLOWER_MS_MIN = 1_000

/** A provider that takes twice as long as in the range before. */
export function slowProviders({ providers, providersBefore }: Facts): readonly Finding[] {
  const before = new Map(providersBefore.map((part) => [part.name, part]))
  return providers.flatMap((part): readonly Finding[] => {
    const earlier = before.get(part.name)
    const [nowMs, thenMs] = [part.latencyMs.p50, earlier?.latencyMs.p50]
    if (earlier === undefined || nowMs === null || thenMs === null || thenMs === undefined) return []
    if (Math.min(part.requests, earlier.requests) < REQUESTS_MIN) return []
    if (nowMs < TIMES_MIN * thenMs || nowMs - thenMs < SLOWER_MS_MIN) return []
    return [
      {
        kind: 'slow_provider',
        severity: 'warning',
        text: `Half of the requests to ${part.name} take more than ${seconds(nowMs)}; before it was ${seconds(thenMs)}.`,
        evidence: {
          provider: part.name,
          requests: part.requests,
          p50_ms: nowMs,
          p50_before_ms: thenMs,
          p95_ms: part.latencyMs.p95,
        },
        action: {
          text: 'See how it stands, and whether its models have changed',
          path: `/providers/${encodeURIComponent(part.name)}`,
        },
      },
    ]
  })
}

function seconds(ms: number): string {
  return `${(ms / SECOND_MS).toFixed(1)} s`
}
