/**
 * What the dashboard's pages are: one folder for each resource, each bringing a `PageSet`. A page knows the server through
 * `api.ts` and its neighbours through their addresses alone. Invariant: a page is loaded when it is first opened, never before.
 */
import type { PageSet } from '../page-set.ts'
import { aliasPages } from './aliases/index.ts'
import { auditPages } from './audit/index.ts'
import { budgetPages } from './budgets/index.ts'
import { chainPages } from './chains/index.ts'
import { consolePages } from './console/index.ts'
import { customProviderPages } from './custom-providers/index.ts'
import { homePages } from './home/index.ts'
import { keyPages } from './keys/index.ts'
import { modelPages } from './models/index.ts'
import { overviewPages } from './overview/index.ts'
import { planPages } from './plans/index.ts'
import { pricePages } from './prices/index.ts'
import { profilePages } from './profile/index.ts'
import { providerPages } from './providers/index.ts'
import { proxyPoolPages } from './proxy-pools/index.ts'
import { quotaPages } from './quotas/index.ts'
import { requestPages } from './requests/index.ts'
import { settingsPages } from './settings/index.ts'
import { skillPages } from './skills/index.ts'

export const PAGES: readonly PageSet[] = [
  aliasPages,
  auditPages,
  budgetPages,
  chainPages,
  consolePages,
  homePages,
  keyPages,
  modelPages,
  overviewPages,
  pricePages,
  planPages,
  profilePages,
  providerPages,
  proxyPoolPages,
  quotaPages,
  requestPages,
  skillPages,
  settingsPages,
  customProviderPages,
]
