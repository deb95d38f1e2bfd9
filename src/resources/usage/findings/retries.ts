import { usdFromNano } from '../../../core/money.ts'
import { type Facts, type Finding, logPath, percent, shownUsd } from './finding.ts'

const COST_NANO_MIN = 0.5e9
/** Of all that the model cost. */
const SHARE_MIN = 0.02
const SHARE_GRAVE = 0.2

/** Attempts that failed and were paid nevertheless. */
export function expensiveRetries({ models }: Facts): readonly Finding[] {
  return models
    .filter(({ failedCostNano, costNano }) => failedCostNano >= COST_NANO_MIN && failedCostNano >= SHARE_MIN * costNano)
    .map(({ model, failedAttempts, failedCostNano, costNano }): Finding => {
      const share = failedCostNano / costNano
      return {
        kind: 'expensive_retries',
        severity: share >= SHARE_GRAVE ? 'critical' : 'warning',
        text: `${shownUsd(failedCostNano)} of what requests to ${model} cost, ${percent(share)}, went to ${failedAttempts} attempts that failed.`,
        evidence: { model, failed_attempts: failedAttempts, failed_usd: usdFromNano(failedCostNano), share },
        action: { text: 'Look at the requests that failed', path: logPath({ model, status: 'error' }) },
      }
    })
}
