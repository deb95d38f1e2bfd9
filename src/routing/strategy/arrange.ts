/**
 * The strategies: in which order equals of one tier are tried. The same ones choose among a rule's targets and among a provider's
 * accounts; what they look at is handed in, so that one history and one sequence of chance always give one order.
 */
import type { OrderingStrategy } from '../rule.ts'

/** `sticky_n`: the next one after every so many requests. */
export type Arrangement = OrderingStrategy | 'sticky_n'

/** How items compare. Only what a strategy looks at is asked for. */
export interface Scale<Item> {
  idOf(item: Item): string
  weightOf(item: Item): number
  /** Requests under way. */
  busyOf(item: Item): number
  /** Milliseconds; undefined: not measured lately. */
  latencyOf(item: Item): number | undefined
  /** Of this request, in any one unit; undefined: nobody knows. */
  costOf(item: Item): number | undefined
  /** The share that is left, 0 to 1; undefined: nobody says. */
  quotaOf(item: Item): number | undefined
}

export interface Occasion {
  /** From 0 up to 1. */
  readonly random: () => number
  /** How many choices of this kind were made before; asking counts. */
  readonly turn: () => number
  /** For `sticky_n`. */
  readonly requestsEach: number
  /** What requests that belong together share; null: nothing. For `sticky`. */
  readonly key: string | null
}

type Arrange = <Item>(items: readonly Item[], scale: Scale<Item>, occasion: Occasion) => readonly Item[]

const ARRANGE: Readonly<Record<Arrangement, Arrange>> = {
  priority: (items) => items,
  round_robin: (items, _, { turn }) => rotated(items, turn()),
  sticky_n: (items, _, { turn, requestsEach }) => rotated(items, Math.floor(turn() / requestsEach)),
  random: (items, _, { random }) => drawn(items, () => 1, random),
  weighted: (items, { weightOf }, { random }) => drawn(items, weightOf, random),
  least_busy: (items, { busyOf }) => ascending(items, busyOf),
  // What was not measured lately is tried first, or it never would be.
  lowest_latency: (items, { latencyOf }) => ascending(items, (item) => latencyOf(item) ?? 0),
  lowest_cost: (items, { costOf }) => ascending(items, (item) => costOf(item) ?? Infinity),
  // Who does not say is not known to run short.
  quota_aware: (items, { quotaOf }) => ascending(items, (item) => -(quotaOf(item) ?? 1)),
  p2c: twoChoices,
  sticky: stuck,
}

/** All `items`, the one to try first in front. */
export function arrange<Item>(
  arrangement: Arrangement,
  items: readonly Item[],
  scale: Scale<Item>,
  occasion: Occasion,
): readonly Item[] {
  return items.length < 2 ? items : ARRANGE[arrangement](items, scale, occasion)
}

function rotated<Item>(items: readonly Item[], turn: number): readonly Item[] {
  const at = turn % items.length
  return [...items.slice(at), ...items.slice(0, at)]
}

/** Stable: equals stay in the order in which they came, also when both are infinite. */
function ascending<Item>(items: readonly Item[], measure: (item: Item) => number): readonly Item[] {
  return items
    .map((item) => ({ item, value: measure(item) }))
    .sort((a, b) => a.value - b.value || 0)
    .map(({ item }) => item)
}

/**
 * Drawn one after the other without putting back, each with the chance that its weight has among those that are left: the largest
 * of `u^(1/w)` first. Efraimidis and Spirakis, "Weighted random sampling with a reservoir" (2006).
 */
function drawn<Item>(items: readonly Item[], weightOf: (item: Item) => number, random: () => number): readonly Item[] {
  return ascending(items, (item) => waitOf(weightOf(item), random()))
}

/** `-log(u) / w`, ascending, is `u^(1/w)`, descending, without its rounding. Without any weight: last. */
function waitOf(weight: number, chance: number): number {
  return weight > 0 ? -Math.log(1 - chance) / weight : Number.MAX_VALUE
}

/** Of two drawn by chance the less busy one: nearly as even as asking all, and no herd runs to the same one. */
function twoChoices<Item>(items: readonly Item[], scale: Scale<Item>, { random }: Occasion): readonly Item[] {
  const [one, other, ...rest] = drawn(items, () => 1, random)
  if (one === undefined || other === undefined) return items
  return scale.busyOf(other) < scale.busyOf(one) ? [other, one, ...rest] : [one, other, ...rest]
}

/** Each key has an order of its own, the same in every process and moved as little as can be by changes of the list. */
function stuck<Item>(items: readonly Item[], scale: Scale<Item>, { key, random }: Occasion): readonly Item[] {
  if (key === null) return drawn(items, scale.weightOf, random)
  return ascending(items, (item) => waitOf(scale.weightOf(item), fractionOf(`${key}\n${scale.idOf(item)}`)))
}

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** A number from 0 up to 1 that depends on the text alone: FNV-1a, its bits mixed as MurmurHash3 ends. */
function fractionOf(text: string): number {
  let hash = FNV_OFFSET
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
