import { hasPassed, type ProbeReport } from './probe.ts'
import type { ReportWire } from './schema.ts'

const SAMPLE_MAX = 10

/** A probe as the wire shows it. */
export function reportToWire(report: ProbeReport): ReportWire {
  return {
    ok: hasPassed(report),
    steps: report.steps.map(({ step, ms, http, failure }) => ({
      step,
      ok: failure === undefined,
      ms,
      ...(http === undefined ? {} : { http }),
      ...(failure === undefined ? {} : { class: failure.kind, message: failure.message }),
    })),
    models_found: report.models.length,
    models_sample: report.models.slice(0, SAMPLE_MAX),
    warnings: [...report.warnings],
  }
}
