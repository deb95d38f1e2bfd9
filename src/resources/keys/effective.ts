import type { ContentLogging } from '../contents/content.ts'
import { type Limits, NO_LIMITS } from '../plans/limits.ts'
import type { Plan, PlanContentLogging } from '../plans/plan.ts'
import type { StoredKey } from './key.ts'

/** What inference goes by: what the key itself says, else its plan, else that nothing is limited. */
export interface EffectiveKey extends Omit<StoredKey, 'limits'> {
  readonly limits: Limits
  /** Who goes first where requests wait for something; the higher the sooner. */
  readonly priority: number
  /** What `auto` means for it; null: what the settings say. */
  readonly defaultModel: string | null
  /** All its chats go through this chain; null: where they ask to go. */
  readonly chainId: string | null
}

export function effectiveKey(key: StoredKey, plan: Plan | undefined): EffectiveKey {
  return {
    ...key,
    limits: { ...(plan?.limits ?? NO_LIMITS), ...key.limits },
    modelsAllow: key.modelsAllow ?? unlessAll(plan?.modelsAllow),
    modelsDeny: key.modelsDeny ?? unlessNone(plan?.modelsDeny),
    endpointsAllow: key.endpointsAllow ?? unlessAll(plan?.endpointsAllow),
    skillIds: [...new Set([...(plan?.skillIds ?? []), ...key.skillIds])],
    logContent: key.logContent ?? unlessInherited(plan?.logContent),
    priority: plan?.priority ?? 0,
    defaultModel: plan?.defaultModel ?? null,
    chainId: plan?.chainId ?? null,
  }
}

/** Null: what the settings say. */
function unlessInherited(logging: PlanContentLogging | undefined): ContentLogging | null {
  return logging === undefined || logging === 'inherit' ? null : logging
}

/** Null where a list allows everything, which costs requests nothing to find out. */
function unlessAll(allow: readonly string[] | undefined): readonly string[] | null {
  return allow === undefined || allow.includes('*') ? null : allow
}

function unlessNone(deny: readonly string[] | undefined): readonly string[] | null {
  return deny === undefined || deny.length === 0 ? null : deny
}
