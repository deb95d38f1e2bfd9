/** The limits as plans and keys write them. A field enters here in the commit that enforces it. */
import { type Static, Type } from '@sinclair/typebox'
import { nanoFromUsd, usdFromNano } from '../../core/money.ts'
import { isTimeZone } from '../../core/time-zone.ts'
import { choice, nullable, optional } from '../../http/choice.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { BUDGET_PERIODS, type Limits, NO_LIMITS, ON_OUTPUT_OVER } from './limits.ts'

const REQUESTS_MAX = 1e9
const TOKENS_MAX = 1e15
const TOKENS_OF_ONE_MAX = 1e9
const CONCURRENCY_MAX = 10_000
const QUEUE_MS_MAX = 60_000
/** Nano-dollars are exact up to here. */
const USD_MAX = 9_000_000

const Requests = Type.Integer({ minimum: 0, maximum: REQUESTS_MAX })
const Tokens = Type.Integer({ minimum: 0, maximum: TOKENS_MAX })
const TokensOfOne = Type.Integer({ minimum: 1, maximum: TOKENS_OF_ONE_MAX })

/** `null` is what holds where nobody sets anything: no limit, or the default of the others. */
export const limitFields = {
  rpm: optional(Requests),
  rpd: optional(Requests),
  tpm: optional(Tokens),
  tpd: optional(Tokens),
  cache_read_weight: optional(Type.Number({ minimum: 0, maximum: 1 })),
  max_concurrency: optional(Type.Integer({ minimum: 1, maximum: CONCURRENCY_MAX })),
  queue_ms: optional(Type.Integer({ minimum: 0, maximum: QUEUE_MS_MAX })),
  max_input_tokens: optional(TokensOfOne),
  max_output_tokens: optional(TokensOfOne),
  on_output_over: optional(choice(ON_OUTPUT_OVER)),
  budget_usd: optional(Type.Number({ minimum: 0, maximum: USD_MAX, description: 'per key and period' })),
  budget_period: optional(choice(BUDGET_PERIODS)),
  soft_threshold: optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
  budget_timezone: optional(Type.String({ maxLength: 64, description: 'IANA name, such as Europe/Vienna' })),
}
const Draft = Type.Object(limitFields)
export type LimitsDraft = Static<typeof Draft>

/** As reads show all of them. */
export const limitsWire = {
  rpm: nullable(Requests),
  rpd: nullable(Requests),
  tpm: nullable(Tokens),
  tpd: nullable(Tokens),
  cache_read_weight: Type.Number(),
  max_concurrency: nullable(Type.Integer()),
  queue_ms: Type.Integer(),
  max_input_tokens: nullable(TokensOfOne),
  max_output_tokens: nullable(TokensOfOne),
  on_output_over: choice(ON_OUTPUT_OVER),
  budget_usd: nullable(Type.Number()),
  budget_period: choice(BUDGET_PERIODS),
  soft_threshold: Type.Number(),
  budget_timezone: Type.String(),
}

const NAMES = {
  rpm: 'requestsPerMinute',
  rpd: 'requestsPerDay',
  tpm: 'tokensPerMinute',
  tpd: 'tokensPerDay',
  cache_read_weight: 'cacheReadWeight',
  max_concurrency: 'concurrencyMax',
  queue_ms: 'queueMs',
  max_input_tokens: 'inputTokensMax',
  max_output_tokens: 'outputTokensMax',
  on_output_over: 'onOutputOver',
  budget_usd: 'budgetNano',
  budget_period: 'budgetPeriod',
  soft_threshold: 'softThreshold',
  budget_timezone: 'timezone',
} as const satisfies Readonly<Record<keyof LimitsDraft, keyof Limits>>
const ENTRIES = Object.entries(NAMES) as [keyof LimitsDraft, keyof Limits][] // exactly those above

/** What was sent, and nothing else. */
export function readLimits(draft: LimitsDraft): Partial<Limits> {
  const sent = ENTRIES.filter(([name]) => draft[name] !== undefined)
  const limits = Object.fromEntries(sent.map(([name, field]) => [field, draft[name] ?? NO_LIMITS[field]]))
  return typeof draft.budget_usd === 'number' ? { ...limits, budgetNano: nanoFromUsd(draft.budget_usd) } : limits
}

/** What is set, under the names of the wire. */
export function limitsToWire(limits: Limits): Static<typeof Wire>
export function limitsToWire(limits: Partial<Limits>): LimitsDraft
export function limitsToWire(limits: Partial<Limits>): LimitsDraft {
  const set = ENTRIES.filter(([, field]) => limits[field] !== undefined)
  const wire = Object.fromEntries(set.map(([name, field]) => [name, limits[field]]))
  return typeof limits.budgetNano === 'number' ? { ...wire, budget_usd: usdFromNano(limits.budgetNano) } : wire
}
const Wire = Type.Object(limitsWire)

/** What no schema can see. */
export function limitProblems({ timezone }: Partial<Limits>): FieldErrors {
  if (timezone === undefined || isTimeZone(timezone)) return {}
  return { budget_timezone: ['must be the IANA name of a time zone, such as Europe/Vienna'] }
}
