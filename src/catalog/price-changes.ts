/** What a newer price file would change, and what of that nobody should have to pay without having looked at it. */
import type { ModelInfo, ModelPrice, TieredPrices } from '@pydantic/genai-prices'
import { modelIn, rowsOf } from './price-file.ts'
import { priceFrom, rowAt } from './price-rows.ts'
import type { Price } from './price.ts'

/** A price that rises or falls by more is taken for a mistake of the file. */
export const CHANGE_FACTOR_MAX = 10

export interface PriceChange {
  /** As the data names it. */
  readonly model: string
  /** Undefined: paid by other things than tokens. */
  readonly before: Price | undefined
  readonly after: Price | undefined
}

export interface PriceChanges {
  readonly added: number
  readonly removed: number
  readonly changed: readonly PriceChange[]
  /** They keep the price that they have. */
  readonly held: readonly PriceChange[]
  /** The part's models, those that are held with the price that they keep. */
  readonly models: readonly ModelInfo[]
}

/** `before`: all models that have a price now, `after`: those of the file, both of one provider, first match first. */
export function changesBetween(before: readonly ModelInfo[], after: readonly ModelInfo[], atMs: number): PriceChanges {
  const held = before.flatMap((old) => {
    const next = modelIn(after, old.id)
    return next !== undefined && isBeyond(old, next) ? [{ old, next }] : []
  })
  const keeps = new Set(held.map(({ old }) => old))
  const models = keeping(after, [...keeps])
  const known = new Set(before.map(({ id }) => id))
  return {
    added: after.filter(({ id }) => !known.has(id)).length,
    removed: before.filter(({ id }) => modelIn(after, id) === undefined).length,
    changed: before.filter((old) => !keeps.has(old)).flatMap((old) => changeIn(old, models, atMs)),
    held: held.map(({ old, next }) => changeOf(old, next, atMs)),
    models,
  }
}

function changeIn(old: ModelInfo, models: readonly ModelInfo[], atMs: number): readonly PriceChange[] {
  const next = modelIn(models, old.id)
  return next === undefined || isSame(old, next, atMs) ? [] : [changeOf(old, next, atMs)]
}

/** The held ones in the place of their successors; where another entry took their name, before all others. */
function keeping(after: readonly ModelInfo[], held: readonly ModelInfo[]): readonly ModelInfo[] {
  const byId = new Map(held.map((model) => [model.id, model]))
  const kept = after.map((model) => {
    const old = byId.get(model.id)
    return old === undefined ? model : { ...model, prices: old.prices }
  })
  const present = new Set(after.map(({ id }) => id))
  const shadowed = held.filter((old) => !present.has(old.id) || modelIn(after, old.id)?.id !== old.id)
  return [...shadowed.map((old) => ({ ...old, match: { equals: old.id.toLowerCase() } })), ...kept]
}

function changeOf(before: ModelInfo, after: ModelInfo, atMs: number): PriceChange {
  return { model: before.id, before: priceAt(before, atMs), after: priceAt(after, atMs) }
}

function isSame(before: ModelInfo, after: ModelInfo, atMs: number): boolean {
  return JSON.stringify(priceAt(before, atMs)) === JSON.stringify(priceAt(after, atMs))
}

function priceAt({ prices }: ModelInfo, atMs: number): Price | undefined {
  return priceFrom(Array.isArray(prices) ? rowAt(prices, atMs).prices : prices)
}

/** Looks at all rows, so that no price can lie in wait for a day to come. */
function isBeyond(before: ModelInfo, after: ModelInfo): boolean {
  const [was, is] = [spansOf(before), spansOf(after)]
  if (was.size === 0 || is.size === 0) return was.size !== is.size
  const isLost = WHAT_TOKENS_COST.some((key) => was.has(key) && !is.has(key))
  return isLost || [...is].some(([key, span]) => isFar(was.get(key), span))
}

/** Without one of these, what was paid would be free. */
const WHAT_TOKENS_COST = ['input_mtok', 'output_mtok']

interface Span {
  readonly min: number
  readonly max: number
}

function isFar(was: Span | undefined, is: Span): boolean {
  return was !== undefined && (is.min * CHANGE_FACTOR_MAX < was.min || is.max > was.max * CHANGE_FACTOR_MAX)
}

/** The least and the most that a model asks for each thing, whenever and above whatever bound. */
function spansOf(model: ModelInfo): ReadonlyMap<string, Span> {
  const spans = new Map<string, Span>()
  for (const [key, figures] of rowsOf(model).flatMap(figuresOf)) {
    const known = spans.get(key)
    const all = known === undefined ? figures : [...figures, known.min, known.max]
    spans.set(key, { min: Math.min(...all), max: Math.max(...all) })
  }
  return spans
}

function figuresOf(prices: ModelPrice): readonly (readonly [key: string, figures: readonly number[]])[] {
  return Object.entries(prices).flatMap(([key, price]) =>
    price === undefined ? [] : [[key, figuresIn(price)] as const],
  )
}

function figuresIn(price: number | TieredPrices): readonly number[] {
  return typeof price === 'number' ? [price] : [price.base, ...price.tiers.map((tier) => tier.price)]
}
