/** What a provider's own endpoint says of an account, read where the provider's data says that it stands. */
import type { QuotaReport } from '../../catalog/provider.ts'
import { isObject, type Json } from '../../core/json.ts'
import type { QuotaReading } from '../../routing/quota-headers.ts'

/** Undefined when the answer does not say what is left: the account has no such limit. */
export function readReport(report: QuotaReport, body: Json | undefined): QuotaReading | undefined {
  const remaining = figureAt(body, report.remaining)
  if (remaining === null) return undefined
  return {
    window: report.window,
    unit: report.unit,
    limit: figureAt(body, report.limit),
    used: figureAt(body, report.used),
    remaining,
    resetsAfterMs: null,
  }
}

/** Some say numbers as text. */
function figureAt(body: Json | undefined, path: readonly string[] | undefined): number | null {
  if (path === undefined) return null
  let value: Json | undefined = body
  for (const member of path) value = isObject(value) ? value[member] : undefined
  const figure = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof figure === 'number' && Number.isFinite(figure) ? figure : null
}
