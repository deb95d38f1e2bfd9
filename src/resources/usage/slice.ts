/** Usage of a span of time in a form that adds up: what telemetry of a long range is put together from. */
import { NO_USAGE, sumOfUsage } from '../../core/usage.ts'
import { BIN_RATIO, PART_KINDS, type PartKind, SPREAD_KINDS, type SpreadKind } from './breakdown-queries.ts'
import type { Latencies, Percentiles, Sums } from './usage.ts'

/** A piece of a series. */
export interface Point {
  /** Where it begins. */
  readonly atMs: number
  readonly sums: Sums
}

/** Someone or something that took part in requests: a key, a model, a kind of failure. */
export interface Part {
  readonly name: string
  readonly requests: number
  readonly ok: number
  /** Those that were cut among them. */
  readonly failed: number
  readonly costNano: number
  readonly costUnknown: number
  readonly inputTokens: number
  readonly cacheRead: number
  readonly output: number
}

/** How many values lie in each bin. */
export type Bins = ReadonlyMap<number, number>

export interface Slice {
  /** By time. */
  readonly points: readonly Point[]
  readonly parts: Readonly<Record<PartKind, readonly Part[]>>
  readonly spreads: Readonly<Record<SpreadKind, Bins>>
  /** Requests that still ran: the slice will change. */
  readonly open: number
}

const US_PER_MS = 1_000
const NO_SUMS: Sums = {
  requests: 0,
  ok: 0,
  failed: 0,
  cut: 0,
  cancelled: 0,
  tokens: NO_USAGE,
  costNano: 0,
  costUnknown: 0,
}

export function sumOfSlices(slices: readonly Slice[]): Slice {
  return {
    points: slices.flatMap(({ points }) => points),
    parts: byKind(PART_KINDS, (kind) => sumOfParts(slices.flatMap((slice) => slice.parts[kind]))),
    spreads: byKind(SPREAD_KINDS, (kind) => sumOfBins(slices.map((slice) => slice.spreads[kind]))),
    open: slices.reduce((open, slice) => open + slice.open, 0),
  }
}

/** A value for each kind. */
export function byKind<Kind extends string, Value>(
  kinds: readonly Kind[],
  valueOf: (kind: Kind) => Value,
): Readonly<Record<Kind, Value>> {
  return Object.fromEntries(kinds.map((kind) => [kind, valueOf(kind)])) as Record<Kind, Value> // exactly these
}

export function totalsOf({ points }: Slice): Sums {
  return points.reduce<Sums>((total, { sums }) => addSums(total, sums), NO_SUMS)
}

/** A point for each span of `bucketMs` that touches the range, also where nothing happened. */
export function seriesOf({ points }: Slice, fromMs: number, toMs: number, bucketMs: number): readonly Point[] {
  const startOf = (ms: number): number => ms - (ms % bucketMs)
  const byStart = Map.groupBy(points, ({ atMs }) => startOf(atMs))
  const length = (startOf(toMs) - startOf(fromMs)) / bucketMs + 1
  return Array.from({ length }, (_, n) => {
    const atMs = startOf(fromMs) + n * bucketMs
    return { atMs, sums: (byStart.get(atMs) ?? []).reduce<Sums>((sum, point) => addSums(sum, point.sums), NO_SUMS) }
  })
}

export function latenciesOf({ spreads }: Pick<Slice, 'spreads'>): Latencies {
  return {
    latencyMs: percentilesOf(spreads.latency, 1),
    firstTokenMs: percentilesOf(spreads.first_token, 1),
    gatewayMs: percentilesOf(spreads.gateway, US_PER_MS),
  }
}

/** By nearest rank, within one per cent; null without values. `perMs`: how many of the bins' unit are a millisecond. */
export function percentilesOf(bins: Bins, perMs: number): Percentiles {
  const sorted = [...bins].sort(([a], [b]) => a - b)
  const places = sorted.reduce((sum, [, amount]) => sum + amount, 0)
  const read = (per: number): number | null => {
    let left = Math.ceil((places * per) / 100)
    const found = sorted.find(([, amount]) => (left -= amount) <= 0)
    return found === undefined ? null : Math.round(BIN_RATIO ** (found[0] + 0.5) - 1) / perMs
  }
  return { p50: read(50), p95: read(95), p99: read(99) }
}

function sumOfParts(parts: readonly Part[]): readonly Part[] {
  const byName = new Map<string, Part>()
  for (const part of parts) {
    const before = byName.get(part.name)
    byName.set(part.name, before === undefined ? part : addParts(before, part))
  }
  return [...byName.values()]
}

function sumOfBins(all: readonly Bins[]): Bins {
  const sum = new Map<number, number>()
  for (const bins of all) for (const [bin, amount] of bins) sum.set(bin, (sum.get(bin) ?? 0) + amount)
  return sum
}

function addParts(a: Part, b: Part): Part {
  return {
    name: a.name,
    requests: a.requests + b.requests,
    ok: a.ok + b.ok,
    failed: a.failed + b.failed,
    costNano: a.costNano + b.costNano,
    costUnknown: a.costUnknown + b.costUnknown,
    inputTokens: a.inputTokens + b.inputTokens,
    cacheRead: a.cacheRead + b.cacheRead,
    output: a.output + b.output,
  }
}

function addSums(a: Sums, b: Sums): Sums {
  return {
    requests: a.requests + b.requests,
    ok: a.ok + b.ok,
    failed: a.failed + b.failed,
    cut: a.cut + b.cut,
    cancelled: a.cancelled + b.cancelled,
    tokens: sumOfUsage(a.tokens, b.tokens),
    costNano: a.costNano + b.costNano,
    costUnknown: a.costUnknown + b.costUnknown,
  }
}
