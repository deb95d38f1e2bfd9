/** Times by their percentiles, in milliseconds whatever they were measured in. */
import { type Bins, type Percentiles, percentilesOf } from '../../core/spread.ts'
import type { Row } from '../../db/query-book.ts'
import type { SpreadKind } from '../../ledger/rollup/tally.ts'
import { integerOrNull } from './row.ts'
import type { Latencies } from './usage.ts'

const US_PER_MS = 1_000

/** Of a row that has percentiles of each kind. */
export function latenciesFrom(row: Row): Latencies {
  return latenciesBy((kind) => percentilesFrom(row, kind))
}

export function latenciesOf(spreads: Readonly<Record<SpreadKind, Bins>>): Latencies {
  return latenciesBy((kind) => percentilesOf(spreads[kind]))
}

/** As the reader answers a spread of this name. */
export function percentilesFrom(row: Row, name: string): Percentiles {
  return {
    p50: integerOrNull(row, `${name}_p50`),
    p95: integerOrNull(row, `${name}_p95`),
    p99: integerOrNull(row, `${name}_p99`),
  }
}

function latenciesBy(percentiles: (kind: SpreadKind) => Percentiles): Latencies {
  return {
    latencyMs: percentiles('latency'),
    firstTokenMs: percentiles('first_token'),
    gatewayMs: toMs(percentiles('gateway')),
  }
}

function toMs({ p50, p95, p99 }: Percentiles): Percentiles {
  const of = (us: number | null): number | null => (us === null ? null : us / US_PER_MS)
  return { p50: of(p50), p95: of(p95), p99: of(p99) }
}
