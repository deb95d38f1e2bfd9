import { type Static, Type } from '@sinclair/typebox'
import { FAILURE_KINDS } from '../../core/failure.ts'
import { choice } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { hasPassed, STEP_NAMES, type ProbeReport } from './probe.ts'

const SAMPLE_MAX = 10

const Step = Type.Object(
  {
    step: choice(STEP_NAMES),
    ok: Type.Boolean(),
    ms: Type.Integer({ description: 'from the start of this step; 0 where it was part of the next one' }),
    http: Type.Optional(Type.Integer()),
    class: Type.Optional(choice(FAILURE_KINDS)),
    message: Type.Optional(Type.String()),
  },
  CLOSED,
)

export const ReportShape = Type.Object(
  {
    ok: Type.Boolean(),
    steps: Type.Array(Step),
    models_found: Type.Integer(),
    models_sample: Type.Array(Type.String()),
    warnings: Type.Array(Type.String()),
  },
  CLOSED,
)
export type ReportWire = Static<typeof ReportShape>

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
