/**
 * Newer prices over the network, from one address that the owner chose: on command, or once a day. Invariants: a file that is not
 * what it should be changes nothing; a price that would change more than tenfold stays as it is until somebody sets it; what was
 * fetched counts all at once and survives a restart.
 */
import { CHANGE_FACTOR_MAX, changesBetween, type PriceChange, type PriceChanges } from '../../catalog/price-changes.ts'
import { openPriceFile, readPart, type UnreadPart } from '../../catalog/price-file.ts'
import type { PriceBook } from '../../catalog/pricing.ts'
import type { Clock } from '../../core/clock.ts'
import { DAY_MS, HOUR_MS } from '../../core/duration.ts'
import { failure } from '../../core/failure.ts'
import type { Log } from '../../core/log.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { refusal, type Refusal, upstreamRefusal } from '../../http/refusal.ts'
import type { FetchPublic } from '../../outbound/fetch-public.ts'
import type { ActedBy } from '../audit/entry.ts'
import type { Audit } from '../audit/service.ts'
import { actedBy } from '../auth/acted-by.ts'
import { LOCAL } from '../auth/actor.ts'
import type { FetchedPriceStore } from './rates-store.ts'

export interface RatesOutcome {
  readonly added: number
  readonly removed: number
  readonly changed: readonly PriceChange[]
  readonly held: readonly PriceChange[]
  readonly fetchedAtMs: number
}

/** Who asks for it; the program itself does once a day. */
export const PRICE_SYNCS = ['manual', 'daily'] as const
export type PriceSync = (typeof PRICE_SYNCS)[number]

/** `REMOTE_DATA_JSON_URL` of @pydantic/genai-prices 0.1.8 (read 2026-11-21). */
export const PRICE_FILE_URL =
  'https://raw.githubusercontent.com/pydantic/genai-prices/main/prices/new_data/v2/data.json'

interface Deps {
  readonly book: PriceBook
  readonly store: FetchedPriceStore
  readonly audit: Audit
  readonly clock: Clock
  readonly log: Log
  readonly fetchPublic: FetchPublic
  readonly settings: () => { readonly sync: PriceSync; readonly syncUrl: string }
  /** The names that providers have in the price data. */
  readonly pricingIds: ReadonlySet<string>
  /** Lets everything else go first. */
  readonly nextTurn: () => Promise<void>
}

/** The file has about 0.4 MB. */
const FILE_BYTES_MAX = 8 * 1_048_576
const HTTP_OK = 200

export class RatesSync {
  readonly #deps: Deps
  readonly #abort = new AbortController()
  #isRunning = false
  #fetchedAtMs: number | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Lets what was fetched before count again, and looks hourly whether the day has come; the returned function ends that. */
  async start(): Promise<() => void> {
    const { book, clock, store } = this.#deps
    const fetched = await store.load()
    if (fetched !== undefined) book.replace(fetched.file)
    this.#fetchedAtMs = fetched?.fetchedAtMs
    const stop = clock.every(HOUR_MS, () => void this.#syncIfDue())
    return () => {
      stop()
      this.#abort.abort()
    }
  }

  /**
   * `dryRun`: says what would change, and changes nothing. Refusals: `conflict` while one is under way; `upstream` with the reason
   * where the address does not answer, or not with a price file.
   */
  async sync(dryRun: boolean, by: ActedBy): Promise<Result<RatesOutcome, Refusal>> {
    if (this.#isRunning) return err(refusal('conflict', 'prices are being fetched already'))
    this.#isRunning = true
    try {
      return await this.#sync(dryRun, by)
    } finally {
      this.#isRunning = false
    }
  }

  async #sync(dryRun: boolean, by: ActedBy): Promise<Result<RatesOutcome, Refusal>> {
    const url = this.#deps.settings().syncUrl
    const parts = await this.#fetch(url)
    if (!parts.ok) return parts
    const compared = await this.#compare(parts.value)
    if (!compared.ok) return compared
    const fetchedAtMs = this.#deps.clock.nowMs()
    const outcome = outcomeOf([...compared.value.values()], fetchedAtMs)
    if (!dryRun) await this.#apply(url, compared.value, outcome, by)
    return ok(outcome)
  }

  async #fetch(url: string): Promise<Result<readonly UnreadPart[], Refusal>> {
    const { fetchPublic, pricingIds } = this.#deps
    const accept = 'application/json, text/plain'
    const fetched = await fetchPublic({ url, accept, bytesMax: FILE_BYTES_MAX, signal: this.#abort.signal })
    if (!fetched.ok) return err(upstreamRefusal(fetched.error))
    const { status, bytes } = fetched.value
    if (status !== HTTP_OK) return err(unfit(`The host answered ${status}.`))
    const parts = openPriceFile(new TextDecoder().decode(bytes), pricingIds)
    return parts.ok ? parts : err(unfit(parts.error))
  }

  async #compare(parts: readonly UnreadPart[]): Promise<Result<ReadonlyMap<string, PriceChanges>, Refusal>> {
    const { book, clock, nextTurn } = this.#deps
    const compared = new Map<string, PriceChanges>()
    for (const part of parts) {
      const models = readPart(part)
      if (!models.ok) return err(unfit(models.error))
      await nextTurn()
      compared.set(part.id, named(part.id, changesBetween(book.listed(part.id), models.value, clock.nowMs())))
      await nextTurn()
    }
    return ok(compared)
  }

  async #apply(
    url: string,
    compared: ReadonlyMap<string, PriceChanges>,
    { added, removed, changed, held, fetchedAtMs }: RatesOutcome,
    by: ActedBy,
  ): Promise<void> {
    const { audit, book, store } = this.#deps
    const file = new Map([...compared].map(([id, { models }]) => [id, models]))
    await store.replace({ url, fetchedAtMs, file })
    book.replace(file)
    this.#fetchedAtMs = fetchedAtMs
    await audit.record({
      ...by,
      action: 'rates.sync',
      object: { type: 'rates', id: null, name: url },
      after: { added, removed, changed: changed.length, held: held.map(({ model }) => model).slice(0, AUDITED_MAX) },
      outcome: 'ok',
    })
  }

  /** Without an answer it is tried again an hour later. */
  async #syncIfDue(): Promise<void> {
    const { clock, log, settings } = this.#deps
    const isFresh = this.#fetchedAtMs !== undefined && clock.nowMs() - this.#fetchedAtMs < DAY_MS
    if (settings().sync !== 'daily' || isFresh || this.#isRunning) return
    const synced = await this.sync(false, actedBy(LOCAL))
    if (!synced.ok)
      return log.write('warn', 'provider', 'prices could not be fetched', { reason: synced.error.message })
    const held = synced.value.held.map(({ model }) => model)
    if (held.length === 0) return
    const message = `prices that would change more than ${CHANGE_FACTOR_MAX} times stay as they are`
    log.write('warn', 'provider', message, { models: held.slice(0, LOGGED_MAX).join(', '), count: held.length })
  }
}

const AUDITED_MAX = 100
const LOGGED_MAX = 20

function unfit(reason: string): Refusal {
  return upstreamRefusal(failure('server', reason))
}

/** Models with the provider's name in the data before them. */
function named(id: string, changes: PriceChanges): PriceChanges {
  const full = (change: PriceChange): PriceChange => ({ ...change, model: `${id}/${change.model}` })
  return { ...changes, changed: changes.changed.map(full), held: changes.held.map(full) }
}

function outcomeOf(parts: readonly PriceChanges[], fetchedAtMs: number): RatesOutcome {
  const sum = (count: (part: PriceChanges) => number): number => parts.reduce((total, part) => total + count(part), 0)
  return {
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
    changed: parts.flatMap(({ changed }) => changed),
    held: parts.flatMap(({ held }) => held),
    fetchedAtMs,
  }
}
