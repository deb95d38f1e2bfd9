/**
 * The shapes of the REST API, as the server's own schemas define them. Types alone: nothing of the server reaches the browser.
 */
import type { Static } from '@sinclair/typebox'
import type { BulkDraft, BulkOutcomeSchema } from '../resources/accounts/bulk-schema.ts'
import type { ReportWire } from '../resources/accounts/report.ts'
import type { AccountDraft, AccountWire, NewAccountDraft } from '../resources/accounts/schema.ts'
import type { AliasDraft, AliasWire } from '../resources/aliases/schema.ts'
import type { AuditWire } from '../resources/audit/schema.ts'
import type { ProfileBody, ProfileWire, SessionWire, SetUpWire } from '../resources/auth/schema.ts'
import type { ForecastWire } from '../resources/budgets/forecast-schema.ts'
import type { BudgetDraft, BudgetWire, NewBudgetDraft } from '../resources/budgets/schema.ts'
import type {
  SimulateDraft as LimitTrialDraft,
  SimulationWire as LimitSimulationWire,
} from '../resources/budgets/simulate-schema.ts'
import type { CounterWire, StatusWire as BudgetStatusWire } from '../resources/budgets/status-schema.ts'
import type { CapabilitiesWire } from '../resources/capability-overrides/schema.ts'
import type { SheetDraft } from '../resources/capability-overrides/sheet.ts'
import type { ChainDraft, ChainWire, WholeChainBody } from '../resources/chains/schema.ts'
import type { SimulateDraft, SimulationWire } from '../resources/chains/simulate-schema.ts'
import type { StepUsageWire } from '../resources/chains/usage-schema.ts'
import type {
  QuoteWire as ConformanceQuoteWire,
  ReportWire as ConformanceReportWire,
  StateWire as ConformanceStateWire,
} from '../resources/conformance/schema.ts'
import type { ConsoleWire } from '../resources/console/schema.ts'
import type {
  CustomProviderDraft,
  CustomProviderWire,
  NewCustomProviderDraft,
} from '../resources/custom-providers/schema.ts'
import type { CreateKeyBody, KeyDraft, KeyWire, KeyWithSecretWire, RevealedKeyWire } from '../resources/keys/schema.ts'
import type { LimitsDraft } from '../resources/plans/limit-fields.ts'
import type { PlanDraft, PlanWire, WholePlanBody } from '../resources/plans/schema.ts'
import type { OverrideDraft as PriceDraft, PricingOverrideWire } from '../resources/pricing-overrides/schema.ts'
import type { RateWire, SyncedRatesWire } from '../resources/providers/rates-schema.ts'
import type { ModelSchema, ProviderSchema } from '../resources/providers/schema.ts'
import type { NewProxyPoolDraft, ProxyPoolDraft, ProxyPoolWire } from '../resources/proxy-pools/schema.ts'
import type { OverviewSchema as QuotaOverviewSchema, PatchQuotaSchema, QuotaWire } from '../resources/quota/schema.ts'
import type { SettingsDraft, SettingsWire } from '../resources/settings/schema.ts'
import type { CreateSkillBody, DocumentWire, SkillPatch, SkillWire } from '../resources/skills/schema.ts'
import type { InsightsWire } from '../resources/usage/insights-schema.ts'
import type { ModelWire as ModelUsageWire, TelemetryWire } from '../resources/usage/report-schema.ts'
import type { RepricedSchema, RepriceDraft } from '../resources/usage/reprice-schema.ts'
import type { RequestDetailWire, RequestListWire, RequestsQuery, RequestWire } from '../resources/usage/schema.ts'
import type { SummaryQuery, SummaryWire } from '../resources/usage/summary-schema.ts'
import type { ValidateKeyDraft } from '../resources/validate-key/schema.ts'

export type { FieldErrors, List, ListMetadata, Single } from '../http/envelope.ts'

export type SetUp = Static<typeof SetUpWire>
export type Session = Static<typeof SessionWire>
export type Profile = Static<typeof ProfileWire>
export type ProfileChange = Static<typeof ProfileBody>

export type Key = Static<typeof KeyWire>
export type KeyWithSecret = Static<typeof KeyWithSecretWire>
export type RevealedKey = Static<typeof RevealedKeyWire>
export type NewKey = Static<typeof CreateKeyBody>
export type KeyChange = KeyDraft

export type Plan = Static<typeof PlanWire>
export type NewPlan = Static<typeof WholePlanBody>
export type PlanChange = PlanDraft
/** The limits that a key has instead of its plan's. */
export type LimitChange = LimitsDraft

export type Budget = Static<typeof BudgetWire>
export type NewBudget = NewBudgetDraft
export type BudgetChange = BudgetDraft
export type BudgetStatus = Static<typeof BudgetStatusWire>
export type BudgetCounter = Static<typeof CounterWire>
export type LimitTrial = LimitTrialDraft
export type LimitSimulation = Static<typeof LimitSimulationWire>
export type BudgetForecast = Static<typeof ForecastWire>

export type Account = AccountWire
export type NewAccount = NewAccountDraft
export type AccountChange = AccountDraft
export type AccountReport = ReportWire
export type KeyValidation = ValidateKeyDraft
export type ConformanceReport = ConformanceReportWire
export type ConformanceQuote = ConformanceQuoteWire
export type ConformanceState = ConformanceStateWire
export type BulkAccounts = BulkDraft
export type BulkOutcome = Static<typeof BulkOutcomeSchema>

export type CustomProvider = CustomProviderWire
export type NewCustomProvider = NewCustomProviderDraft
export type CustomProviderChange = CustomProviderDraft

export type Capabilities = CapabilitiesWire
export type CapabilityDraft = SheetDraft

export type Chain = Static<typeof ChainWire>
export type NewChain = Static<typeof WholeChainBody>
export type ChainChange = ChainDraft
export type ChainStepUsage = Static<typeof StepUsageWire>
export type ChainSimulation = Static<typeof SimulationWire>
export type ChainTrial = SimulateDraft

export type Alias = Static<typeof AliasWire>
export type NewAlias = AliasDraft

export type Provider = Static<typeof ProviderSchema>
export type Model = Static<typeof ModelSchema>

export type PricingOverride = PricingOverrideWire
export type NewPricingOverride = PriceDraft
export type Rate = RateWire
export type SyncedRates = SyncedRatesWire
export type Repricing = RepriceDraft
export type Repriced = Static<typeof RepricedSchema>

export type ProxyPool = ProxyPoolWire
export type NewProxyPool = NewProxyPoolDraft
export type ProxyPoolChange = ProxyPoolDraft

export type Quota = QuotaWire
export type QuotaChange = Static<typeof PatchQuotaSchema>
export type QuotaOverview = Static<typeof QuotaOverviewSchema>

export type Skill = Static<typeof SkillWire>
export type NewSkill = Static<typeof CreateSkillBody>
export type SkillChange = SkillPatch
export type SkillDocument = Static<typeof DocumentWire>

export type Settings = Static<typeof SettingsWire>
export type SettingsChange = SettingsDraft

export type UsageSummary = Static<typeof SummaryWire>
export type UsageTelemetry = Static<typeof TelemetryWire>
export type UsageInsights = Static<typeof InsightsWire>
export type ModelUsage = Static<typeof ModelUsageWire>
export type UsageQuery = Static<typeof SummaryQuery>
export type LoggedRequest = Static<typeof RequestWire>
export type RequestDetail = Static<typeof RequestDetailWire>
export type RequestList = Static<typeof RequestListWire>
export type RequestQuery = Static<typeof RequestsQuery>

export type ConsoleEntry = Static<typeof ConsoleWire>
export type AuditEntry = Static<typeof AuditWire>
