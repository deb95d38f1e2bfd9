/** The wire shapes of trying a chain. */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { usdFromNano } from '../../core/money.ts'
import { choice, nullable } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { RANGES } from '../usage/range.ts'
import type { PastTrial } from './past.ts'
import { WholeChainBody } from './schema.ts'
import { type CandidateTrial, OUTPUT_TOKENS_ASSUMED, type StepTrial, TRIALS } from './simulate.ts'

const Count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })
const Word = Type.String({ minLength: 1, maxLength: 200 })
const Optional = <T extends TSchema>(schema: T) => Type.Optional(schema)

/** The newest rows of a range that are looked at. */
export const ROWS_MAX = 1_000
const ROWS_DEFAULT = 100

/** What is left out is not known, as with requests of the past. */
const FactsField = Type.Object(
  {
    input_tokens: Optional(Count),
    max_tokens: Optional(nullable(Count)),
    tools: Optional(Count),
    images: Optional(Count),
    documents: Optional(Count),
    audio: Optional(Count),
    thinking: Optional(Type.Boolean()),
    structured_output: Optional(Type.Boolean()),
    stream: Optional(Type.Boolean()),
    dialect: Optional(Word),
    client: Optional(Word),
    at: Optional(Type.String({ maxLength: 40, description: 'RFC 3339; now' })),
  },
  CLOSED,
)

const RequestField = Type.Object(
  {
    endpoint: Optional(choice(['messages', 'chat', 'responses', 'gemini', 'ollama'])),
    body: Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'as a client would send it; or facts' })),
    facts: Optional(FactsField),
    headers: Optional(
      Type.Record(
        Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$" }),
        Type.String({ maxLength: 2_000 }),
        CLOSED,
      ),
    ),
    key_id: Optional(Type.String({ maxLength: 64, description: 'as sent with this key' })),
  },
  CLOSED,
)

const asked = {
  request: Optional(RequestField),
  range: Optional(choice(RANGES)),
  limit: Optional(
    Type.Integer({ minimum: 1, maximum: ROWS_MAX, description: `the newest rows of the range; ${ROWS_DEFAULT}` }),
  ),
}
export const SimulateBody = Type.Object({ chain: WholeChainBody, ...asked }, CLOSED)
export const SimulateSavedBody = Type.Object({ chain: Optional(WholeChainBody), ...asked }, CLOSED)
export type SimulateDraft = Static<typeof SimulateSavedBody>
export type RequestDraft = Static<typeof RequestField>

export function rowsOf({ limit }: SimulateDraft): number {
  return limit ?? ROWS_DEFAULT
}

const Money = nullable(Type.Number({ minimum: 0 }))
const Reason = nullable(Type.String())

const CandidateWire = Type.Object(
  {
    provider: Reason,
    model: Type.String(),
    account_id: Reason,
    order: nullable(Type.Integer()),
    reason: Reason,
    detail: Reason,
    estimated_cost_usd: Money,
  },
  CLOSED,
)

const StepTrialWire = Type.Object(
  {
    id: Type.String(),
    model: Type.String(),
    tried: choice(TRIALS),
    reason: Reason,
    detail: Reason,
    estimated_cost_usd: Money,
    candidates: Type.Array(CandidateWire),
  },
  CLOSED,
)

const PastWire = Type.Object(
  {
    requests: Count,
    moved: Count,
    unserved: Count,
    unknown: Count,
    before_usd: Type.Number(),
    after_usd: Type.Number(),
    cost_unknown_requests: Count,
    steps: Type.Array(
      Type.Object({ id: Type.String(), model: Type.String(), requests: Count, cost_usd: Type.Number() }, CLOSED),
    ),
    examples: Type.Array(Type.Object({ request_id: Type.String(), before: Reason, after: Reason }, CLOSED)),
  },
  CLOSED,
)

/** One of the two is there. */
export const SimulationWire = Type.Object(
  {
    request: nullable(Type.Object({ steps: Type.Array(StepTrialWire), output_tokens_assumed: Count }, CLOSED)),
    range: nullable(PastWire),
  },
  CLOSED,
)
type Wire = Static<typeof SimulationWire>

export function requestTrialToWire(steps: readonly StepTrial[]): Wire {
  return { request: { steps: steps.map(stepToWire), output_tokens_assumed: OUTPUT_TOKENS_ASSUMED }, range: null }
}

function stepToWire({ costNano, candidates, ...step }: StepTrial): Static<typeof StepTrialWire> {
  return { ...step, estimated_cost_usd: usdOrNull(costNano), candidates: candidates.map(candidateToWire) }
}

function candidateToWire({ accountId, costNano, ...candidate }: CandidateTrial): Static<typeof CandidateWire> {
  return { ...candidate, account_id: accountId, estimated_cost_usd: usdOrNull(costNano) }
}

export function pastTrialToWire(trial: PastTrial): Wire {
  return {
    request: null,
    range: {
      requests: trial.requests,
      moved: trial.moved,
      unserved: trial.unserved,
      unknown: trial.unknown,
      before_usd: usdFromNano(trial.beforeNano),
      after_usd: usdFromNano(trial.afterNano),
      cost_unknown_requests: trial.costUnknown,
      steps: trial.steps.map(({ id, model, requests, costNano }) => ({
        id,
        model,
        requests,
        cost_usd: usdFromNano(costNano),
      })),
      examples: trial.examples.map(({ requestId, before, after }) => ({ request_id: requestId, before, after })),
    },
  }
}

function usdOrNull(nano: number | null): number | null {
  return nano === null ? null : usdFromNano(nano)
}
