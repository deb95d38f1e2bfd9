/** Which account of a provider serves a model, best first. */
import { chosenFrom, WALKED_MAX, type AccountPool } from './account-pool.ts'
import { accountKeyOf, accountScope, withPin, type Load } from './affinity.ts'
import type { Candidate, Choosing, Chosen, Considered, Place, RankedAccount } from './candidates.ts'
import { passedOver, type Leaf } from './leaves.ts'
import { missesPlace } from './needs.ts'
import type { Observations, Pin } from './observations.ts'
import { rankOf } from './request-view.ts'
import { termsOf, type Terms } from './route.ts'
import { NO_PARAMS } from './rule.ts'
import type { SkipReason } from './skip.ts'
import { arrange, type Scale } from './strategy/arrange.ts'
import { tiersOf } from './tiers.ts'

/** `asked`: the name that the client wrote. */
export function accountsFor<Account extends RankedAccount>(
  leaf: Leaf,
  asked: string,
  choosing: Choosing<Account>,
): Iterable<Considered<Account>> {
  const { step, via } = leaf
  const terms = termsOf(via, asked, choosing.preferences)
  if (step.provider.kind === 'demo') return [withoutAccount<Account>(leaf, terms)]
  const pool = poolOf(leaf, choosing)
  const [only, second] = pool
  if (only === undefined) return [passedOver(step, step.model, via, noneReason(leaf, choosing), null)]
  if (second === undefined) return [consider(leaf, terms, itsTurn(only), choosing)]
  const rank = rankOf(choosing.view)
  const many = pool.length > WALKED_MAX ? choosing.accounts.pool(step.provider.id, step.model, rank) : undefined
  const isWhole = many !== undefined && pool === choosing.accounts.of(step.provider.id)
  return isWhole ? amongMany(many, leaf, terms, choosing) : among(pool, leaf, terms, choosing)
}

/** The provider's accounts; of those only what the key and every target on the way name, where they name any, and what can go on. */
function poolOf<Account extends RankedAccount>(
  { step, via }: Leaf,
  { accounts, accountIds, onlyAccountId }: Choosing<Account>,
): readonly Account[] {
  const keeper = onlyAccountId === undefined ? null : [onlyAccountId]
  const lists = [keeper, ...via.map(({ target }) => target.accountIds), accountIds]
  const [first, ...others] = lists.filter((list) => list !== null)
  if (first === undefined) return accounts.of(step.provider.id)
  const ids = first.filter((id) => others.every((list) => list.includes(id)))
  return ids.flatMap((id) => accounts.byId(id) ?? []).filter(({ provider }) => provider === step.provider.id)
}

function noneReason({ via, step }: Leaf, { accounts, accountIds, onlyAccountId }: Choosing<RankedAccount>): SkipReason {
  const isPermitted = accountIds === null || accountIds.some((id) => accounts.byId(id)?.provider === step.provider.id)
  if (!isPermitted && accounts.of(step.provider.id).length > 0) return 'account_not_permitted'
  const isNarrowed = onlyAccountId !== undefined || via.some(({ target }) => target.accountIds !== null)
  return isNarrowed ? 'not_this_account' : 'no_account'
}

function consider<Account extends RankedAccount>(
  leaf: Leaf,
  terms: Terms,
  { account, isKept }: Chosen<Account>,
  { accounts, view }: Choosing<Account>,
): Considered<Account> {
  const { step, via } = leaf
  const model = accounts.upstreamModel(account, step.model)
  const misplaced = misplacedFor(leaf, () => accounts.placeOf(step.provider, account))
  const skipped = misplaced ?? accounts.unusable(account, step.model, rankOf(view))
  if (skipped === null) return candidateOf(leaf, terms, { account, isKept }, model)
  return { provider: step.provider, model, publicModel: step.model, account, skipped, detail: null, via }
}

function withoutAccount<Account extends RankedAccount>(leaf: Leaf, terms: Terms): Considered<Account> {
  const { step, via } = leaf
  const misplaced = misplacedFor(leaf, () => ({ regions: step.provider.regions ?? [], isVendors: true }))
  return misplaced === null
    ? candidateOf<Account>(leaf, terms, { account: null, isKept: false }, step.model)
    : passedOver(step, step.model, via, misplaced, null)
}

/** Why a rule on the way does not let requests go to a place; null: they may. */
function misplacedFor({ step, via }: Leaf, place: () => Place): SkipReason | null {
  for (const { rule } of via) {
    const missed = missesPlace(rule.require, step.provider, place)
    if (missed !== null) return missed
  }
  return null
}

function candidateOf<Account extends RankedAccount>(
  { step, via }: Leaf,
  ofRules: Terms,
  { account, isKept }: Pick<Candidate<Account>, 'account' | 'isKept'>,
  model: string,
): Candidate<Account> {
  const params = account?.params ?? NO_PARAMS
  const terms = params === NO_PARAMS ? ofRules : { ...ofRules, overrides: { ...ofRules.overrides, ...params } }
  return { provider: step.provider, model, publicModel: step.model, account, isKept, skipped: null, via, terms }
}

function* among<Account extends RankedAccount>(
  pool: readonly Account[],
  leaf: Leaf,
  terms: Terms,
  choosing: Choosing<Account>,
): Generator<Considered<Account>> {
  const pin = pinOf(leaf, choosing)
  if (choosing.preferences.accountStrategy === 'priority' && pin === undefined) {
    for (const account of tiersOf(pool, itself).flat()) yield consider(leaf, terms, itsTurn(account), choosing)
    return
  }
  const usable: Account[] = []
  for (const account of pool) {
    const considered = consider(leaf, terms, itsTurn(account), choosing)
    if (considered.skipped === null) usable.push(account)
    else yield considered
  }
  for (const tier of tiersOf(usable, itself)) {
    for (const chosen of chosenIn(tier, leaf, pin, choosing)) yield consider(leaf, terms, chosen, choosing)
  }
}

/** Only what can be used is looked at, unless nothing can. */
function* amongMany<Account extends RankedAccount>(
  pool: AccountPool<Account>,
  leaf: Leaf,
  terms: Terms,
  choosing: Choosing<Account>,
): Generator<Considered<Account>> {
  const { step } = leaf
  const { accounts, preferences, seen } = choosing
  const counter = accountScope(step.provider.id, step.model)
  let isAny = false
  for (const chosen of chosenFrom(pool, {
    preferences,
    pin: pinOf(leaf, choosing),
    model: step.model,
    seen,
    counter,
  })) {
    isAny = true
    yield consider(leaf, terms, chosen, choosing)
  }
  if (isAny) return
  for (const account of accounts.of(step.provider.id)) yield consider(leaf, terms, itsTurn(account), choosing)
}

function itsTurn<Account>(account: Account): Chosen<Account> {
  return { account, isKept: false }
}

function itself<Account extends RankedAccount>(account: Account): Account {
  return account
}

function pinOf({ step }: Leaf, { preferences, seen, view }: Choosing<RankedAccount>): Pin | undefined {
  const key = accountKeyOf(preferences, view)
  if (key === null) return undefined
  const scope = accountScope(step.provider.id, step.model)
  return seen.pinned(view.keyId ?? '', scope, key, preferences.affinityTtlMs)
}

/** `isKept` is for the one in front alone, and not where a fixed order has it in front anyway. */
function* chosenIn<Account extends RankedAccount>(
  tier: readonly Account[],
  leaf: Leaf,
  pin: Pin | undefined,
  choosing: Choosing<Account>,
): Generator<Chosen<Account>> {
  const isFixed = choosing.preferences.accountStrategy === 'priority' && tier[0]?.id === pin?.to
  let mayBeKept = tier.length > 1 && !isFixed
  for (const account of arranged(tier, leaf, pin, choosing)) {
    yield { account, isKept: mayBeKept && account.id === pin?.to }
    mayBeKept = false
  }
}

/** One tier as the settings' strategy has it, with the account that has the prompt's beginning in its cache in front. */
function arranged<Account extends RankedAccount>(
  tier: readonly Account[],
  { step }: Leaf,
  pin: Pin | undefined,
  { preferences, seen }: Choosing<Account>,
): Iterable<Account> {
  if (tier.length < 2) return tier
  const scale = scaleOfAccounts(step.model, seen)
  const occasion = {
    random: () => seen.random(),
    turn: () => seen.turn(`${accountScope(step.provider.id, step.model)} ${tier[0]?.priority}`),
    requestsEach: preferences.stickyRequests,
    key: null,
  }
  return withPin(
    tier,
    pin && tier.find(({ id }) => id === pin.to),
    true,
    (account) => loadOf(scale, account),
    (others) => arrange<Account>(preferences.accountStrategy, others, scale, occasion),
  )
}

function scaleOfAccounts(model: string, seen: Observations): Scale<RankedAccount> {
  return {
    idOf: ({ id }) => id,
    weightOf: ({ weight }) => weight,
    busyOf: ({ id }) => seen.inFlightOfAccount(id),
    latencyOf: () => undefined,
    costOf: () => undefined,
    quotaOf: ({ id }) => seen.quotaLeft(id, model),
  }
}

function loadOf(scale: Scale<RankedAccount>, account: RankedAccount): Load {
  return { busy: scale.busyOf(account), quota: scale.quotaOf(account) }
}
