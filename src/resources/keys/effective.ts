import type { StoredKey } from './key.ts'

/** What inference goes by, in place of a key's rules alone. */
export interface EffectiveKey extends StoredKey {
  /** Null: on no plan. */
  readonly planId: string | null
  /** Who goes first where requests wait for something; the higher the sooner. */
  readonly priority: number
  /** What `auto` means for it; null: what the settings say. */
  readonly defaultModel: string | null
  /** All its chats go through this chain; null: where they ask to go. */
  readonly chainId: string | null
  /** The only accounts that may serve it; null: all. */
  readonly accountIds: readonly string[] | null
  /** How long a request waits for a free slot of the key. */
  readonly queueMs: number
}

/** The rules that count for a key. */
export function effectiveKey(key: StoredKey): EffectiveKey {
  return { ...key, planId: null, priority: 0, defaultModel: null, chainId: null, accountIds: null, queueMs: 0 }
}
