/** What is told of many measurements. */
export interface Distribution {
  readonly p50: number
  readonly p99: number
}

export function distributionOf(values: readonly number[]): Distribution {
  const sorted = values.toSorted((a, b) => a - b)
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) }
}

export function median(values: readonly number[]): number {
  return distributionOf(values).p50
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
