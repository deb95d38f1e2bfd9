/** What is told of many measurements. */
export interface Distribution {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

export function distributionOf(values: readonly number[]): Distribution {
  const sorted = values.toSorted((a, b) => a - b)
  return { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), p99: quantile(sorted, 0.99) }
}

export function median(values: readonly number[]): number {
  return distributionOf(values).p50
}

/** By nearest rank: of 20 values, the 95th percentile is the second largest. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
