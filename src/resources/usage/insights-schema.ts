/** The wire shape of insights. */
import { type Static, Type } from '@sinclair/typebox'
import { choice } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { FINDING_KINDS, type Finding, SEVERITIES } from './findings/finding.ts'
import type { Insights } from './insights.ts'
import { pageOfModels } from './models.ts'
import { ModelWire, modelToWire, PointWire, pointToWire } from './report-schema.ts'
import { periodFields, SavedWire, savedToWire, summaryToWire, SummaryWire } from './summary-schema.ts'

const MODELS_MAX = 20

export const InsightsQuery = Type.Object(periodFields, CLOSED)

const FindingWire = Type.Object(
  {
    kind: choice(FINDING_KINDS),
    severity: choice(SEVERITIES),
    text: Type.String(),
    evidence: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()]), {
      description: 'ids, names and numbers that it follows from',
    }),
    action: Type.Object({ text: Type.String(), path: Type.String({ description: 'a page of the dashboard' }) }, CLOSED),
  },
  CLOSED,
)

const MethodWire = Type.Object({ cache: Type.String(), affinity: Type.String(), routing: Type.String() }, CLOSED)

export const InsightsWire = Type.Object(
  {
    summary: SummaryWire,
    tz: Type.String(),
    daily: Type.Array(PointWire, { description: 'a day of that zone each' }),
    models: Type.Array(ModelWire, { description: 'those that cost most' }),
    savings: Type.Object({ saved_usd: SavedWire, method: MethodWire }, CLOSED),
    findings: Type.Array(FindingWire),
  },
  CLOSED,
)

/** How the figures of `saved_usd` come about, for whoever doubts them. */
const METHOD = {
  cache:
    'For each attempt: what all of its input tokens would have cost as uncached input, less what they cost. Tokens written to a cache cost more than uncached ones, so a cache that is hardly read saves less than nothing.',
  affinity:
    'The same, and not in what caches saved: for each attempt that affinity kept at the account of the requests before it, while another account of the same priority could have been taken. With a fixed order of accounts, only what was kept out of that order.',
  routing:
    'For each answer: what its tokens would have cost at the first model that was considered for the request, less what they cost at the model that answered. Nothing where that was the first one, or where the first has no known price.',
}

export function insightsToWire({ summary, tz, daily, models, findings }: Insights): Static<typeof InsightsWire> {
  const page = pageOfModels(models, { q: undefined, sort: 'cost_usd', order: 'desc', offset: 0, limit: MODELS_MAX })
  return {
    summary: summaryToWire(summary),
    tz,
    daily: daily.map(pointToWire),
    models: page.items.map(modelToWire),
    savings: { saved_usd: savedToWire(summary.measures), method: METHOD },
    findings: findings.map(findingToWire),
  }
}

function findingToWire({ kind, severity, text, evidence, action }: Finding): Static<typeof FindingWire> {
  return { kind, severity, text, evidence: { ...evidence }, action: { text: action.text, path: action.path } }
}
