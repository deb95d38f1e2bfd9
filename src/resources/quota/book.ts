/** All quotas in memory, as the inference path reads and writes them; what has changed reaches the disk in batches. */
import type { ProviderSpec } from '../../catalog/provider.ts'
import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/id.ts'
import type { Log } from '../../core/log.ts'
import type { Random } from '../../core/random.ts'
import { revised } from '../../core/revised.ts'
import { type QuotaReading, quotasIn, type ReadHeader } from '../../routing/quota-headers.ts'
import type { KeyRank } from '../../routing/request-view.ts'
import { WINDOW_MS } from '../../routing/shaping.ts'
import type { QuotaSummary } from '../accounts/account.ts'
import type { Hold } from '../accounts/hold.ts'
import type { Pace } from '../accounts/pace.ts'
import { summaryOf } from './overview.ts'
import { afterReading, isReserved, isSpent, leftOf, type Quota, type QuotaPlace, type QuotaWishes } from './quota.ts'
import type { QuotaStore } from './store.ts'

/** Rows of one account; beyond it the one that was reported longest ago goes. Providers limit each model apart. */
export const QUOTAS_PER_ACCOUNT_MAX = 64
/** How much a crash may lose. */
export const QUOTAS_SAVED_EVERY_MS = 10_000

interface Deps {
  readonly store: QuotaStore
  /** What counts against the limits that are kept here, at this moment. */
  readonly pace: Pick<Pace, 'useOf'>
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

type Place = Pick<QuotaPlace, 'accountId'>
interface Identified {
  readonly id: string
}

export class QuotaBook implements Hold {
  readonly #deps: Deps
  /** By account, then by what they are about, the one reported longest ago first. */
  readonly #accounts = new Map<string, Map<string, Quota>>()
  readonly #unsaved = new Map<string, Quota>()
  /** Ids of rows that are still on disk. */
  readonly #gone = new Set<string>()
  readonly #stop: () => void

  static async open(deps: Deps): Promise<QuotaBook> {
    return new QuotaBook(deps, await deps.store.all())
  }

  private constructor(deps: Deps, stored: readonly Quota[]) {
    this.#deps = deps
    for (const quota of stored.toSorted((a, b) => a.fetchedAtMs - b.fetchedAtMs)) this.#put(quota)
    this.#stop = deps.clock.every(QUOTAS_SAVED_EVERY_MS, () => void this.save())
  }

  /** Takes over what was reported just now. */
  observe(place: QuotaPlace, reading: QuotaReading): void {
    const { clock, random } = this.#deps
    const nowMs = clock.nowMs()
    const before = this.#accounts.get(place.accountId)?.get(nameOf(place))
    this.#change(afterReading(before ?? newQuota(place, newId('quo', random), nowMs), reading, nowMs))
  }

  /** Takes over what an answer's headers say. */
  observed(provider: ProviderSpec, { id }: { readonly id: string }, model: string, header: ReadHeader): void {
    for (const reading of quotasIn(header, provider.limitWindows, this.#deps.clock.nowMs())) {
      const { window, unit } = reading
      this.observe({ accountId: id, provider: provider.id, model, window, unit, source: 'response_headers' }, reading)
    }
  }

  all(): readonly Quota[] {
    return [...this.#accounts.values()].flatMap((quotas) => [...quotas.values()])
  }

  of({ accountId }: Place): readonly Quota[] {
    return [...(this.#accounts.get(accountId)?.values() ?? [])]
  }

  find(id: string): Quota | undefined {
    return this.all().find((quota) => quota.id === id)
  }

  /** The least share that is left of anything that limits the model, 0 to 1; undefined when nothing is known. */
  left(accountId: string, model: string): number | undefined {
    const nowMs = this.#deps.clock.nowMs()
    let least: number | undefined
    for (const quota of this.#accounts.get(accountId)?.values() ?? []) {
      const left = concerns(quota, model) ? leftOf(quota, nowMs) : undefined
      if (left !== undefined && (least === undefined || left < least)) least = left
    }
    return least
  }

  /** Null when nothing is known of the account. */
  summaryOf(accountId: string): QuotaSummary | null {
    return summaryOf(this.of({ accountId }), this.#deps.clock.nowMs())
  }

  why({ id }: Identified, model: string, rank: KeyRank): 'quota_spent' | 'quota_reserved' | null {
    const nowMs = this.#deps.clock.nowMs()
    let isKept = false
    for (const quota of this.#accounts.get(id)?.values() ?? []) {
      if (!concerns(quota, model)) continue
      if (isSpent(quota, nowMs)) return 'quota_spent'
      isKept ||= rank === 'ordinary' && this.#isReserved(quota, nowMs)
    }
    return isKept ? 'quota_reserved' : null
  }

  returnsAfterMs({ id }: Identified, model: string, rank: KeyRank): number | undefined {
    const nowMs = this.#deps.clock.nowMs()
    const holding = this.of({ accountId: id }).filter((quota) => {
      const holds = isSpent(quota, nowMs) || (rank === 'ordinary' && this.#isReserved(quota, nowMs))
      return concerns(quota, model) && holds
    })
    const waits = holding.map((quota) => waitMs(quota, nowMs))
    return waits.every((wait) => wait !== undefined) ? Math.max(0, ...waits) : undefined
  }

  /** The operator's own act, on disk when it returns. Undefined when there is none of this id. */
  async change(id: string, wishes: Partial<QuotaWishes>): Promise<Quota | undefined> {
    const before = this.find(id)
    if (before === undefined) return undefined
    const after = revised(before, { ...before, ...wishes }, this.#deps.clock.nowMs())
    if (after === before) return before
    this.#change(after)
    await this.#deps.store.save([after], [])
    return after
  }

  /** Forgets it until it is reported again; its row goes with the next batch. */
  forget(quota: Quota): void {
    const quotas = this.#accounts.get(quota.accountId)
    quotas?.delete(nameOf(quota))
    if (quotas?.size === 0) this.#accounts.delete(quota.accountId)
    this.#unsaved.delete(quota.id)
    this.#gone.add(quota.id)
  }

  /** Writes what has changed; on failure with the next batch. */
  async save(): Promise<void> {
    const changed = [...this.#unsaved.values()]
    const gone = [...this.#gone]
    if (changed.length === 0 && gone.length === 0) return
    this.#unsaved.clear()
    this.#gone.clear()
    try {
      await this.#deps.store.save(changed, gone)
    } catch {
      for (const quota of changed) if (!this.#unsaved.has(quota.id)) this.#unsaved.set(quota.id, quota)
      for (const id of gone) this.#gone.add(id)
      this.#deps.log.write('error', 'db', 'quotas could not be saved', { quotas: changed.length })
    }
  }

  async close(): Promise<void> {
    this.#stop()
    await this.save()
  }

  /** Limits that are kept here are noted once a minute, and asked for where more hangs on them. */
  #isReserved(quota: Quota, nowMs: number): boolean {
    if (quota.reservePct === 0 || quota.source !== 'local' || quota.limit === null) return isReserved(quota, nowMs)
    const use = this.#deps.pace.useOf({ id: quota.accountId })
    const used = quota.window === 'rpm' ? use.requests : use.tokens
    return isReserved({ ...quota, remaining: quota.limit - used, fetchedAtMs: nowMs }, nowMs)
  }

  #change(quota: Quota): void {
    this.#put(quota)
    this.#unsaved.set(quota.id, quota)
  }

  #put(quota: Quota): void {
    const quotas = this.#accounts.get(quota.accountId) ?? new Map<string, Quota>()
    this.#accounts.set(quota.accountId, quotas)
    quotas.delete(nameOf(quota))
    quotas.set(nameOf(quota), quota)
    const [oldest] = quotas.values()
    if (quotas.size > QUOTAS_PER_ACCOUNT_MAX && oldest !== undefined) this.forget(oldest)
  }
}

function newQuota(place: QuotaPlace, id: string, nowMs: number): Quota {
  const { accountId, provider, model, window, unit, source } = place
  const nothing = { limit: null, used: null, remaining: null, resetsAtMs: null, fetchedAtMs: nowMs, history: [] }
  const stamp = { createdAtMs: nowMs, updatedAtMs: nowMs, version: 1 }
  const wishes = { paused: false, reservePct: 0 }
  return { id, accountId, provider, model, window, unit, source, ...nothing, ...wishes, ...stamp }
}

function nameOf({ model, window, unit, source }: QuotaPlace): string {
  return `${model ?? ''}\n${window}\n${unit}\n${source}`
}

/** How long until it no longer holds anything back; undefined when nobody knows. */
function waitMs({ source, resetsAtMs }: Quota, nowMs: number): number | undefined {
  if (source === 'local') return WINDOW_MS
  return resetsAtMs === null ? undefined : Math.max(0, resetsAtMs - nowMs)
}

function concerns(quota: Quota, model: string): boolean {
  return quota.model === null || quota.model === model
}
