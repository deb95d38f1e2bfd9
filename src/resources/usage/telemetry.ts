import type { Clock } from '../../core/clock.ts'
import { MINUTE_MS } from '../../core/duration.ts'
import { ok, type Result } from '../../core/result.ts'
import type { Refusal } from '../../http/refusal.ts'
import type { Parts } from './breakdown-row.ts'
import { hoursOf } from './calendar.ts'
import { BUCKET_MS, movedBy, piecesOf } from './course.ts'
import type { Period } from './filters.ts'
import { rangeBefore, type RangeName, rangeOf, type TimeRange } from './range.ts'
import { SHOWN_KINDS, type ShownKind } from './rollup-queries.ts'
import type { UsageStore } from './store.ts'
import type { LoggedRequest, Part, Point, ShownSums, Summary } from './usage.ts'

const RECENT_REQUESTS = 20
/** A range in a zone that somebody looks at; each answer is up to 200 kB. */
const LATEST_MAX = 16

/** A part with the name that people gave it; null when it has none, or is gone. */
export interface NamedPart extends Part {
  readonly label: string | null
}

/** Everything that an overview shows. */
export interface Telemetry {
  readonly summary: Summary
  readonly tz: string
  readonly bucketMs: number
  readonly series: readonly Point[]
  /** Of the range before, place by place as `series`. Where clocks were moved in between, days are an hour off. */
  readonly seriesBefore: readonly Point[]
  /** What happened in each hour of a week: Monday comes first, and midnight. */
  readonly week: readonly ShownSums[]
  /** The busiest of each kind. */
  readonly parts: Readonly<Record<ShownKind, readonly NamedPart[]>>
  /** The newest requests, whatever the range. */
  readonly recent: readonly LoggedRequest[]
}

interface Deps {
  readonly store: UsageStore
  readonly clock: Clock
  /** Of the ledger: rows written so far, and requests that run. */
  readonly ledger: { readonly written: number; readonly inFlight: number }
  /** The name of a key or an account; asked for many at once, so of what is in memory. */
  readonly nameOf: (kind: 'key' | 'account', id: string) => string | null
}

export class TelemetryService {
  readonly #deps: Deps
  readonly #latest = new Map<string, { readonly mark: string; readonly telemetry: Telemetry }>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  get inFlight(): number {
    return this.#deps.ledger.inFlight
  }

  /** Differs whenever the telemetry of a period may: after each request, and each minute. Says nothing to anyone else. */
  markOf({ name, tz }: Period): string {
    const { ledger, clock } = this.#deps
    return `${name}-${tz}-${ledger.written}-${ledger.inFlight}-${Math.floor(clock.nowMs() / MINUTE_MS)}`
  }

  /** Refusal: `unavailable`. */
  async of(period: Period): Promise<Result<Telemetry, Refusal>> {
    const mark = this.markOf(period)
    const key = `${period.name} ${period.tz}`
    const latest = this.#latest.get(key)
    if (latest?.mark === mark) return ok(latest.telemetry)
    const telemetry = await this.#gather(period)
    if (!telemetry.ok) return telemetry
    this.#latest.delete(key)
    this.#latest.set(key, { mark, telemetry: telemetry.value })
    const [oldest] = this.#latest.keys()
    if (this.#latest.size > LATEST_MAX && oldest !== undefined) this.#latest.delete(oldest)
    return telemetry
  }

  async #gather(period: Period): Promise<Result<Telemetry, Refusal>> {
    const { store, clock } = this.#deps
    const { name, tz, zone } = period
    const range = rangeOf(name, clock.nowMs(), zone)
    const before = rangeBefore(name, range, zone)
    const pieces = piecesOf(name, range, zone)
    const [summary, series, seriesBefore, week, parts, recent] = await Promise.all([
      this.#summary(name, range, before),
      store.course(pieces, range),
      store.course(movedBy(pieces, before.fromMs - range.fromMs), before),
      store.week(hoursOf(zone, range.fromMs, range.toMs), range),
      store.parts(range),
      store.recent(RECENT_REQUESTS),
    ])
    if (!summary.ok) return summary
    if (!series.ok) return series
    if (!seriesBefore.ok) return seriesBefore
    if (!week.ok) return week
    if (!parts.ok) return parts
    if (!recent.ok) return recent
    return ok({
      summary: summary.value,
      tz,
      bucketMs: BUCKET_MS[name],
      series: series.value,
      seriesBefore: seriesBefore.value,
      week: week.value,
      parts: this.#namedParts(parts.value),
      recent: recent.value,
    })
  }

  async #summary(name: RangeName, range: TimeRange, before: TimeRange): Promise<Result<Summary, Refusal>> {
    const { store } = this.#deps
    const [now, then] = await Promise.all([store.measure({}, range), store.measure({}, before)])
    if (!now.ok) return now
    return then.ok ? ok({ name, range, measures: now.value, before: { range: before, measures: then.value } }) : then
  }

  #namedParts(parts: Readonly<Record<ShownKind, Parts>>): Telemetry['parts'] {
    const { nameOf } = this.#deps
    const labelled = SHOWN_KINDS.map((kind): [ShownKind, readonly NamedPart[]] => {
      const labelOf = (id: string): string | null => (kind === 'key' || kind === 'account' ? nameOf(kind, id) : null)
      return [kind, parts[kind].named.map((part) => ({ ...part, label: labelOf(part.name) }))]
    })
    return Object.fromEntries(labelled) as Telemetry['parts'] // every kind is there
  }
}
