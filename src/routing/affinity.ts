/**
 * Requests that belong together go where the last of them went, because the provider has their beginning in its cache there. What
 * is remembered is a hint: it never chooses what cannot be used, and gives way as soon as the place is clearly worse than another.
 */
import type { Candidate, Choosing, Preferences, RankedAccount } from './candidates.ts'
import type { RequestView } from './request-view.ts'
import type { RouteRule } from './rule.ts'

export const AFFINITIES = ['prompt_prefix', 'session', 'key', 'user', 'none'] as const
export type Affinity = (typeof AFFINITIES)[number]

/** Shorter prompts are cached nowhere, so nothing is lost by moving them. The least that providers document is 1,024 tokens. */
export const CACHED_TOKENS_MIN = 1_024

/** Requests under way by which a place may be busier than another, and by which factor, before its cache is not worth the wait. */
const BUSIER_BY = 4
const BUSIER_TIMES = 2
/** Below this share of its quota a place is spared while another has `QUOTA_AMPLE`. */
const QUOTA_SCARCE = 0.05
const QUOTA_AMPLE = 0.2

/**
 * What requests that belong together share; null: nothing. `prompt_prefix` is the key that a client gives, else its session, else
 * a digest of how its prompt begins. `evenShort`: of prompts that no provider would cache, too.
 */
function affinityKeyOf(by: Affinity, view: AffinityView, evenShort: boolean): string | null {
  const key = KEY[by](view)
  if (key !== null || by !== 'prompt_prefix') return key
  return evenShort || (view.inputTokens ?? 0) >= CACHED_TOKENS_MIN ? marked('p', view.affinity.prefix()) : null
}

type AffinityView = Pick<RequestView, 'affinity' | 'keyId' | 'inputTokens'>

const KEY: Readonly<Record<Affinity, (view: AffinityView) => string | null>> = {
  prompt_prefix: ({ affinity }) => marked('c', affinity.cacheKey) ?? marked('s', affinity.sessionId),
  session: ({ affinity }) => marked('s', affinity.sessionId),
  user: ({ affinity }) => marked('u', affinity.user),
  key: ({ keyId }) => marked('k', keyId ?? null),
  none: () => null,
}

function marked(kind: string, value: string | null): string | null {
  return value === null ? null : `${kind}:${value}`
}

export interface Load {
  readonly busy: number
  readonly quota: number | undefined
}

/** Whatever the others are like, none can be clearly better. */
export function isAtEase({ busy, quota }: Load): boolean {
  return busy <= BUSIER_BY && (quota ?? 1) >= QUOTA_SCARCE
}

/** Is `pinned` so much worse than `other` that its cache is not worth it? */
export function isClearlyWorse(pinned: Load, other: Load): boolean {
  if (pinned.busy > other.busy * BUSIER_TIMES + BUSIER_BY) return true
  return (pinned.quota ?? 1) < QUOTA_SCARCE && (other.quota ?? 1) > QUOTA_AMPLE
}

/**
 * `pinned` in front as long as it may stay and no other is clearly better, else behind all others. Those are arranged only when it
 * comes to them, so that what stays where it is takes nobody's turn.
 */
export function* withPin<Item>(
  items: readonly Item[],
  pinned: Item | undefined,
  mayStay: boolean,
  loadOf: (item: Item) => Load,
  arranged: (others: readonly Item[]) => readonly Item[],
): Generator<Item> {
  if (pinned === undefined) return yield* arranged(items)
  const others = items.filter((item) => item !== pinned)
  const load = loadOf(pinned)
  const stays = mayStay && (isAtEase(load) || !others.some((other) => isClearlyWorse(load, loadOf(other))))
  if (stays) yield pinned
  yield* arranged(others)
  if (!stays) yield pinned
}

/** By what a rule keeps requests together; null: it does not. In a fixed order, or where all are asked, there is nothing to keep. */
export function ruleKeyOf({ strategy, sticky }: RouteRule, view: RequestView): string | null {
  if (strategy === 'priority' || strategy === 'ensemble' || sticky.ttlMs === 0) return null
  return affinityKeyOf(sticky.by, view, strategy === 'sticky')
}

/** By what the settings keep requests together at one account; null: they do not. */
export function accountKeyOf({ affinity, affinityTtlMs }: Preferences, view: RequestView): string | null {
  return affinityTtlMs === 0 ? null : affinityKeyOf(affinity, view, false)
}

/** Where pins of accounts are kept: an account's cache is one of a model. */
export function accountScope(providerId: string, model: string): string {
  return `${providerId}/${model}`
}

export interface PinNote {
  /** The gateway key. */
  readonly owner: string
  readonly scope: string
  readonly key: string
  readonly to: string
}

/** What to remember once `candidate` has answered, so that the next request that belongs to this one finds it. */
export function pinsOf(
  candidate: Candidate<RankedAccount>,
  { view, preferences, accounts }: Pick<Choosing<RankedAccount>, 'view' | 'preferences' | 'accounts'>,
): readonly PinNote[] {
  const { provider, publicModel, account, via } = candidate
  const owner = view.keyId ?? ''
  const pins: PinNote[] = []
  for (const { rule, target } of via) {
    const key = rule.targets.length < 2 ? null : ruleKeyOf(rule, view)
    if (key !== null) pins.push({ owner, scope: rule.id, key, to: target.id })
  }
  if (account === null || accounts.of(provider.id).length < 2) return pins
  const key = accountKeyOf(preferences, view)
  if (key !== null) pins.push({ owner, scope: accountScope(provider.id, publicModel), key, to: account.id })
  return pins
}
