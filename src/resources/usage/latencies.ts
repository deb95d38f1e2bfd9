import { addBins, type Bins, valueOfBin } from '../../core/spread.ts'
import type { Latencies, Percentiles } from './usage.ts'

const US_PER_MS = 1_000

/** How values are distributed, each by its bins. */
export interface Spreads {
  readonly latency: Bins
  readonly firstToken: Bins
  /** In microseconds. */
  readonly gateway: Bins
}

export function latenciesOf({ latency, firstToken, gateway }: Spreads): Latencies {
  return {
    latencyMs: percentilesOf(latency, 1),
    firstTokenMs: percentilesOf(firstToken, 1),
    gatewayMs: percentilesOf(gateway, US_PER_MS),
  }
}

/** As the ledger wrote them, any number one after the other. */
export function binsFrom(text: string): Bins {
  const bins: Bins = new Map()
  addBins(bins, text)
  return bins
}

/** By nearest rank, within one per cent; null without values. `perMs`: how many of the bins' unit are a millisecond. */
export function percentilesOf(bins: Bins, perMs: number): Percentiles {
  const sorted = [...bins].sort(([a], [b]) => a - b)
  const places = sorted.reduce((sum, [, amount]) => sum + amount, 0)
  const read = (per: number): number | null => {
    let left = Math.ceil((places * per) / 100)
    const found = sorted.find(([, amount]) => (left -= amount) <= 0)
    return found === undefined ? null : valueOfBin(found[0]) / perMs
  }
  return { p50: read(50), p95: read(95), p99: read(99) }
}
