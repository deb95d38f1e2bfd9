/**
 * What the owner may tune, and nothing that is not enforced. Readers take `current()`, an immutable snapshot that a write
 * replaces before it is answered; they never keep a copy.
 */
import type { Clock } from '../../core/clock.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { Snapshot } from '../../core/snapshot.ts'
import { parseCidr } from '../../http/cidr.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { staleness } from '../../http/if-match.ts'
import { invalid, type Refusal } from '../../http/refusal.ts'
import { checkAtSave } from '../../outbound/policy.ts'
import type { Audit } from '../audit/service.ts'
import type { Caller } from '../auth/actor.ts'
import { actedBy } from '../auth/acted-by.ts'
import type { SettingsDraft } from './schema.ts'
import { changes, effective, merged, type Overrides, type Settings, settingsOf } from './settings.ts'
import type { SettingsStore, StoredSettings } from './store.ts'

interface Deps {
  readonly store: SettingsStore
  readonly audit: Audit
  readonly clock: Clock
  /** Why a key cannot stand in for requests without a credential; undefined when it can. */
  readonly anonymousKeyProblem?: (keyId: string) => string | undefined
  /** Called after a change counts and is in the audit log, for what has to follow it at once. */
  readonly changed?: (settings: Settings) => Promise<void>
}

export class SettingsService {
  readonly #deps: Deps
  readonly #current = new Snapshot(settingsOf({}))

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Reads what is stored; until then the defaults hold. */
  async start(): Promise<void> {
    const { overrides } = await this.#deps.store.load(this.#deps.clock.nowMs())
    this.#current.replace(settingsOf(overrides))
  }

  current(): Settings {
    return this.#current.current
  }

  async get(): Promise<StoredSettings> {
    return this.#deps.store.load(this.#deps.clock.nowMs())
  }

  /** PUT: what was not sent becomes its default. Refusals: `stale`, `invalid`. Audited. */
  async replace(
    draft: SettingsDraft,
    version: number | null,
    caller: Caller,
  ): Promise<Result<StoredSettings, Refusal>> {
    return this.#write(draft, version, caller, 'defaults')
  }

  /** PATCH: groups are merged, `null` resets. Refusals: `stale`, `invalid`. Audited. */
  async patch(draft: SettingsDraft, version: number | null, caller: Caller): Promise<Result<StoredSettings, Refusal>> {
    return this.#write(draft, version, caller, 'current')
  }

  async #write(
    draft: SettingsDraft,
    version: number | null,
    caller: Caller,
    base: 'defaults' | 'current',
  ): Promise<Result<StoredSettings, Refusal>> {
    const { store, clock } = this.#deps
    const errors = this.#errorsOf(draft)
    if (Object.keys(errors).length > 0) return err(invalid(errors))
    const changed = await store.change(clock.nowMs(), (current) => {
      const stale = staleness(current.version, version)
      return stale === undefined ? accepted(merged(base === 'current' ? current.overrides : {}, draft)) : err(stale)
    })
    if (!changed.ok) return changed
    const { before, after } = changed.value
    if (after === before) return ok(after)
    this.#current.replace(settingsOf(after.overrides))
    await this.#record(before, after, caller)
    await this.#deps.changed?.(this.current())
    return ok(after)
  }

  /** What no schema can see. */
  #errorsOf({ server, auth, pricing }: SettingsDraft): FieldErrors {
    const badBlock = server?.trusted_proxies?.some((block) => parseCidr(block) === undefined) === true
    const keyId = auth?.anonymous_key_id ?? null
    const badUrl = addressProblem(pricing?.sync_url ?? null)
    const badKey = keyId === null ? undefined : this.#deps.anonymousKeyProblem?.(keyId)
    return {
      ...(badBlock ? { 'server.trusted_proxies': ['must hold addresses or blocks such as 10.0.0.0/8'] } : {}),
      ...(badKey === undefined ? {} : { 'auth.anonymous_key_id': [badKey] }),
      ...(badUrl === undefined ? {} : { 'pricing.sync_url': [badUrl] }),
    }
  }

  async #record(before: StoredSettings, after: StoredSettings, caller: Caller): Promise<void> {
    await this.#deps.audit.record({
      ...actedBy(caller),
      action: 'settings.change',
      object: { type: 'settings', id: 'settings', name: null },
      ...changes(effective(before.overrides), effective(after.overrides)),
      outcome: 'ok',
    })
  }
}

/** Prices come from the internet alone: the same rules hold when they are fetched. */
function addressProblem(address: string | null): string | undefined {
  if (address === null) return undefined
  const url = URL.parse(address)
  return url === null ? 'must be an https address' : checkAtSave(url, { kind: 'public' })?.message
}

/** What no field can say alone. */
function accepted(overrides: Overrides): Result<Overrides, Refusal> {
  const { retry } = effective(overrides).routing
  if (retry.base_ms <= retry.max_ms) return ok(overrides)
  return err(invalid({ 'routing.retry.base_ms': ['must not be more than max_ms'] }))
}
