/** What every model of every provider costs now, for nobody in particular. */
import { ANYBODY, type Price } from '../../catalog/price.ts'
import type { PriceBook, QuoteSource } from '../../catalog/pricing.ts'
import type { ProviderSpec } from '../../catalog/provider.ts'
import { compareText, cutPage, type Found, holds, type Page } from '../../http/pagination.ts'
import type { PriceList } from '../pricing-overrides/price-list.ts'

/** `catalog` is the order of the catalogue itself. */
export const RATE_SORTS = ['catalog', 'model', 'input', 'output'] as const
export type RateSort = (typeof RATE_SORTS)[number]

export const RATE_SOURCES = ['builtin', 'sync', 'override'] as const

export interface RateRow {
  readonly provider: string
  readonly model: string
  readonly price: Price
  readonly source: QuoteSource | 'override'
  /** Since when it costs this; null: since always, or by the hour of the day. */
  readonly sinceMs: number | null
  /** The override that counts first; null where none does. */
  readonly overriddenBy: string | null
}

export interface RateFilter {
  readonly provider?: string
  readonly model?: string
  readonly source?: string
}

interface Deps {
  readonly book: PriceBook
  readonly list: PriceList
  readonly known: () => readonly { readonly provider: ProviderSpec; readonly models: readonly string[] }[]
  /** Lets everything else go first. */
  readonly nextTurn: () => Promise<void>
}

/** Names that are new to the price book take it 30 µs each. */
const ROWS_PER_TURN = 100

/** Models whose price nobody knows are not listed, nor are those of providers that are free. */
export async function rateRows(deps: Deps, atMs: number): Promise<readonly RateRow[]> {
  const rows: RateRow[] = []
  let seen = 0
  for (const { provider, models } of deps.known()) {
    if (provider.kind !== 'open-api') continue
    for (const model of models) {
      const row = rateRow(deps, provider, model, atMs)
      if (row !== undefined) rows.push(row)
      if (++seen % ROWS_PER_TURN === 0) await deps.nextTurn()
    }
  }
  return rows
}

function rateRow({ book, list }: Deps, provider: ProviderSpec, model: string, atMs: number): RateRow | undefined {
  const [override] = list.overridesFor(provider, model, ANYBODY, atMs)
  const price = list.priceOf(provider, model, atMs)
  const quote = book.quote(provider, model, atMs)
  if (price === undefined) return undefined
  const place = { provider: provider.id, model, price }
  if (override !== undefined) {
    return { ...place, source: 'override', sinceMs: override.effectiveFromMs, overriddenBy: override.id }
  }
  return { ...place, source: quote?.source ?? 'builtin', sinceMs: quote?.sinceMs ?? null, overriddenBy: null }
}

export function pageOfRates(rows: readonly RateRow[], page: Page<RateSort>, filter: RateFilter): Found<RateRow> {
  const matching = rows
    .filter((row) => isSelected(row, filter))
    .filter(({ provider, model }) => holds([`${provider}/${model}`], page.q))
  return cutPage(matching, page, COMPARE[page.sort])
}

function isSelected({ provider, model, source }: RateRow, filter: RateFilter): boolean {
  return (
    (filter.provider === undefined || filter.provider === provider) &&
    (filter.model === undefined || filter.model === model) &&
    (filter.source === undefined || filter.source === source)
  )
}

const COMPARE: Readonly<Record<RateSort, (a: RateRow, b: RateRow) => number>> = {
  catalog: () => 0,
  model: (a, b) => compareText(a.model, b.model),
  input: (a, b) => a.price.input - b.price.input,
  output: (a, b) => a.price.output - b.price.output,
}
