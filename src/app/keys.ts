import type { Config } from '../config.ts'
import type { Databases } from '../db/open.ts'
import { Vault } from '../db/seal.ts'
import { AuditService } from '../resources/audit/service.ts'
import type { SpendBook } from '../ledger/spending/spending.ts'
import { AnonymousKey } from '../resources/keys/anonymous.ts'
import { KeyService } from '../resources/keys/service.ts'
import { spendRulesOf } from '../resources/keys/spend-rules.ts'
import { budgetsOf } from '../resources/keys/budget.ts'
import type { StoredKey } from '../resources/keys/key.ts'
import { keysOnPlans, KeyStore } from '../resources/keys/store.ts'
import { type NamedByPlans, PlanService } from '../resources/plans/service.ts'
import { PlanStore } from '../resources/plans/store.ts'
import type { SettingsService } from '../resources/settings/service.ts'
import type { System } from './system.ts'

interface KeyParts extends Pick<System, 'log' | 'clock' | 'random'>, NamedByPlans {
  readonly db: Databases['config']
  readonly vault: Vault
  readonly audit: AuditService
  readonly keepsCopies: () => boolean
  readonly spending: Pick<SpendBook, 'replaceRules' | 'leftPct' | 'statusOf'>
  /** Called whenever keys or what they are on was read again: what they say may be something else now. */
  readonly keysLoaded: () => void
}

type Spending = Pick<StoredKey, 'id' | 'planId' | 'tags'>

/** Gateway keys and the plans that they are on. `reload` when something that both name is gone; `stop` in the end. */
export async function openKeys({ db, spending, keysLoaded, ...parts }: KeyParts) {
  const plans = new PlanService({ ...parts, store: new PlanStore(db), keysOnPlans, changed: () => keys.reload() })
  const keys = new KeyService({
    ...parts,
    store: new KeyStore(db),
    plans,
    loaded: (all) => {
      const { ofPlans, ofKeys } = spendRulesOf(plans.all(), all)
      spending.replaceRules('plans', ofPlans)
      spending.replaceRules('keys', ofKeys)
      keysLoaded()
    },
  })
  await plans.reload()
  const stopNoting = await keys.start()
  const stopReminding = keys.remind(parts.log)
  return {
    plans,
    keys,
    keysOn: (planId: string) => keys.onPlan(planId),
    /** Is nothing left of a budget that the key falls under, whatever it asks for? */
    isOverBudget: ({ id, planId, tags }: Spending): boolean => spending.leftPct({ keyId: id, planId, tags }) === 0,
    budgetsOfKeys: (ids: readonly string[]) =>
      budgetsOf(
        ids.flatMap((id) => keys.byId(id) ?? []),
        { statusOf: (ruleId) => spending.statusOf(ruleId) },
      ),
    reload: async (): Promise<void> => {
      await plans.reload()
      await keys.reload()
    },
    stop: async (): Promise<void> => {
      stopReminding()
      await stopNoting()
    },
  }
}

interface AnonymousParts extends Pick<System, 'log'> {
  readonly config: Config
  readonly settings: SettingsService
  readonly keys: KeyService
}

/** The key of requests that come without one. Loud when it does nothing: whoever set it counts on it. */
export function openAnonymousKey({ config, settings, keys, log }: AnonymousParts) {
  const anonymous = new AnonymousKey({
    host: config.host,
    keyId: () => settings.current().auth.anonymousKeyId,
    key: (id) => keys.byId(id),
  })
  const warning = anonymous.warning()
  if (warning !== null) log.write('warn', 'auth', warning)
  return anonymous
}
