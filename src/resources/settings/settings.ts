import type { UsdPerMtok } from '../../catalog/price.ts'
import { isSame } from '../../core/same.ts'
import { SECOND_MS } from '../../core/duration.ts'
import type { CooldownRules } from '../../routing/cooldown.ts'
import type { CircuitRules } from '../../routing/breaker.ts'
import type { Affinity } from '../../routing/affinity.ts'
import type { AccountStrategy } from '../../routing/candidates.ts'
import type { CommitPoint, GoingOn, StreamRule } from '../../routing/rule.ts'
import { USUAL } from '../chains/chain.ts'
import type { ContentLogging } from '../contents/content.ts'
import { movingOnToWire } from '../chains/moving-on.ts'
import { PRICE_FILE_URL, type PriceSync } from '../providers/rates-sync.ts'
import type { Settings as Wire, SettingsDraft } from './schema.ts'

/** What the program goes by. Only what something enforces is here. */
export interface Settings {
  readonly server: {
    readonly maxBodyMib: number
    readonly shutdownGraceS: number
    /** CIDR blocks whose `X-Forwarded-*` headers are believed. */
    readonly trustedProxies: readonly string[]
  }
  readonly auth: {
    /** The key that requests without any credential count as sent with; null: they are refused. */
    readonly anonymousKeyId: string | null
    /** Whether copies of gateway keys are kept for reveal. */
    readonly keysRevealable: boolean
    /** Sign-ins in 15 minutes before waiting begins. */
    readonly signInAttempts: number
  }
  readonly routing: GoingOn & {
    readonly demo: boolean
    readonly inferProvider: boolean
    /** Every inference call is refused at once. */
    readonly paused: boolean
    /** A quality hint that a model cannot take is refused instead of left out. */
    readonly strictParams: boolean
    readonly defaultModel: string | null
    readonly accountStrategy: AccountStrategy
    /** For `sticky_n`. */
    readonly stickyRequests: number
    readonly affinity: Affinity
    /** Since the last request; 0: not at all. */
    readonly affinityTtlS: number
    readonly timeouts: {
      readonly connectMs: number
      readonly firstTokenMs: number
      /** Follows `firstTokenMs` once that is set: one value then stands for both. */
      readonly firstContentMs: number
      readonly idleMs: number
      readonly totalMs: number
    }
  }
  readonly resilience: {
    /** How long a request waits for an account that is only at its own limits; 0: not at all. */
    readonly queueMs: number
    readonly cooldown: CooldownRules
    readonly circuit: CircuitRules
  }
  readonly streaming: {
    readonly keepaliveS: number
    /** When an answer belongs to its target, where no chain says otherwise. */
    readonly commit: CommitPoint
    /** What is held back until then. */
    readonly bufferKib: number
    readonly onCut: StreamRule['onCut']
    readonly drainForUsageS: number
    /** Where answers are kept that clients go on from by their id. */
    readonly responsesStore: 'memory' | 'off'
  }
  readonly pricing: {
    readonly sync: PriceSync
    readonly syncUrl: string
    /** Of a model whose price nobody knows; null: there is none. */
    readonly unknownPrice: UsdPerMtok | null
  }
  readonly logging: {
    /** Of which requests the words are kept, where key and plan do not say. */
    readonly logContent: ContentLogging
    /** Of each request and each answer. */
    readonly bodyMaxKib: number
    readonly retainBodiesDays: number
    /** Of the request log. */
    readonly retainRowsDays: number
    /** Of the sums by day that reports are read from. */
    readonly retainDailyDays: number
    /** What the log and the sums may take; the oldest requests go first. */
    readonly dbMaxMib: number
    /** Of what was set aside for a request that died with the process, so much of a hundred is charged. */
    readonly crashChargePct: number
  }
}

const { retry, fallback_on } = movingOnToWire(USUAL)

export const DEFAULTS: Wire = {
  server: { max_body_mib: 32, shutdown_grace_s: 30, trusted_proxies: [] },
  auth: { anonymous_key_id: null, keys_revealable: true, sign_in_attempts: 5 },
  routing: {
    demo: true,
    infer_provider: true,
    paused: false,
    strict_params: false,
    default_model: null,
    account_strategy: 'priority',
    sticky_requests: 3,
    affinity: 'prompt_prefix',
    affinity_ttl_s: 300,
    timeouts: { connect_ms: 10_000, first_token_ms: 180_000, idle_ms: 300_000, total_ms: 900_000 },
    retry,
    fallback_on,
  },
  resilience: {
    queue_ms: 0,
    cooldown: { base_ms: 2_000, factor: 2, max_ms: 300_000, cap_provider_s: 1_800, reprobe: true },
    circuit: { errors: 5, window_s: 30, open_s: 30, half_open: 1 },
  },
  pricing: { sync: 'manual', sync_url: PRICE_FILE_URL, unknown_price_usd: null },
  streaming: {
    keepalive_s: 15,
    commit: 'first_content',
    buffer_kib: 256,
    on_cut: 'error',
    drain_for_usage_s: 0,
    responses_store: 'memory',
  },
  logging: {
    log_content: 'never',
    body_max_kib: 256,
    retain_bodies_days: 7,
    retain_rows_days: 90,
    retain_daily_days: 730,
    db_max_mib: 2_048,
    crash_charge_pct: 100,
  },
}
const FIRST_CONTENT_MS = 600_000

/** What differs from the defaults, in the shape of the wire; an absent field has its default. */
export type Overrides = Readonly<Record<string, unknown>>

/** The overrides after a write: `null` takes one away, groups are merged, what equals its default is not kept. */
export function merged(overrides: Overrides, draft: SettingsDraft): Overrides {
  return mergeGroup(overrides, draft as Overrides, DEFAULTS as unknown as Overrides)
}

function mergeGroup(overrides: Overrides, draft: Overrides, defaults: Overrides): Overrides {
  const next: Record<string, unknown> = { ...overrides }
  for (const [name, value] of Object.entries(draft)) {
    if (value === undefined) continue
    const standard = defaults[name]
    const merged = isGroup(value) && isGroup(standard) ? mergeGroup(groupOf(next[name]), value, standard) : value
    if (merged === null || isSame(merged, standard) || isSame(merged, {})) delete next[name]
    else next[name] = merged
  }
  return next
}

/** The whole settings as the wire shows them. */
export function effective(overrides: Overrides): Wire {
  return overlay(DEFAULTS as unknown as Overrides, overrides) as unknown as Wire // the schema checked every override
}

function overlay(defaults: Overrides, overrides: Overrides): Overrides {
  const known = Object.entries(defaults).map(([name, standard]) => {
    const value = overrides[name]
    if (isGroup(standard)) return [name, overlay(standard, groupOf(value))]
    return [name, value === undefined ? standard : value]
  })
  return Object.fromEntries(known) // a field that this version no longer has stays behind
}

/** The paths of what differs, with both values, for the audit log: a setting that may be null has paths of its own when it is not. */
export function changes(before: Wire, after: Wire): { readonly before: Overrides; readonly after: Overrides } {
  const [was, is] = [leavesOf(before), leavesOf(after)]
  const changed = new Set([...was.keys(), ...is.keys()].filter((path) => !isSame(was.get(path), is.get(path))))
  const pick = (leaves: ReadonlyMap<string, unknown>) =>
    Object.fromEntries([...leaves].filter(([path]) => changed.has(path)))
  return { before: pick(was), after: pick(is) }
}

function leavesOf(value: object, path = ''): Map<string, unknown> {
  const leaves = Object.entries(value).flatMap(([name, child]): [string, unknown][] =>
    isGroup(child) ? [...leavesOf(child, `${path}${name}.`)] : [[`${path}${name}`, child]],
  )
  return new Map(leaves)
}

export function settingsOf(overrides: Overrides): Settings {
  const { server, auth, routing, resilience, streaming, logging, pricing } = effective(overrides)
  const { timeouts } = routing
  const isFirstTokenSet = timeouts.first_token_ms !== DEFAULTS.routing.timeouts.first_token_ms
  return {
    server: {
      maxBodyMib: server.max_body_mib,
      shutdownGraceS: server.shutdown_grace_s,
      trustedProxies: server.trusted_proxies,
    },
    auth: {
      anonymousKeyId: auth.anonymous_key_id,
      keysRevealable: auth.keys_revealable,
      signInAttempts: auth.sign_in_attempts,
    },
    routing: {
      demo: routing.demo,
      inferProvider: routing.infer_provider,
      paused: routing.paused,
      strictParams: routing.strict_params,
      defaultModel: routing.default_model,
      accountStrategy: routing.account_strategy,
      stickyRequests: routing.sticky_requests,
      affinity: routing.affinity,
      affinityTtlS: routing.affinity_ttl_s,
      timeouts: {
        connectMs: timeouts.connect_ms,
        firstTokenMs: timeouts.first_token_ms,
        firstContentMs: isFirstTokenSet ? timeouts.first_token_ms : FIRST_CONTENT_MS,
        idleMs: timeouts.idle_ms,
        totalMs: timeouts.total_ms,
      },
      ...goingOnFrom(routing),
    },
    resilience: resilienceOf(resilience),
    pricing: { sync: pricing.sync, syncUrl: pricing.sync_url, unknownPrice: pricing.unknown_price_usd },
    streaming: {
      keepaliveS: streaming.keepalive_s,
      commit: streaming.commit,
      bufferKib: streaming.buffer_kib,
      onCut: streaming.on_cut,
      drainForUsageS: streaming.drain_for_usage_s,
      responsesStore: streaming.responses_store,
    },
    logging: {
      logContent: logging.log_content,
      bodyMaxKib: logging.body_max_kib,
      retainBodiesDays: logging.retain_bodies_days,
      retainRowsDays: logging.retain_rows_days,
      crashChargePct: logging.crash_charge_pct,
      retainDailyDays: logging.retain_daily_days,
      dbMaxMib: logging.db_max_mib,
    },
  }
}

function goingOnFrom({ retry, fallback_on }: Wire['routing']): GoingOn {
  const { per_step, total_attempts, base_ms, max_ms, jitter, on } = retry
  return {
    retry: {
      perStep: per_step,
      totalAttempts: total_attempts,
      baseMs: base_ms,
      maxMs: max_ms,
      jitter,
      on: new Set(on),
    },
    fallbackOn: new Set(fallback_on),
  }
}

function resilienceOf({ queue_ms, cooldown, circuit }: Wire['resilience']): Settings['resilience'] {
  return {
    queueMs: queue_ms,
    cooldown: {
      baseMs: cooldown.base_ms,
      factor: cooldown.factor,
      maxMs: cooldown.max_ms,
      capMs: cooldown.cap_provider_s * SECOND_MS,
      reprobe: cooldown.reprobe,
    },
    circuit: {
      errors: circuit.errors,
      windowMs: circuit.window_s * SECOND_MS,
      openMs: circuit.open_s * SECOND_MS,
      halfOpen: circuit.half_open,
    },
  }
}

function isGroup(value: unknown): value is Overrides {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function groupOf(value: unknown): Overrides {
  return isGroup(value) ? value : {}
}
