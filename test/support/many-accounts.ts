/** A roster of as many accounts as wanted, in memory and without credentials that anything could open. */
import type { Clock } from '../../src/core/clock.ts'
import { NEW_STATE, type Account, type AccountState } from '../../src/resources/accounts/account.ts'
import type { Hold } from '../../src/resources/accounts/hold.ts'
import { AccountRoster } from '../../src/resources/accounts/roster.ts'
import { temporaryMasterKey } from '../../src/db/master-key.ts'
import { Vault } from '../../src/db/seal.ts'
import type { CooldownRules } from '../../src/routing/cooldown.ts'
import { NO_PARAMS } from '../../src/routing/rule.ts'
import { seededRandom } from './random.ts'

export const COOLDOWN_RULES: CooldownRules = {
  baseMs: 2_000,
  factor: 2,
  maxMs: 300_000,
  capMs: 1_800_000,
  reprobe: true,
}

export interface ManyAccounts {
  readonly provider: string
  readonly count: number
  readonly clock: Clock
  /** What the account with this number, from 0, says differently. */
  readonly account?: (index: number) => Partial<Account>
  readonly state?: (index: number) => Partial<AccountState>
  readonly holds?: readonly Hold[]
}

export async function manyAccounts({ clock, holds = [], ...wanted }: ManyAccounts): Promise<AccountRoster> {
  const random = seededRandom(1)
  const stored = Array.from({ length: wanted.count }, (_, index) => storedAccount(wanted, index))
  return AccountRoster.open({
    store: { all: async () => stored, saveStates: async () => undefined },
    vault: new Vault(temporaryMasterKey(random), random),
    send: () => Promise.reject(new Error('nothing is sent here')),
    holds,
    cooldownRules: () => COOLDOWN_RULES,
    clock,
    log: { write: () => undefined },
  })
}

function storedAccount({ provider, account, state }: Omit<ManyAccounts, 'clock'>, index: number) {
  const usual: Account = {
    id: `acc_${index}`,
    provider,
    name: `${provider} ${index}`,
    authType: 'bearer',
    enabled: true,
    priority: 0,
    weight: 1,
    requestsPerMinute: null,
    tokensPerMinute: null,
    concurrencyMax: null,
    modelsAllow: ['*'],
    modelsDeny: [],
    modelMap: {},
    params: NO_PARAMS,
    headers: {},
    baseUrlOverride: null,
    allowPrivateNetwork: false,
    proxyPoolId: null,
    region: null,
    budgetNano: null,
    budgetPeriod: 'month',
    expiresAtMs: null,
    tags: {},
    sealedCredentials: 'sealed',
    credentialsHash: null,
    source: 'api',
    createdAtMs: index,
    updatedAtMs: index,
    version: 1,
  }
  return { account: { ...usual, ...account?.(index) }, state: { ...NEW_STATE, ...state?.(index) } }
}
