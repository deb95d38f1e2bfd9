import { DAY_MS } from '../../core/duration.ts'
import type { JsonObject } from '../../core/json.ts'
import type { ContentLogging } from '../contents/content.ts'
import type { Limits } from '../plans/limits.ts'

/** What an operator sets; `expired` follows from the time. */
export type KeyStatus = 'active' | 'disabled'

/** How the key's own skills meet the global ones: added to them, instead of them, or no skills at all. */
export const SKILLS_MODES = ['add', 'only', 'none'] as const
export type SkillsMode = (typeof SKILLS_MODES)[number]

/** A reminder only: the secret changes by `rotate` alone. */
export interface Rotation {
  readonly everyDays: number
  readonly graceHours: number
}

/** What an operator decides about a key. */
export interface KeyRules {
  readonly name: string
  readonly ownerId: string | null
  readonly status: KeyStatus
  readonly expiresAtMs: number | null
  /** CIDR blocks; empty allows every address. */
  readonly ipAllowlist: readonly string[]
  /** Null: on no plan. */
  readonly planId: string | null
  /** What differs from the plan's; null: nothing. */
  readonly limits: Partial<Limits> | null
  /** The only accounts that may serve it; null: all. */
  readonly accountIds: readonly string[] | null
  /** Patterns; null: the plan's. */
  readonly modelsAllow: readonly string[] | null
  /** Beats `modelsAllow`; null: the plan's. */
  readonly modelsDeny: readonly string[] | null
  /** Words of `ENDPOINTS`; null: the plan's. */
  readonly endpointsAllow: readonly string[] | null
  readonly skillIds: readonly string[]
  readonly skillsMode: SkillsMode
  readonly tags: Readonly<Record<string, string>>
  readonly metadata: JsonObject
  readonly rotation: Rotation | null
  /** Of which requests the words are kept; null: as its plan says. */
  readonly logContent: ContentLogging | null
}

/** A key as it was issued to a client, without its secret: what the inference path goes by. */
export interface Key extends KeyRules {
  readonly id: string
  /** The first characters of the secret, for recognition. */
  readonly prefix: string
}

/** A key's secret as it is kept: hashed for look-ups, masked to be shown, sealed to be revealed if copies are kept. */
export interface KeptSecret {
  readonly prefix: string
  readonly secretHash: string
  readonly secretMasked: string
  readonly sealedSecret: string | null
}

/** A key as the database has it. */
export interface StoredKey extends Key, KeptSecret {
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly version: number
  /** The secret before the last rotation, until its grace ends. */
  readonly previousHash: string | null
  readonly previousUntilMs: number | null
  readonly rotatedAtMs: number
  readonly lastUsedAtMs: number | null
  readonly lastIp: string | null
}

/** Has the key's time run out? */
export function isExpired(key: Pick<Key, 'expiresAtMs'>, nowMs: number): boolean {
  return key.expiresAtMs !== null && key.expiresAtMs <= nowMs
}

/** When its secret should be rotated; null: nobody wants to be reminded. */
export function rotationDueAtMs({ rotation, rotatedAtMs }: Pick<StoredKey, 'rotation' | 'rotatedAtMs'>): number | null {
  return rotation === null ? null : rotatedAtMs + rotation.everyDays * DAY_MS
}
