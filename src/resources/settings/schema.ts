/** The wire shape of settings. A field enters here in the commit that enforces it. */
import { type Static, type TNull, type TOptional, type TSchema, type TUnion, Type } from '@sinclair/typebox'
import { nullable } from '../../http/choice.ts'

const CLOSED = { additionalProperties: false } as const

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
  default_model: nullable(Type.String({ minLength: 1, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' })),
}
const streaming = {
  keepalive_s: Type.Integer({ minimum: 1, maximum: 60 }),
  responses_store: Type.Union([Type.Literal('memory'), Type.Literal('off')], {
    description: 'keep answers to clients of the Responses format, so that they can go on from them by their id',
  }),
}

const closed = <T extends Record<string, TSchema>>(fields: T) => Type.Object(fields, CLOSED)

const groups = {
  server: closed(server),
  auth: closed(auth),
  routing: closed({ ...routing, timeouts: closed(timeouts) }),
  streaming: closed(streaming),
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
  routing: loose({ ...routing, timeouts: closed({ ...optional(timeouts) }) }),
  streaming: loose(streaming),
})
export type SettingsDraft = Static<typeof SettingsBody>

function loose<T extends Record<string, TSchema>>(fields: T) {
  return Type.Optional(nullable(closed(optional(fields))))
}

function optional<T extends Record<string, TSchema>>(fields: T) {
  const entries = Object.entries(fields).map(([name, schema]) => [name, Type.Optional(nullable(schema))])
  return Object.fromEntries(entries) as { [K in keyof T]: TOptional<TUnion<[T[K], TNull]>> } // mapping loses the names
}
