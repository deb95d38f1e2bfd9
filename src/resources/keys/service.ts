/**
 * Gateway keys: what clients of the inference routes present. Nothing here opens the dashboard. Invariant: the inference path
 * sees a change from the next request on, because the map it reads is replaced before a write is answered.
 */
import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/id.ts'
import type { Log } from '../../core/log.ts'
import type { Random } from '../../core/random.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { revised } from '../../core/revised.ts'
import { maskSecret } from '../../core/secret.ts'
import { Snapshot } from '../../core/snapshot.ts'
import type { Vault } from '../../db/seal.ts'
import { staleness } from '../../http/if-match.ts'
import type { Page } from '../../http/pagination.ts'
import { invalid, type Refusal, refusal } from '../../http/refusal.ts'
import type { ActedBy } from '../audit/entry.ts'
import type { Audit } from '../audit/service.ts'
import type { Plan } from '../plans/plan.ts'
import { effectiveKey, type EffectiveKey } from './effective.ts'
import { isExpired, type KeptSecret, type Key, type KeyRules, rotationDueAtMs, type StoredKey } from './key.ts'
import { defaultRules, GRACE_HOURS_DEFAULT, readRules } from './rules.ts'
import { type KeyDraft, rulesToWire } from './schema.ts'
import { hashOfSecret, newSecret, secretProblem, SHOWN_LENGTH } from './secret.ts'
import { type KeyFilter, type KeySort, type KeyStore, type LastUse, noSuchKey } from './store.ts'

export interface KeyWithSecret {
  readonly key: StoredKey
  readonly secret: string
}

interface Deps {
  readonly store: KeyStore
  readonly audit: Audit
  readonly vault: Vault
  readonly clock: Clock
  readonly random: Random
  readonly plans: {
    byId(id: string): Plan | undefined
    /** The one of keys that are made without a plan. */
    standard(): Plan | undefined
  }
  /** Called whenever keys or what they are on was read again, before anybody is told that it was. */
  readonly loaded: (keys: readonly EffectiveKey[]) => void
  /** `settings.auth.keys_revealable`. */
  readonly keepsCopies: () => boolean
}

interface Entry {
  readonly key: EffectiveKey
  /** For a secret that was rotated out: when its grace ends. */
  readonly untilMs: number | null
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Uses are noted in batches: a write per request would cost more than the request. */
const USES_PERIOD_MS = 30_000

export class KeyService {
  readonly #deps: Deps
  readonly #bySecret = new Snapshot<ReadonlyMap<string, Entry>>(new Map())
  readonly #byId = new Snapshot<ReadonlyMap<string, EffectiveKey>>(new Map())
  readonly #onPlans = new Snapshot<ReadonlyMap<string | null, number>>(new Map())
  #uses = new Map<string, LastUse>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Loads the keys and begins to note their uses; the returned function ends that and writes what is pending. */
  async start(): Promise<() => Promise<void>> {
    await this.reload()
    const cancel = this.#deps.clock.every(USES_PERIOD_MS, () => void this.flush())
    return async () => {
      cancel()
      await this.flush()
    }
  }

  /** Tells the console, now and daily, which keys are due for rotation; the returned function ends that. */
  remind(log: Log): () => void {
    const tell = (): void => {
      const nowMs = this.#deps.clock.nowMs()
      for (const key of this.#byId.current.values()) {
        const dueAtMs = rotationDueAtMs(key)
        if (dueAtMs === null || dueAtMs > nowMs || key.status === 'disabled' || isExpired(key, nowMs)) continue
        const fields = { key: key.name, key_id: key.id, since: new Date(dueAtMs).toISOString() }
        log.write('warn', 'auth', 'a gateway key is due for rotation', fields)
      }
    }
    tell()
    return this.#deps.clock.every(DAY_MS, tell)
  }

  /** Reads all keys again: after a change here, and after one of what they name: plans, skills. */
  async reload(): Promise<void> {
    const planOf = ({ planId }: StoredKey) => (planId === null ? undefined : this.#deps.plans.byId(planId))
    const all = (await this.#deps.store.all()).map((key) => effectiveKey(key, planOf(key)))
    this.#onPlans.replace(countBy(all, ({ planId }) => planId))
    this.#bySecret.replace(new Map(all.flatMap(entriesOf)))
    this.#byId.replace(new Map(all.map((key) => [key.id, key])))
    this.#deps.loaded(all)
  }

  /** By the lower-case hexadecimal SHA-256 of the whole secret; undefined when no key has it, or had it too long ago. */
  find(secretSha256: string): EffectiveKey | undefined {
    const entry = this.#bySecret.current.get(secretSha256)
    if (entry === undefined) return undefined
    return entry.untilMs === null || this.#deps.clock.nowMs() < entry.untilMs ? entry.key : undefined
  }

  /** By its id, without asking the database. */
  byId(id: string): EffectiveKey | undefined {
    return this.#byId.current.get(id)
  }

  /** Those that carry a skill because they or their plans name it. */
  carrying(skillId: string): readonly EffectiveKey[] {
    const carries = ({ skillIds, skillsMode }: EffectiveKey) => skillsMode !== 'none' && skillIds.includes(skillId)
    return [...this.#byId.current.values()].filter(carries)
  }

  /** How many keys are on a plan. */
  onPlan(planId: string): number {
    return this.#onPlans.current.get(planId) ?? 0
  }

  /** Notes a use; it reaches the database with the next batch. */
  touch(id: string, atMs: number, ip: string | null): void {
    this.#uses.set(id, { atMs, ip })
  }

  /** Writes the uses noted since the last time. Never rejects: what cannot be written now is tried with the next batch. */
  async flush(): Promise<void> {
    if (this.#uses.size === 0) return
    const uses = this.#uses
    this.#uses = new Map()
    try {
      await this.#deps.store.noteUses(uses)
    } catch {
      this.#uses = new Map([...uses, ...this.#uses]) // a full disk; newer uses win
    }
  }

  async page(page: Page<KeySort>, filter: KeyFilter = {}): Promise<{ items: readonly StoredKey[]; total: number }> {
    const { items, total } = await this.#deps.store.page(page, filter)
    return { items: items.map((key) => this.#withLastUse(key)), total }
  }

  /** Refusal: `missing`. */
  async get(id: string): Promise<Result<StoredKey, Refusal>> {
    const key = await this.#deps.store.get(id)
    return key === undefined ? err(noSuchKey()) : ok(this.#withLastUse(key))
  }

  /** The only answer but `rotate` that holds the secret. Refusals: `invalid`, `conflict`. */
  async create(draft: KeyDraft & { name: string }, by: ActedBy): Promise<Result<KeyWithSecret, Refusal>> {
    const { store, clock, random } = this.#deps
    const nowMs = clock.nowMs()
    const defaults = this.#defaults(draft.name, by.actor.id)
    const rules = readRules(draft, defaults, defaults, null, nowMs)
    if (!rules.ok) return err(invalid(rules.error))
    const secret = draft.secret ?? newSecret(random)
    const isOwn = draft.secret !== undefined && draft.secret !== null
    const problem = isOwn ? secretProblem(secret) : undefined
    if (problem !== undefined) return err(invalid({ secret: [problem] }))
    const id = newId('key', random)
    const times = { createdAtMs: nowMs, updatedAtMs: nowMs, rotatedAtMs: nowMs, lastUsedAtMs: null, lastIp: null }
    const previous = { previousHash: null, previousUntilMs: null }
    const inserted = await store.insert({
      ...rules.value,
      ...this.#keep(secret, id),
      id,
      ...times,
      ...previous,
      version: 1,
    })
    if (!inserted.ok) return inserted
    await this.#changed('key.create', inserted.value, by, { after: rulesToWire(inserted.value) })
    return ok({ key: inserted.value, secret })
  }

  /** PUT: every field that was not sent becomes its default. Refusals: `missing`, `stale`, `invalid`. */
  async replace(id: string, draft: KeyDraft, version: number | null, by: ActedBy): Promise<Result<StoredKey, Refusal>> {
    return this.#write(id, draft, version, by, 'defaults')
  }

  /** PATCH: only what was sent changes. Refusals: `missing`, `stale`, `invalid`. */
  async patch(id: string, draft: KeyDraft, version: number | null, by: ActedBy): Promise<Result<StoredKey, Refusal>> {
    return this.#write(id, draft, version, by, 'current')
  }

  /** Refusals: `missing`, `stale`. */
  async remove(id: string, version: number | null, by: ActedBy): Promise<Result<StoredKey, Refusal>> {
    const removed = await this.#deps.store.remove(id, (key) => staleness(key.version, version))
    if (!removed.ok) return removed
    this.#uses.delete(id)
    await this.#changed('key.delete', removed.value, by, { before: rulesToWire(removed.value) })
    return removed
  }

  /** A new secret; the old one works until the grace ends, and the one before it no longer. Refusal: `missing`. */
  async rotate(id: string, graceHours: number | null, by: ActedBy): Promise<Result<KeyWithSecret, Refusal>> {
    const { store, clock, random } = this.#deps
    const nowMs = clock.nowMs()
    const secret = newSecret(random)
    const kept = this.#keep(secret, id)
    const changed = await store.change(id, (key) => {
      const hours = graceHours ?? key.rotation?.graceHours ?? GRACE_HOURS_DEFAULT
      const previous = { previousHash: key.secretHash, previousUntilMs: nowMs + hours * HOUR_MS }
      return ok({ ...key, ...kept, ...previous, rotatedAtMs: nowMs, updatedAtMs: nowMs, version: key.version + 1 })
    })
    if (!changed.ok) return changed
    const { before, after } = changed.value
    await this.#changed('key.rotate', after, by, {
      before: { prefix: before.prefix },
      after: { prefix: after.prefix },
    })
    return ok({ key: after, secret })
  }

  /** The secret itself, after the audit log has it. Refusals: `missing`, `gone` when no copy is kept, `unavailable`. */
  async reveal(id: string, by: ActedBy): Promise<Result<string, Refusal>> {
    const { store, vault, keepsCopies } = this.#deps
    const key = await store.get(id)
    if (key === undefined) return err(noSuchKey())
    if (key.sealedSecret === null || !keepsCopies()) {
      return err(refusal('gone', 'no copy of this key is kept; rotate it to get a new secret'))
    }
    const recorded = await this.#record('key.reveal', key, by, {})
    if (!recorded.ok) return recorded
    const secret = vault.open(key.sealedSecret, placeOf(id))
    return secret.ok ? ok(secret.value) : err(refusal('gone', 'the copy of this key cannot be opened; rotate it'))
  }

  /** Forgets the copies kept for reveal, when they are no longer wanted. */
  async forgetCopies(): Promise<void> {
    await this.#deps.store.forgetCopies()
  }

  async #write(
    id: string,
    draft: KeyDraft,
    version: number | null,
    by: ActedBy,
    missing: 'defaults' | 'current',
  ): Promise<Result<StoredKey, Refusal>> {
    const nowMs = this.#deps.clock.nowMs()
    const changed = await this.#deps.store.change(id, (key) => {
      const stale = staleness(key.version, version)
      if (stale !== undefined) return err(stale)
      if ((draft.secret ?? key.secretMasked) !== key.secretMasked) return err(secretIsFixed())
      const defaults = this.#defaults(key.name, key.ownerId)
      const rules = readRules(draft, missing === 'current' ? key : defaults, defaults, key, nowMs)
      if (!rules.ok) return err(invalid(rules.error))
      return ok(revised(key, { ...key, ...rules.value }, nowMs))
    })
    if (!changed.ok) return changed
    const { before, after } = changed.value
    const values = { before: rulesToWire(before), after: rulesToWire(after) }
    if (after !== before) await this.#changed('key.change', after, by, values)
    return ok(this.#withLastUse(after))
  }

  #defaults(name: string, ownerId: string | null): KeyRules {
    return defaultRules(name, ownerId, this.#deps.plans.standard()?.id ?? null)
  }

  #keep(secret: string, id: string): KeptSecret {
    const sealedSecret = this.#deps.keepsCopies() ? this.#deps.vault.seal(secret, placeOf(id)) : null
    const prefix = secret.slice(0, SHOWN_LENGTH)
    return { prefix, secretHash: hashOfSecret(secret), secretMasked: maskSecret(secret), sealedSecret }
  }

  async #changed(action: string, key: Key, by: ActedBy, values: { before?: unknown; after?: unknown }): Promise<void> {
    await this.reload()
    await this.#record(action, key, by, values)
  }

  #record(action: string, key: Key, by: ActedBy, values: { before?: unknown; after?: unknown }) {
    const object = { type: 'key', id: key.id, name: key.name }
    return this.#deps.audit.record({ ...by, action, object, outcome: 'ok', ...values })
  }

  #withLastUse(key: StoredKey): StoredKey {
    const use = this.#uses.get(key.id)
    return use === undefined ? key : { ...key, lastUsedAtMs: use.atMs, lastIp: use.ip }
  }
}

function countBy<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, number> {
  return new Map([...Map.groupBy(items, keyOf)].map(([key, group]) => [key, group.length]))
}

function entriesOf(key: EffectiveKey): (readonly [string, Entry])[] {
  const current = [key.secretHash, { key, untilMs: null }] as const
  if (key.previousHash === null || key.previousUntilMs === null) return [current]
  return [[key.previousHash, { key, untilMs: key.previousUntilMs }], current]
}

function placeOf(id: string) {
  return { table: 'keys', row: id, column: 'sealed_secret' }
}

function secretIsFixed(): Refusal {
  return invalid({ secret: ['changes only by rotation; leave it out or send its masked form'] })
}
