/**
 * What operators manage: one folder per dashboard resource, mounted here. A resource holds state and rules and knows its
 * siblings' tables and services at most; none knows the gateway. Invariant: every route has its row in `access.ts`.
 */
import { Elysia } from 'elysia'
import type { JointFacts } from '../catalog/joint-facts.ts'
import type { Clock } from '../core/clock.ts'
import type { Reader } from '../db/reader.ts'
import { apiDocument, type ForeignRoute } from '../http/api-document.ts'
import { refusal, refused } from '../http/refusal.ts'
import { REQUEST_ID_HEADER } from '../http/request-id.ts'
import { methodsOf } from './access.ts'
import type { BulkAccounts } from './accounts/bulk.ts'
import { accountRoutes } from './accounts/routes.ts'
import type { AccountService } from './accounts/service.ts'
import { aliasRoutes } from './aliases/routes.ts'
import type { AliasService } from './aliases/service.ts'
import { auditRoutes } from './audit/routes.ts'
import type { AuditService } from './audit/service.ts'
import type { Caller } from './auth/actor.ts'
import { authenticated, type AuthenticatedDeps, authenticatedUpload } from './auth/authenticated.ts'
import { authRoutes } from './auth/routes.ts'
import type { AuthService } from './auth/service.ts'
import type { KnownModels } from './capability-overrides/list.ts'
import type { BudgetForecasts } from './budgets/forecasts.ts'
import { budgetRoutes } from './budgets/routes.ts'
import type { BudgetService } from './budgets/service.ts'
import { simulateRoutes } from './budgets/simulate-routes.ts'
import type { SpendSimulator } from './budgets/simulator.ts'
import { capabilityOverrideRoutes } from './capability-overrides/routes.ts'
import type { CapabilityOverrideService } from './capability-overrides/service.ts'
import { chainRoutes } from './chains/routes.ts'
import type { ChainQuery } from './chains/queries.ts'
import type { ChainService } from './chains/service.ts'
import type { ChainSimulator } from './chains/simulator.ts'
import { conformanceRoutes } from './conformance/routes.ts'
import type { ConformanceService } from './conformance/service.ts'
import { consoleRoutes } from './console/routes.ts'
import type { ConsoleService } from './console/service.ts'
import type { ContentKeeper } from './contents/keeper.ts'
import { customProviderRoutes } from './custom-providers/routes.ts'
import type { CustomProviderService } from './custom-providers/service.ts'
import { keyRoutes } from './keys/routes.ts'
import type { StoredKey } from './keys/key.ts'
import type { KeyUsage } from './keys/schema.ts'
import type { KeyService } from './keys/service.ts'
import type { OwnBudget } from './plans/own-budget.ts'
import { planRoutes } from './plans/routes.ts'
import type { PlanService } from './plans/service.ts'
import { pricingOverrideRoutes } from './pricing-overrides/routes.ts'
import type { PricingOverrideService } from './pricing-overrides/service.ts'
import type { RateRow } from './providers/rates-list.ts'
import { rateRoutes } from './providers/rates-routes.ts'
import type { RatesSync } from './providers/rates-sync.ts'
import { providerRoutes } from './providers/routes.ts'
import type { ProviderService } from './providers/service.ts'
import type { ModelSync } from './providers/sync.ts'
import { proxyPoolRoutes } from './proxy-pools/routes.ts'
import type { ProxyPoolService } from './proxy-pools/service.ts'
import { quotaRoutes } from './quota/routes.ts'
import type { QuotaService } from './quota/service.ts'
import { settingsRoutes } from './settings/routes.ts'
import type { SettingsService } from './settings/service.ts'
import { skillRoutes } from './skills/routes.ts'
import type { SkillService } from './skills/service.ts'
import type { SkillUsageService } from './skills/usage.ts'
import { skillUsageRoutes } from './skills/usage-routes.ts'
import { systemRoutes } from './system/routes.ts'
import type { SystemService } from './system/service.ts'
import { repriceRoutes } from './usage/reprice-routes.ts'
import type { UsageReprice } from './usage/reprice.ts'
import type { UsageExport } from './usage/export.ts'
import { exportRoutes } from './usage/export-routes.ts'
import type { InsightService } from './usage/insights.ts'
import { insightRoutes } from './usage/insights-routes.ts'
import { usageRoutes } from './usage/routes.ts'
import type { UsageService } from './usage/service.ts'
import { validateKeyRoutes } from './validate-key/routes.ts'
import type { KeyValidation } from './validate-key/service.ts'
import type { TelemetryService } from './usage/telemetry.ts'

export interface ResourceDeps extends Omit<AuthenticatedDeps, 'callers' | 'auth'> {
  readonly clock: Clock
  readonly audit: AuditService
  readonly auth: AuthService
  readonly console: ConsoleService
  readonly plans: PlanService
  /** How many keys are on a plan. */
  readonly keysOn: (planId: string) => number
  readonly keys: KeyService
  /** Is a budget spent that the key falls under? */
  readonly isOverBudget: (key: StoredKey) => boolean
  /** How what keys or their plans may cost stands, by id; a key without an amount is left out. */
  readonly budgetsOfKeys: (keyIds: readonly string[]) => ReadonlyMap<string, OwnBudget>
  readonly accounts: AccountService
  readonly bulkAccounts: BulkAccounts
  readonly keyValidation: KeyValidation
  readonly conformance: ConformanceService
  readonly providers: ProviderService
  readonly modelSync: ModelSync
  readonly customProviders: CustomProviderService
  readonly pricingOverrides: PricingOverrideService
  /** What everything costs at a moment. */
  readonly rates: (atMs: number) => Promise<readonly RateRow[]>
  readonly ratesSync: Pick<RatesSync, 'sync'>
  readonly proxyPools: ProxyPoolService
  readonly capabilityOverrides: CapabilityOverrideService
  /** Every provider with the models that are known of it. */
  readonly knownModels: () => readonly KnownModels[]
  readonly chains: ChainService
  readonly chainReader: Reader<ChainQuery>
  readonly chainSimulator: ChainSimulator
  readonly aliases: AliasService
  /** What all models behind a name have in common; undefined when it leads to none. */
  readonly factsBehind: (name: string) => JointFacts | undefined
  readonly budgets: BudgetService
  readonly budgetForecasts: BudgetForecasts
  readonly spendSimulator: SpendSimulator
  readonly quotas: QuotaService
  readonly skills: SkillService
  readonly skillUsage: Pick<SkillUsageService, 'of'>
  readonly settings: SettingsService
  readonly system: SystemService
  readonly usage: UsageService
  readonly reprice: Pick<UsageReprice, 'reprice'>
  readonly usageExport: Pick<UsageExport, 'open'>
  readonly insights: Pick<InsightService, 'of'>
  readonly contents: Pick<ContentKeeper, 'of'>
  readonly telemetry: TelemetryService
  /** What keys have been used for, by id; a key without requests may be left out. */
  readonly usageOf?: (keyIds: readonly string[]) => Promise<ReadonlyMap<string, KeyUsage>>
  /** The answer takes longer than a connection may be silent. */
  readonly takesLong: (request: Request) => void
  readonly version: string
  /** The inference routes of this build, for the API's document. */
  readonly foreignRoutes: readonly ForeignRoute[]
  /** The inference paths of this build. */
  readonly servedPaths: ReadonlySet<string>
}

/** The dashboard's interface as one application; whatever it does not answer, `unmatched` does. */
export function resourceRoutes(deps: ResourceDeps) {
  const edge = { ...deps, callers: new WeakMap<Request, Caller>() }
  const plugins = { authenticated: authenticated(edge), authenticatedUpload: authenticatedUpload(edge) }
  const mounted = { ...edge, ...plugins }
  // Hosts shorter than four characters are hosts, too: the router's fast path cuts their URLs in the wrong place.
  const routes = new Elysia({ normalize: false, handler: { standardHostname: false } })
    .onError(({ code, request }) =>
      code === 'NOT_FOUND' ? unmatched(request, deps.requestIds.of(request)) : undefined,
    )
    .use(authRoutes(mounted))
    .use(keyRoutes(mounted))
    .use(planRoutes(mounted))
    .use(accountRoutes(mounted))
    .use(validateKeyRoutes(mounted))
    .use(rateRoutes(mounted))
    .use(providerRoutes(mounted))
    .use(conformanceRoutes(mounted))
    .use(customProviderRoutes(mounted))
    .use(pricingOverrideRoutes(mounted))
    .use(proxyPoolRoutes(mounted))
    .use(capabilityOverrideRoutes(mounted))
    .use(chainRoutes(mounted))
    .use(aliasRoutes(mounted))
    .use(budgetRoutes(mounted))
    .use(simulateRoutes(mounted))
    .use(quotaRoutes(mounted))
    .use(skillRoutes(mounted))
    .use(skillUsageRoutes(mounted))
    .use(settingsRoutes(mounted))
    .use(usageRoutes(mounted))
    .use(exportRoutes(mounted))
    .use(insightRoutes(mounted))
    .use(repriceRoutes(mounted))
    .use(auditRoutes(mounted))
    .use(consoleRoutes(mounted))
    .use(systemRoutes(mounted))
  return routes.use(apiDocument(routes, deps))
}

/** 405 with what the path does answer to, or 404. */
function unmatched(request: Request, requestId: string): Response {
  const allow = methodsOf(request.url)
  const known = refusal('method', `this path answers to ${allow.join(', ')}`, { allow })
  const response = refused(allow.length > 0 ? known : refusal('missing', 'there is no such route'))
  response.headers.set(REQUEST_ID_HEADER, requestId)
  return response
}
