/** Rows of reports → domain values. */
import { SECOND_MS } from '../../core/duration.ts'
import { asNumber, asObject } from '../../core/json.ts'
import type { Row } from '../../db/query-book.ts'
import type { SpreadKind } from '../../ledger/rollup/tally.ts'
import type { Bins } from '../../core/spread.ts'
import type { PartKind } from '../../ledger/rollup/rollup.ts'
import { latenciesFrom, latenciesOf, percentilesFrom } from './latencies.ts'
import { countedFrom, integer, json, sumsFrom, text } from './row.ts'
import type { Latencies, Measures, ModelReport, Part, ShownSums } from './usage.ts'

/** The parts of one kind: the busiest, and how many there are. */
export interface Parts {
  readonly named: readonly Part[]
  readonly total: number
}

export function measuresFrom(row: Row): Measures {
  return {
    ...sumsFrom(row),
    ...latenciesFrom(row),
    activeKeys: integer(row, 'active_keys'),
    activeModels: integer(row, 'active_models'),
  }
}

/** `faces` say how many keys used each model, and how it failed. */
export function summedModelsFrom(models: readonly Row[], faces: readonly Row[]): readonly ModelReport[] {
  const [errors, keys] = [faces.filter(isError), faces.filter((row) => !isError(row))]
  const keysOf = new Map(keys.map((row) => [text(row, 'model'), integer(row, 'active_keys')]))
  const errorsOf = errorsByModel(errors)
  return models.map((row) => {
    const model = text(row, 'model')
    return modelFrom(row, latenciesFrom(row), keysOf.get(model) ?? 0, errorsOf(model))
  })
}

/** Of requests that were read themselves: `spreads` has a row for each model and kind. */
export function modelReportsFrom(
  models: readonly Row[],
  spreads: readonly Row[],
  errors: readonly Row[],
): readonly ModelReport[] {
  const spreadsOf = Map.groupBy(spreads, (row) => text(row, 'model'))
  const errorsOf = errorsByModel(errors)
  return models.map((row) => {
    const model = text(row, 'model')
    return modelFrom(
      row,
      latenciesOf(readSpreads(spreadsOf.get(model) ?? [])),
      integer(row, 'active_keys'),
      errorsOf(model),
    )
  })
}

/** `spreads` are of the parts that are named. */
export function partsFrom(kind: PartKind, rows: readonly Row[], spreads: readonly Row[]): Parts {
  const named = rows.filter((row) => row['kind'] === kind)
  const latencies = new Map(spreads.filter((row) => row['kind'] === kind).map((row) => [text(row, 'name'), row]))
  const [first] = named
  return {
    named: named.map((row) => {
      const name = text(row, 'name')
      return {
        name,
        ...shownFrom(row),
        latencyMs: percentilesFrom(latencies.get(name) ?? {}, 'latency'),
      }
    }),
    total: first === undefined ? 0 : integer(first, 'names'),
  }
}

/** What happened in each of so many pieces; nothing where no row is. */
export function piecesFrom(rows: readonly Row[], length: number): readonly ShownSums[] {
  const byPlace = new Map(rows.map((row) => [integer(row, 'piece'), row]))
  return Array.from({ length }, (_, place) => {
    const row = byPlace.get(place)
    return row === undefined ? NOTHING : shownFrom(row)
  })
}

const NOTHING: ShownSums = {
  requests: 0,
  ok: 0,
  failed: 0,
  cut: 0,
  inputTokens: 0,
  cacheRead: 0,
  output: 0,
  costNano: 0,
  costUnknown: 0,
}

function shownFrom(row: Row): ShownSums {
  return {
    ...countedFrom(row),
    inputTokens: integer(row, 'input_tokens'),
    cacheRead: integer(row, 'cache_read'),
    output: integer(row, 'output'),
  }
}

function modelFrom(row: Row, latencies: Latencies, activeKeys: number, errors: ModelReport['errors']): ModelReport {
  return {
    model: text(row, 'model'),
    ...sumsFrom(row),
    ...latencies,
    activeKeys,
    tokensPerSecond: perSecond(integer(row, 'timed_output'), integer(row, 'timed_ms')),
    errors,
  }
}

function isError(row: Row): boolean {
  return row['error_class'] !== null
}

function errorsByModel(rows: readonly Row[]): (model: string) => ModelReport['errors'] {
  const of = Map.groupBy(rows, (row) => text(row, 'model'))
  return (model) => (of.get(model) ?? []).map(errorFrom).sort((a, b) => b.requests - a.requests)
}

function errorFrom(row: Row): ModelReport['errors'][number] {
  return { kind: text(row, 'error_class'), requests: integer(row, 'requests') }
}

function readSpreads(rows: readonly Row[]): Record<SpreadKind, Bins> {
  const binsOf = (kind: string): Bins => {
    const row = rows.find((candidate) => candidate['kind'] === kind)
    const bins = row === undefined ? {} : (asObject(json(row, 'bins')) ?? {})
    return new Map(Object.entries(bins).map(([bin, amount]) => [Number(bin), asNumber(amount) ?? 0]))
  }
  return { latency: binsOf('latency'), first_token: binsOf('first_token'), gateway: binsOf('gateway') }
}

function perSecond(tokens: number, ms: number): number | null {
  return ms === 0 ? null : Math.round((tokens * SECOND_MS * 10) / ms) / 10
}
