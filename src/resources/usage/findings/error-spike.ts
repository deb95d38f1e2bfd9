import type { ModelReport } from '../usage.ts'
import { type Facts, type Finding, logPath, percent } from './finding.ts'

const FAILED_MIN = 20
const RATE_MIN = 0.1
const RATE_GRAVE = 0.5
/** As often as before. */
const TIMES_MIN = 3

/** A model that fails much more often than in the range before. */
export function errorSpikes({ models, modelsBefore }: Facts): readonly Finding[] {
  const before = new Map(modelsBefore.map((report) => [report.model, report]))
  return models.flatMap((report) => {
    const { model } = report
    const failed = failedOf(report)
    const [rate, rateBefore] = [rateOf(report), rateOf(before.get(model))]
    if (failed < FAILED_MIN || rate < RATE_MIN || rate < TIMES_MIN * rateBefore) return []
    return [findingOf(report, failed, rate, rateBefore)]
  })
}

function findingOf(
  { model, requests, errors }: ModelReport,
  failed: number,
  rate: number,
  rateBefore: number,
): Finding {
  const [most] = errors
  const mostly = most === undefined ? '' : `, mostly as ${most.kind}`
  return {
    kind: 'error_spike',
    severity: rate >= RATE_GRAVE ? 'critical' : 'warning',
    text: `${percent(rate)} of the requests to ${model} failed${mostly}; before it were ${percent(rateBefore)}.`,
    evidence: { model, requests, failed, rate, rate_before: rateBefore, error_class: most?.kind ?? null },
    action: {
      text: 'Look at what failed, and let requests go elsewhere when it does',
      path: logPath(most === undefined ? { model } : { model, error_class: most.kind }),
    },
  }
}

function failedOf({ failed, cut }: ModelReport): number {
  return failed + cut
}

function rateOf(report: ModelReport | undefined): number {
  const decided = report === undefined ? 0 : report.ok + failedOf(report)
  return report === undefined || decided === 0 ? 0 : failedOf(report) / decided
}
