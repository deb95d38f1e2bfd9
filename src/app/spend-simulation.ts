/** Limits and budgets are tried on the past by what holds live: the purse of the ledger and the gateway's own limits on keys. */
import type { Clock } from '../core/clock.ts'
import { err, ok } from '../core/result.ts'
import { allowsEndpoint, mayUse, overSize } from '../gateway/admit.ts'
import type { Gauge } from '../gateway/limits/gauge.ts'
import { KeyLimits, type KeyLine } from '../gateway/limits/key-limits.ts'
import type { KeyUse } from '../ledger/day-use.ts'
import { Windows } from '../ledger/spending/windows.ts'
import type { PastLimits } from '../resources/budgets/replay.ts'
import type { BudgetService } from '../resources/budgets/service.ts'
import { SpendSimulator } from '../resources/budgets/simulator.ts'
import type { Plan } from '../resources/plans/plan.ts'
import type { UsageStore } from '../resources/usage/store.ts'
import type { LoggedRequest } from '../resources/usage/usage.ts'
import type { System } from './system.ts'

interface SimulatorParts extends Pick<System, 'clock' | 'random'> {
  readonly budgets: BudgetService
  readonly usageStore: UsageStore
  readonly keys: { byId(id: string): object | undefined }
  readonly plans: { byId(id: string): object | undefined }
}

export function openSpendSimulator({ usageStore, keys, plans, ...parts }: SimulatorParts): SpendSimulator {
  return new SpendSimulator({
    ...parts,
    log: usageStore,
    isKey: (id) => keys.byId(id) !== undefined,
    isPlan: (id) => plans.byId(id) !== undefined,
    limitsOn: pastLimits,
  })
}

/** What a day had before a replay is replayed, too. */
const UNUSED: KeyUse = { requests: 0, inputTokens: 0, cacheReadTokens: 0, outputTokens: 0 }
/** Nobody waits in the past. */
const NO_LINE: KeyLine = { join: () => undefined, isNext: () => true, call: () => undefined }
const NAMES = {
  requests: { minute: 'rpm', day: 'rpd' },
  tokens: { minute: 'tpm', day: 'tpd' },
} as const satisfies Readonly<Record<Gauge['unit'], Readonly<Record<Gauge['per'], string>>>>

const SIZES = { input: 'max_input_tokens', output: 'max_output_tokens' } as const

function pastLimits(clock: Clock): PastLimits {
  const keyUse = async () => ok(UNUSED)
  const live = new KeyLimits({
    clock,
    nowMs: () => clock.nowMs(),
    windows: new Windows(),
    keyUse,
    line: NO_LINE,
    limitsOf: () => undefined,
  })
  const { signal } = new AbortController()
  return {
    barring,
    enter: async (id, limits, tokens) => {
      const key = { id, limits: { ...limits, queueMs: 0 }, priority: 0 }
      const place = await live.enter(key, tokens, () => signal)
      return place.ok ? place : err(nameOf(live.gauges(key), tokens))
    },
  }
}

function barring(plan: Plan, { endpoint, modelAsked, provider, modelUsed, facts }: LoggedRequest): string | undefined {
  const names = modelUsed === null ? [modelAsked] : [modelAsked, `${provider}/${modelUsed}`]
  if (!allowsEndpoint(plan, endpoint)) return 'endpoints_allow'
  if (!mayUse({ ...plan, modelsAllow: null }, names)) return 'models_deny'
  if (!mayUse(plan, names)) return 'models_allow'
  const over = overSize(plan.limits, facts)
  return over && SIZES[over]
}

/** The limit that is in the way for longest, as plans call it; requests at once where no other is. */
function nameOf(gauges: readonly Gauge[], tokens: number): string {
  const waits = gauges.map(({ unit, per, fitsAfterMs }) => {
    return { name: NAMES[unit][per], ms: fitsAfterMs(unit === 'requests' ? 1 : tokens) ?? Number.POSITIVE_INFINITY }
  })
  const [worst] = waits.toSorted((a, b) => b.ms - a.ms)
  return worst === undefined || worst.ms === 0 ? 'max_concurrency' : worst.name
}
