import { inputTokens } from '../../core/usage.ts'
import type { Page } from '../../http/pagination.ts'
import type { ModelReport } from './usage.ts'

export const MODEL_SORTS = ['requests', 'cost_usd', 'output', 'failed', 'latency', 'model'] as const
export type ModelSort = (typeof MODEL_SORTS)[number]

/** A model with its part of the whole. */
export interface ModelShare {
  readonly report: ModelReport
  /** From 0 to 1, like all here. */
  readonly requests: number
  /** Null when nothing cost anything. */
  readonly cost: number | null
  /** Input tokens that came from a cache; null without input. */
  readonly cacheHits: number | null
}

const VALUE: Readonly<Record<Exclude<ModelSort, 'model'>, (report: ModelReport) => number>> = {
  requests: (report) => report.requests,
  cost_usd: (report) => report.costNano,
  output: (report) => report.tokens.output,
  failed: (report) => report.failed + report.cut,
  latency: (report) => report.latencyMs.p50 ?? 0,
}

/** One page of the models whose name holds `q`; shares are of all of them. */
export function pageOfModels(
  reports: readonly ModelReport[],
  { q, sort, order, offset, limit }: Page<ModelSort>,
): { readonly items: readonly ModelShare[]; readonly total: number } {
  const found = reports.filter(({ model }) => q === undefined || model.toLowerCase().includes(q.toLowerCase()))
  const direction = order === 'asc' ? 1 : -1
  const sorted = found.toSorted((a, b) => direction * compare(a, b, sort) || (a.model < b.model ? -1 : 1))
  const shareOf = shares(reports)
  return { items: sorted.slice(offset, offset + limit).map(shareOf), total: found.length }
}

function compare(a: ModelReport, b: ModelReport, sort: ModelSort): number {
  if (sort === 'model') return a.model < b.model ? -1 : Number(a.model > b.model)
  return VALUE[sort](a) - VALUE[sort](b)
}

function shares(reports: readonly ModelReport[]): (report: ModelReport) => ModelShare {
  const requests = reports.reduce((sum, report) => sum + report.requests, 0)
  const costNano = reports.reduce((sum, report) => sum + report.costNano, 0)
  return (report) => {
    const input = inputTokens(report.tokens)
    return {
      report,
      requests: report.requests / requests,
      cost: costNano === 0 ? null : report.costNano / costNano,
      cacheHits: input === 0 ? null : report.tokens.cacheRead / input,
    }
  }
}
