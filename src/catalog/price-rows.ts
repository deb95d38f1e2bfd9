/** A row of the price data → a `Price`: dates, hours and tiers as the data means them, dollars as pico-dollars. */
import type { ConditionalPrice, ModelPrice, TieredPrices } from '@pydantic/genai-prices'
import { DAY_MS } from '../core/duration.ts'
import { picoPerToken, type PicoUsd } from '../core/money.ts'
import { NO_FACTORS, type Price, type Rates, type ServiceTierFactors } from './price.ts'
import type { StatedPrice } from './provider.ts'

export interface DatedRow {
  readonly prices: ModelPrice
  /** Null where it counts since always, or by the hour. */
  readonly sinceMs: number | null
}

/** The last row whose condition holds at `atMs`, else the first: the order is the data's own. */
export function rowAt(rows: readonly ConditionalPrice[], atMs: number): DatedRow {
  const row = rows.findLast((one) => holds(one, atMs)) ?? rows[0]
  const constraint = row?.constraint
  const sinceMs = constraint?.type === 'start_date' ? startOf(constraint.start_date) : null
  return { prices: row?.prices ?? {}, sinceMs }
}

function holds({ constraint }: ConditionalPrice, atMs: number): boolean {
  if (constraint === undefined) return true
  if (constraint.type === 'start_date') return atMs >= startOf(constraint.start_date)
  const [start, end] = [msOfDay(constraint.start_time), msOfDay(constraint.end_time)]
  const now = atMs % DAY_MS
  return end < start ? now >= start || now < end : now >= start && now < end
}

function startOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`)
}

/** `"16:30:00Z"` or with an offset → milliseconds since midnight UTC. */
function msOfDay(time: string): number {
  return (Date.parse(`1970-01-02T${time}`) + DAY_MS) % DAY_MS
}

/** Undefined when tokens are not what the model is paid by (speech by the hour). An empty row is a free model. */
export function priceFrom(prices: ModelPrice, factors: Partial<ServiceTierFactors> = {}): Price | undefined {
  const paidByToken = prices['input_mtok'] !== undefined || prices['output_mtok'] !== undefined
  if (!paidByToken && Object.keys(prices).length > 0) return undefined
  return {
    ...ratesAt(prices, 0),
    webSearch: picoEach(amountAt(prices['web_searches_kcount'], 0)),
    perRequest: picoEach(amountAt(prices['requests_kcount'], 0)),
    tiers: boundsOf(prices).map((above) => ({ aboveInputTokens: above, ...ratesAt(prices, above + 1) })),
    serviceTiers: { ...NO_FACTORS, ...factors },
  }
}

/** A stated price as the data would have it. */
export function statedRow({ input, output, cacheRead, cacheWrite }: StatedPrice): ModelPrice {
  return {
    input_mtok: input,
    output_mtok: output,
    ...(cacheRead === undefined ? {} : { cache_read_mtok: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cache_write_mtok: cacheWrite }),
  }
}

function boundsOf(prices: ModelPrice): readonly number[] {
  const bounds = Object.values(prices).flatMap((price) =>
    isTiered(price) ? price.tiers.map(({ start }) => start) : [],
  )
  return [...new Set(bounds)].sort((a, b) => a - b)
}

function ratesAt(prices: ModelPrice, inputTokens: number): Rates {
  const usd = (key: string) => amountAt(prices[key], inputTokens)
  const input = usd('input_mtok') ?? 0
  const output = usd('output_mtok') ?? 0
  const reasoning = usd('output_reasoning_mtok')
  const cacheWrite = usd('cache_write_mtok') ?? input
  return {
    input: picoPerToken(input),
    output: picoPerToken(output),
    reasoning: reasoning === undefined ? null : picoPerToken(reasoning),
    cacheRead: picoPerToken(usd('cache_read_mtok') ?? input),
    cacheWrite5m: picoPerToken(usd('cache_write_5m_mtok') ?? cacheWrite),
    cacheWrite1h: picoPerToken(usd('cache_write_1h_mtok') ?? cacheWrite),
    audioIn: picoPerToken(usd('input_audio_mtok') ?? input),
    audioOut: picoPerToken(usd('output_audio_mtok') ?? output),
    imageIn: picoPerToken(usd('input_image_mtok') ?? input),
  }
}

/** The amount that applies to a prompt of `inputTokens`. */
function amountAt(price: number | TieredPrices | undefined, inputTokens: number): number | undefined {
  if (!isTiered(price)) return price
  const tiers = price.tiers.toSorted((a, b) => a.start - b.start)
  return tiers.findLast(({ start }) => inputTokens > start)?.price ?? price.base
}

function isTiered(price: number | TieredPrices | undefined): price is TieredPrices {
  return typeof price === 'object'
}

const PER_THOUSAND = 1_000
const PICO_PER_USD = 1_000_000_000_000

function picoEach(usdPerThousand: number | undefined): PicoUsd {
  return Math.round(((usdPerThousand ?? 0) * PICO_PER_USD) / PER_THOUSAND)
}
