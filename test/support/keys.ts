import { openKeys } from '../../src/app/keys.ts'
import type { Dashboard } from './dashboard.ts'

type Parts = Parameters<typeof openKeys>[0]

/** Keys and plans as the program opens them. What plans name beyond them is there, unless `more` says otherwise. */
export function openTestKeys(dashboard: Dashboard, more: Partial<Parts> = {}): ReturnType<typeof openKeys> {
  return openKeys({
    ...dashboard,
    log: { write: () => undefined },
    keepsCopies: () => true,
    modelProblem: () => undefined,
    chainProblem: () => undefined,
    limitedBy: () => undefined,
    keysLoaded: () => undefined,
    spending: { replaceRules: () => undefined, leftPct: () => null, statusOf: () => [] },
    ...more,
  })
}
