import { crossedBudgets } from './budgets.ts'
import { cacheMisses } from './cache-miss.ts'
import { errorSpikes } from './error-spike.ts'
import { type Facts, type Finding, type Rule, SEVERITIES } from './finding.ts'
import { idleKeys } from './idle-keys.ts'
import { modelOverkill } from './overkill.ts'
import { expensiveRetries } from './retries.ts'
import { slowProviders } from './slow-provider.ts'
import { unpricedModels } from './unpriced.ts'

/** More than anybody acts on at once. */
export const FINDINGS_MAX = 50

const RULES: readonly Rule[] = [
  errorSpikes,
  expensiveRetries,
  crossedBudgets,
  unpricedModels,
  cacheMisses,
  slowProviders,
  modelOverkill,
  idleKeys,
]

/** The gravest first; within that in the order of the rules. */
export function findingsIn(facts: Facts): readonly Finding[] {
  const gravity = ({ severity }: Finding): number => SEVERITIES.indexOf(severity)
  return RULES.flatMap((rule) => rule(facts))
    .toSorted((a, b) => gravity(a) - gravity(b))
    .slice(0, FINDINGS_MAX)
}
