import type { JsonObject } from '../../core/json.ts'

/** What an operator sets; `expired` follows from the time. */
export type KeyStatus = 'active' | 'disabled'
/** How the key's own skills meet the global ones: added to them, instead of them, or no skills at all. */
export type SkillsMode = 'add' | 'only' | 'none'

/** A reminder only: the secret changes by `rotate` alone. */
export interface Rotation {
  readonly everyDays: number
  readonly graceHours: number
}

/** A key as it was issued to a client, without its secret. */
export interface Key {
  readonly id: string
  readonly name: string
  /** The first characters of the secret, for recognition. */
  readonly prefix: string
  readonly status: KeyStatus
  readonly expiresAtMs: number | null
  /** CIDR blocks; empty allows every address. */
  readonly ipAllowlist: readonly string[]
  /** Patterns; null allows every model. */
  readonly modelsAllow: readonly string[] | null
  /** Beats `modelsAllow`. */
  readonly modelsDeny: readonly string[] | null
  /** Words of `ENDPOINTS`; null allows every one. */
  readonly endpointsAllow: readonly string[] | null
  readonly skillIds: readonly string[]
  readonly skillsMode: SkillsMode
  readonly tags: Readonly<Record<string, string>>
  readonly metadata: JsonObject
  readonly ownerId: string | null
}

/** Has the key's time run out? */
export function isExpired(key: Pick<Key, 'expiresAtMs'>, nowMs: number): boolean {
  return key.expiresAtMs !== null && key.expiresAtMs <= nowMs
}
