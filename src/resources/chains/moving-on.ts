/** How a chain goes on when something fails, between the wire and the rules. `null` means the default. */
import { type Static, Type } from '@sinclair/typebox'
import { SECOND_MS } from '../../core/duration.ts'
import { CLOSED } from '../../http/closed.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { choice, nullable, optional } from '../../http/choice.ts'
import { AFFINITIES } from '../../routing/affinity.ts'
import {
  COMMIT_POINTS,
  CUT_ANSWERS,
  type Requirements,
  type Stickiness,
  type StreamRule,
  type TimeoutOverrides,
} from '../../routing/rule.ts'
import { withoutAbsent } from './without-absent.ts'
import { type MovingOn, type Retry, USUAL } from './chain.ts'
import { fallbackField, retryFields } from './failing-fields.ts'

const BYTES_PER_KIB = 1_024

const Milliseconds = Type.Integer({ minimum: 100, maximum: 3_600_000 })
const Requirement = optional(Type.Boolean())
const DollarsPerMillion = Type.Number({ minimum: 0, maximum: 1_000_000 })

const REGIONS_MAX = 20
const Regions = Type.Array(Type.String({ pattern: '^[a-z0-9*][a-z0-9*-]{0,39}$' }), {
  maxItems: REGIONS_MAX,
  description: 'patterns such as `eu-*`; every place where a request may be worked on has to match one',
})

export const TimeoutsField = Type.Object(
  {
    connect_ms: optional(Milliseconds),
    first_token_ms: optional(Milliseconds),
    idle_ms: optional(Milliseconds),
    total_ms: optional(Milliseconds),
  },
  CLOSED,
)

const StickyField = Type.Object(
  {
    by: optional(choice(AFFINITIES)),
    ttl_s: optional(Type.Integer({ minimum: 0, maximum: 86_400 })),
    requests: optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'then another is chosen' })),
  },
  CLOSED,
)

const RetryField = Type.Object(
  {
    per_step: optional(retryFields.per_step),
    total_attempts: optional(retryFields.total_attempts),
    base_ms: optional(retryFields.base_ms),
    max_ms: optional(retryFields.max_ms),
    jitter: optional(retryFields.jitter),
    on: optional(retryFields.on),
  },
  CLOSED,
)

const StreamField = Type.Object(
  {
    commit: optional(choice(COMMIT_POINTS)),
    buffer_kib: optional(Type.Integer({ minimum: 1, maximum: 4_096 })),
    min_tokens_per_s: optional(Type.Number({ exclusiveMinimum: 0, maximum: 10_000 })),
    on_cut: optional(choice(CUT_ANSWERS)),
  },
  CLOSED,
)

const RequireField = Type.Object(
  {
    tools: Requirement,
    vision: Requirement,
    pdf: Requirement,
    audio: Requirement,
    json_schema: Requirement,
    thinking: Requirement,
    min_context: optional(Type.Integer({ minimum: 1, maximum: 100_000_000 })),
    max_price_in: optional(DollarsPerMillion),
    max_price_out: optional(DollarsPerMillion),
    regions: optional(Regions),
    no_training: Requirement,
  },
  { ...CLOSED, description: 'what every model must have; what a request needs is found out from it anyway' },
)

export const movingOnFields = {
  sticky: optional(StickyField),
  retry: optional(RetryField),
  fallback_on: optional(fallbackField),
  timeouts: optional(TimeoutsField),
  stream: optional(StreamField),
  require: optional(RequireField),
}
const MovingOnDraftSchema = Type.Object(movingOnFields)
export type MovingOnDraft = Static<typeof MovingOnDraftSchema>
type Sent<Group extends keyof MovingOnDraft> = NonNullable<MovingOnDraft[Group]>

/** What holds after a write: what was sent, `base` where nothing was. A group that is sent in part is `base` for the rest. */
export function readMovingOn(draft: MovingOnDraft, base: MovingOn): MovingOn {
  return {
    sticky: group(draft.sticky, base.sticky, USUAL.sticky, stickyFrom),
    retry: group(draft.retry, base.retry, USUAL.retry, retryFrom),
    fallbackOn: picked(draft.fallback_on, base.fallbackOn, USUAL.fallbackOn),
    timeouts: readTimeouts(draft.timeouts, base.timeouts),
    stream: group(draft.stream, base.stream, USUAL.stream, streamFrom),
    require: group(draft.require, base.require, USUAL.require, requireFrom),
  }
}

/** What no field can say alone. */
export function movingOnProblems({ retry }: MovingOn): FieldErrors {
  return retry.baseMs > retry.maxMs ? { 'retry.base_ms': ['must not be more than max_ms'] } : {}
}

export function readTimeouts(
  sent: Static<typeof TimeoutsField> | null | undefined,
  base: TimeoutOverrides,
): TimeoutOverrides {
  return group(sent, base, {}, (some) =>
    withoutAbsent<TimeoutOverrides>({
      connectMs: picked(some.connect_ms, base.connectMs, undefined),
      firstTokenMs: picked(some.first_token_ms, base.firstTokenMs, undefined),
      idleMs: picked(some.idle_ms, base.idleMs, undefined),
      totalMs: picked(some.total_ms, base.totalMs, undefined),
    }),
  )
}

function stickyFrom({ by, ttl_s, requests }: Sent<'sticky'>, base: Stickiness): Stickiness {
  return {
    by: picked(by, base.by, USUAL.sticky.by),
    ttlMs: picked(scaled(ttl_s, SECOND_MS), base.ttlMs, USUAL.sticky.ttlMs),
    requests: picked(requests, base.requests, null),
  }
}

function retryFrom(sent: Sent<'retry'>, base: Retry): Retry {
  const usual = USUAL.retry
  return {
    perStep: picked(sent.per_step, base.perStep, usual.perStep),
    totalAttempts: picked(sent.total_attempts, base.totalAttempts, usual.totalAttempts),
    baseMs: picked(sent.base_ms, base.baseMs, usual.baseMs),
    maxMs: picked(sent.max_ms, base.maxMs, usual.maxMs),
    jitter: picked(sent.jitter, base.jitter, usual.jitter),
    on: picked(sent.on, base.on, usual.on),
  }
}

function streamFrom(sent: Sent<'stream'>, base: StreamRule): StreamRule {
  const usual = USUAL.stream
  return {
    commit: picked(sent.commit, base.commit, usual.commit),
    bufferBytes: picked(scaled(sent.buffer_kib, BYTES_PER_KIB), base.bufferBytes, usual.bufferBytes),
    minTokensPerS: picked(sent.min_tokens_per_s, base.minTokensPerS, null),
    onCut: picked(sent.on_cut, base.onCut, usual.onCut),
  }
}

/** `false` asks for nothing, so it is not kept. */
function requireFrom(sent: Sent<'require'>, base: Requirements): Requirements {
  const asked = (one: boolean | null | undefined, before: boolean | undefined): true | undefined =>
    picked(one, before, undefined) === true ? true : undefined
  return withoutAbsent<Requirements>({
    tools: asked(sent.tools, base.tools),
    vision: asked(sent.vision, base.vision),
    pdf: asked(sent.pdf, base.pdf),
    audio: asked(sent.audio, base.audio),
    jsonSchema: asked(sent.json_schema, base.jsonSchema),
    thinking: asked(sent.thinking, base.thinking),
    minContextTokens: picked(sent.min_context, base.minContextTokens, undefined),
    maxPriceIn: picked(sent.max_price_in, base.maxPriceIn, undefined),
    maxPriceOut: picked(sent.max_price_out, base.maxPriceOut, undefined),
    regions: filledList(picked(sent.regions, base.regions, undefined)),
    noTraining: asked(sent.no_training, base.noTraining),
  })
}

/** No regions are no demand. */
function filledList(list: readonly string[] | undefined): readonly string[] | undefined {
  return list?.length === 0 ? undefined : list
}

function group<Draft, Rule>(
  sent: Draft | null | undefined,
  base: Rule,
  usual: Rule,
  read: (sent: Draft, base: Rule) => Rule,
): Rule {
  if (sent === undefined) return base
  return sent === null ? usual : read(sent, base)
}

/** `null` is the default, and what was not sent stays. */
export function picked<T>(sent: T | null | undefined, base: T, usual: T): T {
  if (sent === undefined) return base
  return sent ?? usual
}

function scaled(sent: number | null | undefined, by: number): number | null | undefined {
  return typeof sent === 'number' ? sent * by : sent
}

const whole = nullable(Type.Integer())
export const TimeoutsWire = Type.Object(
  { connect_ms: whole, first_token_ms: whole, idle_ms: whole, total_ms: whole },
  CLOSED,
)

/** As reads show it: every field, those without a value as `null`. */
export const movingOnWire = {
  sticky: Type.Object({ by: Type.String(), ttl_s: Type.Integer(), requests: whole }, CLOSED),
  retry: Type.Object(
    {
      per_step: Type.Integer(),
      total_attempts: Type.Integer(),
      base_ms: Type.Integer(),
      max_ms: Type.Integer(),
      jitter: Type.Number(),
      on: Type.Array(Type.String()),
    },
    CLOSED,
  ),
  fallback_on: Type.Array(Type.String()),
  timeouts: TimeoutsWire,
  stream: Type.Object(
    {
      commit: Type.String(),
      buffer_kib: Type.Integer(),
      min_tokens_per_s: nullable(Type.Number()),
      on_cut: Type.String(),
    },
    CLOSED,
  ),
  require: Type.Object(
    {
      tools: Type.Boolean(),
      vision: Type.Boolean(),
      pdf: Type.Boolean(),
      audio: Type.Boolean(),
      json_schema: Type.Boolean(),
      thinking: Type.Boolean(),
      min_context: whole,
      max_price_in: nullable(Type.Number()),
      max_price_out: nullable(Type.Number()),
      regions: Type.Array(Type.String()),
      no_training: Type.Boolean(),
    },
    CLOSED,
  ),
}

export function movingOnToWire({ sticky, retry, fallbackOn, timeouts, stream, require }: MovingOn) {
  return {
    sticky: { by: sticky.by, ttl_s: sticky.ttlMs / SECOND_MS, requests: sticky.requests },
    retry: {
      per_step: retry.perStep,
      total_attempts: retry.totalAttempts,
      base_ms: retry.baseMs,
      max_ms: retry.maxMs,
      jitter: retry.jitter,
      on: [...retry.on],
    },
    fallback_on: [...fallbackOn],
    timeouts: timeoutsToWire(timeouts),
    stream: {
      commit: stream.commit,
      buffer_kib: stream.bufferBytes / BYTES_PER_KIB,
      min_tokens_per_s: stream.minTokensPerS,
      on_cut: stream.onCut,
    },
    require: requireToWire(require),
  }
}

export function timeoutsToWire({ connectMs, firstTokenMs, idleMs, totalMs }: TimeoutOverrides) {
  return {
    connect_ms: connectMs ?? null,
    first_token_ms: firstTokenMs ?? null,
    idle_ms: idleMs ?? null,
    total_ms: totalMs ?? null,
  }
}

function requireToWire(require: Requirements) {
  return {
    tools: require.tools === true,
    vision: require.vision === true,
    pdf: require.pdf === true,
    audio: require.audio === true,
    json_schema: require.jsonSchema === true,
    thinking: require.thinking === true,
    min_context: require.minContextTokens ?? null,
    max_price_in: require.maxPriceIn ?? null,
    max_price_out: require.maxPriceOut ?? null,
    regions: [...(require.regions ?? [])],
    no_training: require.noTraining === true,
  }
}
