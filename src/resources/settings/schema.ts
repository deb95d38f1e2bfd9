/** The wire shape of settings. A field enters here in the commit that enforces it. */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { choice, nullable, optional, optionalFields } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { AFFINITIES } from '../../routing/affinity.ts'
import { ACCOUNT_STRATEGIES } from '../../routing/candidates.ts'
import { COMMIT_POINTS, CUT_ANSWERS } from '../../routing/rule.ts'
import { CONTENT_LOGGING } from '../contents/content.ts'
import { fallbackField, retryFields } from '../chains/failing-fields.ts'
import { PRICE_SYNCS } from '../providers/rates-sync.ts'

const server = {
  max_body_mib: Type.Integer({ minimum: 1, maximum: 512, description: 'the largest inference request' }),
  shutdown_grace_s: Type.Integer({ minimum: 0, maximum: 3_600, description: 'how long streams may finish at a stop' }),
  trusted_proxies: Type.Array(Type.String({ maxLength: 50 }), { maxItems: 100, description: 'addresses and blocks' }),
}
const auth = {
  anonymous_key_id: nullable(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'stands in for requests without a credential; only on loopback',
    }),
  ),
  keys_revealable: Type.Boolean({ description: 'keep sealed copies of gateway keys; false forgets those there are' }),
  sign_in_attempts: Type.Integer({ minimum: 1, maximum: 100, description: 'in 15 minutes, before waiting begins' }),
}
const timeouts = {
  connect_ms: Type.Integer({ minimum: 100, maximum: 120_000 }),
  first_token_ms: Type.Integer({ minimum: 1_000, maximum: 3_600_000 }),
  idle_ms: Type.Integer({ minimum: 1_000, maximum: 3_600_000 }),
  total_ms: Type.Integer({ minimum: 1_000, maximum: 86_400_000 }),
}
const routing = {
  demo: Type.Boolean({ description: 'offer the built-in demo provider' }),
  infer_provider: Type.Boolean({ description: 'accept a model name without its provider' }),
  paused: Type.Boolean({ description: 'refuse every inference call' }),
  strict_params: Type.Boolean({
    description: 'refuse quality hints that a model cannot take, instead of leaving them out',
  }),
  account_strategy: choice(ACCOUNT_STRATEGIES),
  sticky_requests: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description: 'for `sticky_n`: requests before the next',
  }),
  affinity: choice(AFFINITIES),
  affinity_ttl_s: Type.Integer({ minimum: 0, maximum: 86_400, description: 'for how long; 0: not at all' }),
  default_model: nullable(Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' })),
  fallback_on: fallbackField,
}
const cooldown = {
  base_ms: Type.Integer({ minimum: 100, maximum: 600_000, description: 'after a first limit without a named time' }),
  factor: Type.Number({ minimum: 1, maximum: 10, description: 'by which each limit in a row lengthens the next rest' }),
  max_ms: Type.Integer({ minimum: 100, maximum: 3_600_000, description: 'limits that last longer count as exhausted' }),
  cap_provider_s: Type.Integer({ minimum: 1, maximum: 86_400, description: 'the longest rest without asking again' }),
  reprobe: Type.Boolean({ description: 'let one request try, well before the time that a provider names' }),
}
const circuit = {
  errors: Type.Integer({ minimum: 1, maximum: 100, description: 'failures after which a provider is left alone' }),
  window_s: Type.Integer({ minimum: 1, maximum: 600, description: 'within which they count' }),
  open_s: Type.Integer({ minimum: 1, maximum: 600, description: 'for how long' }),
  half_open: Type.Integer({ minimum: 1, maximum: 10, description: 'requests at once that then try it' }),
}
const resilience = {
  queue_ms: Type.Integer({
    minimum: 0,
    maximum: 60_000,
    description: 'how long a request waits for an account that is at its own limits; 0: not at all',
  }),
}
const streaming = {
  keepalive_s: Type.Integer({ minimum: 1, maximum: 60 }),
  commit: choice(COMMIT_POINTS),
  buffer_kib: Type.Integer({ minimum: 1, maximum: 4_096, description: 'what is held back until then' }),
  on_cut: choice(CUT_ANSWERS),
  drain_for_usage_s: Type.Integer({
    minimum: 0,
    maximum: 3_600,
    description: 'how long a stream whose client has gone is read on for its exact usage; 0: not at all',
  }),
  responses_store: Type.Union([Type.Literal('memory'), Type.Literal('off')], {
    description: 'keep answers to clients of the Responses format, so that they can go on from them by their id',
  }),
}
const logging = {
  log_content: choice(CONTENT_LOGGING),
  body_max_kib: Type.Integer({ minimum: 1, maximum: 4_096, description: 'kept of each request and each answer' }),
  retain_bodies_days: Type.Integer({ minimum: 1, maximum: 365, description: 'for how long their words are kept' }),
  retain_rows_days: Type.Integer({ minimum: 1, maximum: 3_650, description: 'for how long the request log is kept' }),
  retain_daily_days: Type.Integer({ minimum: 62, maximum: 36_500, description: 'for how long sums by day are kept' }),
  db_max_mib: Type.Integer({
    minimum: 16,
    maximum: 1_048_576,
    description: 'what the request log and the sums may take; the oldest requests go first',
  }),
  crash_charge_pct: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'the share of what a budget had set aside that is charged for a request which died with the process',
  }),
}

const UsdPerMtok = Type.Number({ minimum: 0, maximum: 100_000, description: 'dollars per million tokens' })
const pricing = {
  sync: choice(PRICE_SYNCS),
  sync_url: Type.String({ minLength: 1, maxLength: 2_048, description: 'https, with a price file of genai-prices' }),
  unknown_price_usd: nullable(
    Type.Object(
      { input: UsdPerMtok, output: UsdPerMtok },
      { ...CLOSED, description: 'what budgets count where nobody knows a price; null: they refuse the request' },
    ),
  ),
}

const closed = <T extends Record<string, TSchema>>(fields: T) => Type.Object(fields, CLOSED)

const groups = {
  server: closed(server),
  auth: closed(auth),
  routing: closed({ ...routing, timeouts: closed(timeouts), retry: closed(retryFields) }),
  resilience: closed({ ...resilience, cooldown: closed(cooldown), circuit: closed(circuit) }),
  streaming: closed(streaming),
  logging: closed(logging),
  pricing: closed(pricing),
}
const SettingsSchema = closed(groups)
export type Settings = Static<typeof SettingsSchema>

export const SettingsWire = closed({
  id: Type.Literal('settings'),
  created_at: Type.String(),
  updated_at: Type.String(),
  version: Type.Integer(),
  ...groups,
})

/** Every field may be left out, or be `null` for its default. */
export const SettingsBody = closed({
  server: loose(server),
  auth: loose(auth),
  routing: loose({
    ...routing,
    timeouts: closed(optionalFields(timeouts)),
    retry: closed(optionalFields(retryFields)),
  }),
  resilience: loose({
    ...resilience,
    cooldown: closed(optionalFields(cooldown)),
    circuit: closed(optionalFields(circuit)),
  }),
  streaming: loose(streaming),
  logging: loose(logging),
  pricing: loose(pricing),
})
export type SettingsDraft = Static<typeof SettingsBody>

function loose<T extends Record<string, TSchema>>(fields: T) {
  return optional(closed(optionalFields(fields)))
}
