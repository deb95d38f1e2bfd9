/**
 * What requests leave behind for the choices after them: how many are under way where, how quickly models answered, whose turn it
 * is, and where requests that belong together went. In memory only and bounded, because names come from clients.
 */
import { BoundedMap } from '../core/bounded-map.ts'
import type { Clock } from '../core/clock.ts'
import { DAY_MS } from '../core/duration.ts'
import type { PinNote } from './affinity.ts'
import type { Pin } from './observations.ts'

/** Names that are remembered, of each kind; beyond it the one that was new first is forgotten. */
const NAMES_MAX = 4_096
/** A measure counts this much less with each new one. */
const LATENCY_SHARE = 0.2
/** After that a model's latency is not known any more, so that it is tried again. */
const LATENCY_KEPT_MS = 300_000
/** What a failure counts as, so that what fails quickly does not look quick. */
const FAILURE_COUNTS_MS = 30_000
/** As long as the longest `ttl_s` of a rule. */
const PINS_KEPT_MS = DAY_MS
const PINS_PER_KEY_MAX = 10_000
const PINS_BYTES_MAX = 32 * 1_048_576

interface Latency {
  readonly ms: number
  readonly atMs: number
}

interface DatedPin extends Pin {
  readonly atMs: number
}

export class RoutingCounters {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #ofAccounts = new Map<string, number>()
  readonly #ofModels = new Map<string, number>()
  readonly #latencies = new Map<string, Latency>()
  readonly #turns = new Map<string, number>()
  readonly #pins = new BoundedMap<DatedPin>({
    entriesPerOwnerMax: PINS_PER_KEY_MAX,
    bytesMax: PINS_BYTES_MAX,
    ttlMs: PINS_KEPT_MS,
  })

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  /** An attempt begins; the returned function ends it and may be called more than once. `model`: the public name. */
  begin(providerId: string, model: string, accountId: string | null): () => void {
    const name = nameOf(providerId, model)
    add(this.#ofModels, name, 1)
    if (accountId !== null) add(this.#ofAccounts, accountId, 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      add(this.#ofModels, name, -1)
      if (accountId !== null) add(this.#ofAccounts, accountId, -1)
    }
  }

  inFlightOfAccount(accountId: string): number {
    return this.#ofAccounts.get(accountId) ?? 0
  }

  inFlightOfModel(providerId: string, model: string): number {
    return this.#ofModels.get(nameOf(providerId, model)) ?? 0
  }

  /** `ms`: to the first content. */
  answered(providerId: string, model: string, ms: number): void {
    this.#measure(nameOf(providerId, model), ms)
  }

  failed(providerId: string, model: string): void {
    this.#measure(nameOf(providerId, model), FAILURE_COUNTS_MS)
  }

  latencyMs(providerId: string, model: string): number | undefined {
    const latency = this.#latencies.get(nameOf(providerId, model))
    return latency !== undefined && this.#clock.monotonicMs() - latency.atMs < LATENCY_KEPT_MS ? latency.ms : undefined
  }

  /** The number of the turn, from 0. */
  turn(counter: string): number {
    const turn = this.#turns.get(counter) ?? 0
    remember(this.#turns, counter, turn + 1)
    return turn
  }

  /** The number of the next turn, which stays the next. */
  nextTurn(counter: string): number {
    return this.#turns.get(counter) ?? 0
  }

  /** No owner can crowd out another's. */
  pinned(owner: string, scope: string, key: string, ttlMs: number): Pin | undefined {
    const nowMs = this.#clock.monotonicMs()
    const pin = this.#pins.peek(owner, pinName(scope, key), nowMs)
    return pin !== undefined && nowMs - pin.atMs < ttlMs ? pin : undefined
  }

  pin({ owner, scope, key, to }: PinNote): void {
    const nowMs = this.#clock.monotonicMs()
    const name = pinName(scope, key)
    const before = this.#pins.peek(owner, name, nowMs)
    const requests = before?.to === to ? before.requests + 1 : 1
    this.#pins.set(owner, name, { to, requests, atMs: nowMs }, to.length, nowMs)
  }

  #measure(name: string, ms: number): void {
    const nowMs = this.#clock.monotonicMs()
    const before = this.#latencies.get(name)
    const isKnown = before !== undefined && nowMs - before.atMs < LATENCY_KEPT_MS
    remember(this.#latencies, name, { ms: isKnown ? before.ms + LATENCY_SHARE * (ms - before.ms) : ms, atMs: nowMs })
  }
}

function nameOf(providerId: string, model: string): string {
  return `${providerId}/${model}`
}

function pinName(scope: string, key: string): string {
  return `${scope}\n${key}`
}

/** What reaches zero is forgotten: there are as many entries as places with requests under way. */
function add(counts: Map<string, number>, name: string, change: number): void {
  const count = (counts.get(name) ?? 0) + change
  if (count > 0) counts.set(name, count)
  else counts.delete(name)
}

function remember<Value>(values: Map<string, Value>, name: string, value: Value): void {
  values.set(name, value)
  if (values.size <= NAMES_MAX) return
  for (const first of values.keys()) {
    values.delete(first)
    return
  }
}
