import type { Clock } from '../../core/clock.ts'
import { ok, type Result } from '../../core/result.ts'
import type { Refusal } from '../../http/refusal.ts'
import { PART_KINDS, type PartKind } from './breakdown-queries.ts'
import { UsageHistory } from './history.ts'
import { rangeBefore, type RangeName, rangeOf } from './range.ts'
import { byKind, latenciesOf, type Part, type Point, seriesOf, type Slice, totalsOf } from './slice.ts'
import type { UsageStore } from './store.ts'
import type { LoggedRequest, Measures, Summary } from './usage.ts'

/** So many of each kind are named; there can be thousands of keys. */
export const PARTS_MAX = 20
const RECENT_REQUESTS = 20
/** How often the answer moves on with the time although nothing has happened. */
const MINUTE_MS = 60_000

/** What pages open with. */
const WARM_RANGES = ['24h', '7d'] as const

const BUCKET_MS: Readonly<Record<RangeName, number>> = {
  today: 300_000,
  '24h': 300_000,
  '7d': 3_600_000,
  '30d': 86_400_000,
}

/** A part with the name that people gave it; null when it has none, or is gone. */
export interface NamedPart extends Part {
  readonly label: string | null
}

/** Everything that an overview shows. */
export interface Telemetry {
  readonly summary: Summary
  readonly bucketMs: number
  readonly series: readonly Point[]
  /** The busiest of each kind. */
  readonly parts: Readonly<Record<PartKind, readonly NamedPart[]>>
  /** The newest requests, whatever the range. */
  readonly recent: readonly LoggedRequest[]
}

interface Deps {
  readonly store: UsageStore
  readonly clock: Clock
  /** Of the ledger: rows written so far, and requests that run. */
  readonly ledger: { readonly written: number; readonly inFlight: number }
  /** The name of a key or an account. */
  readonly nameOf: (kind: 'key' | 'account', id: string) => Promise<string | null>
}

export class TelemetryService {
  readonly #deps: Deps
  readonly #history: UsageHistory
  readonly #latest = new Map<RangeName, { readonly mark: string; readonly telemetry: Telemetry }>()

  constructor(deps: Deps) {
    this.#deps = deps
    this.#history = new UsageHistory(deps.store, deps.clock)
  }

  get inFlight(): number {
    return this.#deps.ledger.inFlight
  }

  /** Differs whenever the telemetry of a range may: after each request, and each minute. Says nothing to anyone else. */
  markOf(name: RangeName): string {
    const { ledger, clock } = this.#deps
    return `${name}-${ledger.written}-${ledger.inFlight}-${Math.floor(clock.nowMs() / MINUTE_MS)}`
  }

  /** Counts what is over before anybody asks; without it the first answer about much history takes the better part of a second. */
  async warmUp(): Promise<void> {
    for (const name of WARM_RANGES) await this.of(name)
  }

  /** Refusal: `unavailable`. */
  async of(name: RangeName): Promise<Result<Telemetry, Refusal>> {
    const mark = this.markOf(name)
    const latest = this.#latest.get(name)
    if (latest?.mark === mark) return ok(latest.telemetry)
    const telemetry = await this.#gather(name)
    if (telemetry.ok) this.#latest.set(name, { mark, telemetry: telemetry.value })
    return telemetry
  }

  async #gather(name: RangeName): Promise<Result<Telemetry, Refusal>> {
    const range = rangeOf(name, this.#deps.clock.nowMs())
    const before = rangeBefore(name, range)
    const [now, then, recent] = [
      await this.#history.over(range),
      await this.#history.over(before),
      await this.#deps.store.recent(RECENT_REQUESTS),
    ]
    if (!now.ok) return now
    if (!then.ok) return then
    if (!recent.ok) return recent
    return ok({
      summary: {
        name,
        range,
        measures: measuresOf(now.value),
        before: { range: before, measures: measuresOf(then.value) },
      },
      bucketMs: BUCKET_MS[name],
      series: seriesOf(now.value, range.fromMs, range.toMs, BUCKET_MS[name]),
      parts: await this.#namedParts(now.value),
      recent: recent.value,
    })
  }

  async #namedParts({ parts }: Slice): Promise<Telemetry['parts']> {
    const { nameOf } = this.#deps
    const [key, account] = await Promise.all([
      withNames(busiest(parts.key), (id) => nameOf('key', id)),
      withNames(busiest(parts.account), (id) => nameOf('account', id)),
    ])
    return {
      ...byKind(PART_KINDS, (kind) => busiest(parts[kind]).map((part) => ({ ...part, label: null }))),
      key,
      account,
    }
  }
}

async function withNames(
  parts: readonly Part[],
  nameOf: (id: string) => Promise<string | null>,
): Promise<readonly NamedPart[]> {
  return Promise.all(parts.map(async (part) => ({ ...part, label: await nameOf(part.name) })))
}

function measuresOf(slice: Slice): Measures {
  const { key, model } = slice.parts
  return { ...totalsOf(slice), ...latenciesOf(slice), activeKeys: key.length, activeModels: model.length }
}

function busiest(parts: readonly Part[]): readonly Part[] {
  const byRequests = (a: Part, b: Part): number => b.requests - a.requests || (a.name < b.name ? -1 : 1)
  return parts.toSorted(byRequests).slice(0, PARTS_MAX)
}
