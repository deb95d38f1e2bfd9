/**
 * Composition root: Config → App. Every long-lived thing is made here, once, the clock included; what a module needs it declares
 * as its `Deps`, and `App` satisfies them by its shape. Nothing below imports this file.
 */
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { chargesBy } from './app/charges.ts'
import { openPrices, openReprice } from './app/prices.ts'
import { openProviders } from './app/providers.ts'
import { openKeys } from './app/keys.ts'
import { openLimits } from './app/limits.ts'
import { budgetOnPlan, openBudgets, openSpending } from './app/money.ts'
import { openInsights } from './app/insights.ts'
import { openKeeper } from './app/ledger.ts'
import { directoryOf, openRules } from './app/rules.ts'
import { openSecrets, type Secrets } from './app/secrets.ts'
import { factsBehind, openSimulator } from './app/simulation.ts'
import { openSpendSimulator } from './app/spend-simulation.ts'
import type { System } from './app/system.ts'
import { PriceBook } from './catalog/pricing.ts'
import type { Config } from './config.ts'
import type { Clock } from './core/clock.ts'
import { Deadlines } from './core/deadlines.ts'
import { type Log, tee } from './core/log.ts'
import { usdFromNano } from './core/money.ts'
import type { Random } from './core/random.ts'
import { err, ok, type Result } from './core/result.ts'
import type { DbFailure } from './db/db-failure.ts'
import { type Databases, openDatabases } from './db/open.ts'
import { LocalReader, WorkerReader } from './db/reader.ts'
import { openaiChat } from './dialects/openai-chat/index.ts'
import { type FrontDoor, makeFrontDoor } from './front-door.ts'
import { demoProvider } from './gateway/demo.ts'
import type { GatewayDeps } from './gateway/deps.ts'
import { gatewaySettings } from './gateway/gateway-settings.ts'
import { NAMES_KEPT_MS } from './gateway/idempotency.ts'
import { LiveRequests } from './gateway/live.ts'
import { newMemory } from './gateway/memory.ts'
import { observationsOf } from './gateway/observed.ts'
import { UnknownKeys } from './gateway/unknown-keys.ts'
import { keyUseQueries } from './ledger/day-use.ts'
import { AnswerSizes } from './ledger/answer-sizes.ts'
import { namedRequestsSince } from './ledger/named-requests.ts'
import { recover } from './ledger/recover.ts'
import { spendQueries } from './ledger/spend-log.ts'
import { LedgerWriter } from './ledger/writer.ts'
import { makeConnector } from './outbound/connector.ts'
import { makeFetchPublic } from './outbound/fetch-public.ts'
import { makeIsOwnListener } from './outbound/own-listeners.ts'
import type { ProxyConfig } from './outbound/proxy.ts'
import { systemLookup } from './outbound/resolver.ts'
import type { Account } from './resources/accounts/account.ts'
import { AccountBudgets } from './resources/accounts/budgets.ts'
import { WaitingLine } from './resources/accounts/line.ts'
import { Pace } from './resources/accounts/pace.ts'
import type { AccountRoster } from './resources/accounts/roster.ts'
import type { AccountService } from './resources/accounts/service.ts'
import type { AliasService } from './resources/aliases/service.ts'
import { AuditService } from './resources/audit/service.ts'
import { AuditStore } from './resources/audit/store.ts'
import { AccessTokens } from './resources/auth/access-token.ts'
import { HASH_COST, type HashCost, PasswordHasher } from './resources/auth/password.ts'
import { AuthService } from './resources/auth/service.ts'
import { SetUpToken } from './resources/auth/set-up.ts'
import { loadSigningKeys } from './resources/auth/signing-keys.ts'
import { AuthStore } from './resources/auth/store.ts'
import { Throttle } from './resources/auth/throttle.ts'
import { budgetQueries } from './resources/budgets/course-queries.ts'
import { chainQueries } from './resources/chains/queries.ts'
import type { ChainService } from './resources/chains/service.ts'
import { ConformanceService } from './resources/conformance/service.ts'
import { ContentKeeper } from './resources/contents/keeper.ts'
import { ContentStore } from './resources/contents/store.ts'
import { Followers } from './resources/console/follow.ts'
import { ConsoleRing } from './resources/console/ring.ts'
import { ConsoleService } from './resources/console/service.ts'
import type { CustomProviderService } from './resources/custom-providers/service.ts'
import { AnonymousKey } from './resources/keys/anonymous.ts'
import type { KeyUsage } from './resources/keys/schema.ts'
import { KeyService } from './resources/keys/service.ts'
import type { PlanService } from './resources/plans/service.ts'
import { ProviderWatch } from './resources/providers/watch.ts'
import { ProxyPoolService } from './resources/proxy-pools/service.ts'
import { ProxyPoolStore } from './resources/proxy-pools/store.ts'
import { QuotaBook } from './resources/quota/book.ts'
import { QuotaService } from './resources/quota/service.ts'
import { QuotaStore } from './resources/quota/store.ts'
import { SettingsService } from './resources/settings/service.ts'
import { SettingsStore } from './resources/settings/store.ts'
import { SkillService } from './resources/skills/service.ts'
import { SkillStore } from './resources/skills/store.ts'
import { SystemService } from './resources/system/service.ts'
import { SystemStore, systemQueries } from './resources/system/store.ts'
import { Traffic } from './resources/system/traffic.ts'
import { usageQueries } from './resources/usage/queries.ts'
import { UsageExport } from './resources/usage/export.ts'
import { UsageService } from './resources/usage/service.ts'
import { UsageStore } from './resources/usage/store.ts'
import { TelemetryService } from './resources/usage/telemetry.ts'
import { RoutingCounters } from './routing/counters.ts'
import { makeSystemRandom, systemClock } from './system.ts'
import { openDashboard } from './web/serve.ts'

/** Why the program could not start. One line for the person at the console. */
export type StartFailure = DbFailure | { readonly kind: 'first_owner'; readonly message: string }

export interface App extends FrontDoor {
  /** Reaches the console of the dashboard as well as the log that was handed in. */
  readonly log: Log
  readonly clock: Clock
  readonly audit: AuditService
  readonly auth: AuthService
  readonly plans: PlanService
  readonly keys: KeyService
  readonly conformance: ConformanceService
  readonly accounts: AccountService
  readonly customProviders: CustomProviderService
  readonly chains: ChainService
  readonly aliases: AliasService
  /** A fresh one-time token for the set-up link; undefined once an owner exists. */
  setupToken(): Promise<string | undefined>
  /** Tells the app where it is reached, so that it never calls itself. */
  listensOn(port: number): void
  inFlight(): number
  /** No new work from here on. */
  drain(): void
  /** Ends what still runs, each stream with an error event. */
  abortAll(): void
  shutdownGraceMs(): number
  /** Writes everything that is pending and lets the data folder go. */
  close(): Promise<void>
}

/** What a test replaces. */
export interface AppParts {
  readonly log: Log
  readonly clock: Clock
  readonly random: Random
  readonly databases: 'files' | 'memory'
  /** How many inference requests may run at once; each stream needs two descriptors. */
  readonly liveRequestsMax: number
  /** What is worse than it should be for as long as the process lives; operators are shown it. */
  readonly notices: readonly string[]
  /** What hashing a password costs. */
  readonly hashCost: HashCost
  /** What the internet is: the system's names, the real classes of addresses, the public authorities. */
  readonly internet: System['internet']
}

const ADDRESS_HASH_LENGTH = 22
/** All that the reader's thread may be asked. */
const READER_QUERIES = {
  ...usageQueries,
  ...systemQueries,
  ...chainQueries,
  ...keyUseQueries,
  ...spendQueries,
  ...budgetQueries,
}
const QUIET: Log = { write: () => undefined }
/** For where nobody says how many descriptors there are. */
const LIVE_REQUESTS_MAX = 4_096

/** Failures: those of the data folder, and `first_owner` when the one that the environment names cannot be created. */
export async function createApp(config: Config, parts: Partial<AppParts> = {}): Promise<Result<App, StartFailure>> {
  const {
    log = QUIET,
    clock = systemClock,
    random = makeSystemRandom(),
    liveRequestsMax = LIVE_REQUESTS_MAX,
    notices = [],
    hashCost = HASH_COST,
    internet = { lookup: systemLookup },
  } = parts
  const consoleRing = new ConsoleRing(clock)
  const system = {
    log: tee(log, consoleRing),
    consoleRing,
    clock,
    random,
    liveRequestsMax,
    notices,
    hashCost,
    internet,
  }
  const target = parts.databases === 'memory' ? 'memory' : { dataDir: config.dataDir }
  const opened = openDatabases(target, {
    migrationsDir: join(config.build.assetsDir, 'drizzle'),
    clock,
    random,
  })
  if (!opened.ok) return opened
  const secrets = openSecrets(config, opened.value, target === 'memory', system)
  const app = secrets.ok ? await assemble(config, opened.value, secrets.value, system) : secrets
  if (!app.ok) opened.value.close()
  return app
}

async function assemble(
  config: Config,
  databases: Databases,
  secrets: Secrets,
  system: System,
): Promise<Result<App, StartFailure>> {
  const { clock, random, log, consoleRing, liveRequestsMax, hashCost } = system
  const { vault } = secrets
  const db = databases.config
  const audit = new AuditService({
    store: new AuditStore(db),
    key: secrets.named('audit'),
    ...system,
  })
  const stopTellingHead = audit.tellHead()
  const memory = newMemory()
  const settings = new SettingsService({
    store: new SettingsStore(db),
    audit,
    clock,
    anonymousKeyProblem: (id) => anonymous.problem(id),
    changed: async ({ auth, streaming }) => {
      if (streaming.responsesStore === 'off') memory.responses.clear()
      if (!auth.keysRevealable) await keys.forgetCopies()
    },
  })
  await settings.start()
  noteRecovered(recover(databases.telemetry.$client, settings.current().logging.crashChargePct), log)
  const reader =
    databases.telemetryPath === ':memory:'
      ? new LocalReader(databases.telemetry.$client, READER_QUERIES)
      : new WorkerReader(databases.telemetryPath, READER_QUERIES, { clock, log })
  const checkpoint = (): void => reader.checkpoint()
  const ledger = new LedgerWriter(databases.telemetry.$client, { clock, log, checkpoint })
  for (const named of namedRequestsSince(databases.telemetry.$client, clock.nowMs() - NAMES_KEPT_MS))
    memory.idempotency.remember(named, clock.monotonicMs())
  const authStore = new AuthStore(db)
  const signingKeys = await loadSigningKeys({ store: authStore, vault, clock, random })
  if (!signingKeys.ok) return signingKeys
  const auth = new AuthService({
    store: authStore,
    audit,
    hasher: new PasswordHasher(hashCost),
    throttle: new Throttle(clock, () => settings.current().auth.signInAttempts),
    accessTokens: new AccessTokens({
      clock,
      issuer: databases.installationId,
      keys: signingKeys.value,
    }),
    setUp: new SetUpToken(clock, random),
    refreshKey: secrets.named('refresh'),
    clock,
    random,
  })
  const firstOwner = await createFirstOwner(config, auth)
  if (!firstOwner.ok) return firstOwner

  const spendLine = new WaitingLine(clock)
  const spending = openSpending({ ...system, databases, ledger, reader, freed: (ruleId) => spendLine.call(ruleId) })
  const { plans, keys, isOverBudget, budgetsOfKeys, ...keeping } = await openKeys({
    ...system,
    db,
    vault,
    audit,
    keepsCopies: () => settings.current().auth.keysRevealable,
    spending: spending.purse,
    modelProblem: (name) => rules.modelProblem(name),
    limitedBy: (id) => budgetOnPlan(db, id),
    chainProblem: (id) => rules.chainProblem(id),
  })
  const anonymous = new AnonymousKey({
    host: config.host,
    keyId: () => settings.current().auth.anonymousKeyId,
    key: (id) => keys.byId(id),
  })
  noteAnonymousKey(anonymous, log)
  const skills = new SkillService({
    store: new SkillStore(db),
    audit,
    clock,
    random,
    removed: () => keeping.reload(),
  })
  await skills.start()

  const ownPorts: number[] = []
  const proxyPools = new ProxyPoolService({
    ...system,
    store: new ProxyPoolStore(db, vault),
    audit,
    connector: () => connector,
    accounts: () => roster.all().map(({ account }) => account),
    provider: (id) => providers.provider(id),
    fieldsFor: (provider, account) => roster.fieldsFor(provider, account),
  })
  await proxyPools.reload()
  const connector = makeConnector({
    clock,
    ...system.internet,
    proxy: proxyOf(config),
    exitsFor: (behalf) => proxyPools.exitsFor(behalf),
    isOwnListener: makeIsOwnListener(() => ownPorts),
    portsAllowed: new Set(),
  })
  const { send } = connector
  const deadlines = new Deadlines(clock)
  const fetchPublic = makeFetchPublic({ send, deadlines })
  const pricing = await openPrices({
    ...system,
    db,
    audit,
    book: await PriceBook.open(),
    settings: () => settings.current().pricing,
    fetchPublic,
    providers: () => providers,
    scopeExists: (scope, id) => {
      if (scope === 'key') return keys.byId(id) !== undefined
      if (scope === 'account') return roster.find(id) !== undefined
      return scope === 'plan' ? plans.byId(id) !== undefined : providers.provider(id) !== undefined
    },
  })
  const fingerprintKey = secrets.named('accounts')
  const resilience = () => settings.current().resilience
  const line = new WaitingLine(clock)
  const pace = new Pace(clock, (accountId) => line.call(accountId))
  const watch = new ProviderWatch({ clock, log, rules: () => resilience().circuit })
  const quotaStore = new QuotaStore(databases.telemetry)
  const quotaBook = await QuotaBook.open({ store: quotaStore, pace, clock, random, log })
  const accountBudgets = new AccountBudgets({ spending: spending.purse, clock })
  const guards = {
    watch,
    holds: [pace, watch, quotaBook, accountBudgets],
    changed: (accounts: Iterable<Account>) => accountBudgets.replace(accounts),
    cooldownRules: () => resilience().cooldown,
    quotaOf: (accountId: string) => quotaBook.summaryOf(accountId),
    budgetOf: (account: Account) => accountBudgets.of(account),
  }
  const providing = await openProviders({
    ...system,
    db,
    vault,
    audit,
    send,
    prices: pricing.prices,
    forgetPrices: (provider) => pricing.pricingOverrides.forgetProvider(provider),
    fingerprintKey,
    ...guards,
    isProxyPool: (id) => proxyPools.isChoice(id),
    isChain: (slug) => rules.chains.all().some((chain) => chain.slug === slug),
  })
  const { roster, providers } = providing
  const stopExitChecks = proxyPools.startChecks()
  const rules = await openRules({ ...system, db, audit, roster, providers, settings })
  const stopReminding = rules.current.remind(log)

  const contents = await ContentKeeper.open({
    ...system,
    vault,
    store: new ContentStore(databases.telemetry),
    retainDays: () => settings.current().logging.retainBodiesDays,
  })
  const stopContents = contents.start()
  const keeper = openKeeper({ ...system, databases, contents, settings })
  const limiting = openLimits({ clock, reader })
  const budgeting = await openBudgets({
    ...system,
    db,
    audit,
    reader,
    spending: spending.purse,
    modelProblem: rules.modelProblem,
    names: {
      plan: (id) => plans.byId(id),
      key: (id) => keys.byId(id),
      provider: (id) => providers.provider(id),
      account: (id) => roster.find(id)?.account,
      chain: (id) => rules.chains.all().find((chain) => chain.id === id),
    },
  })
  const live = new LiveRequests(liveRequestsMax)
  const traffic = new Traffic(clock)
  const counters = new RoutingCounters(clock)
  const capabilitiesOf: GatewayDeps['capabilitiesOf'] = (provider, model) =>
    providing.capabilityOverrides.capabilitiesOf(provider, model)
  const gateway: GatewayDeps = {
    ...system,
    deadlines,
    ledger: traffic.watching(ledger),
    send,
    fetchPublic,
    demo: demoProvider(openaiChat, random),
    live,
    unknownKeys: new UnknownKeys(),
    memory,
    contents,
    keys,
    limits: limiting.limits,
    anonymousKey: () => anonymous.key(),
    skills,
    accounts: roster,
    directory: () => ({ ...directoryOf(providers, settings), ...rules.current.books() }),
    settings: gatewaySettings(settings),
    capabilitiesOf,
    isKnownOf: (...about) => providing.capabilityOverrides.isKnown(...about),
    counters,
    pace,
    line,
    watch,
    quotas: quotaBook,
    observations: observationsOf({
      ...system,
      counters,
      capabilitiesOf,
      priceOf: (...about) => pricing.list.priceOf(...about),
      quotaLeft: (accountId, model) => quotaBook.left(accountId, roster.upstreamModel({ id: accountId }, model)),
    }),
    ...chargesBy(pricing),
    spending: spending.purse,
    spendLine,
    answerSizes: new AnswerSizes(),
    hashAddress: (address) => hashWith(secrets.named('addresses'), address),
  }
  const quotas = new QuotaService({
    ...providing,
    book: quotaBook,
    pace,
    audit,
    send,
    clock,
    provider: (id) => providers.provider(id),
  })
  const usageStore = new UsageStore(reader)
  const telemetry = new TelemetryService({
    store: usageStore,
    clock,
    ledger,
    nameOf: (kind, id) => nameOf({ keys, roster }, kind, id),
  })
  const dataDir = databases.telemetryPath === ':memory:' ? null : config.dataDir
  const stats = new SystemService({
    ...system,
    build: config.build,
    listening: { host: config.host, isTls: config.tls !== null },
    dataDir,
    store: new SystemStore({ databases, reader, dataDir }),
    traffic,
    live,
    ledger,
    accountsCooldown: () => roster.coolingDown(),
    circuitOpen: () => watch.open(),
    queued: () => line.size + limiting.queued() + spendLine.size,
    isPaused: () => settings.current().routing.paused,
    anonymousKey: () => anonymous.warning(),
  })
  const followers = new Followers(consoleRing, clock)
  const door = makeFrontDoor({
    ...system,
    build: config.build,
    gateway,
    dashboard: openDashboard(config.build.assetsDir),
    audit,
    console: new ConsoleService({ ring: consoleRing, followers, audit }),
    system: stats,
    auth,
    settings,
    plans,
    keys,
    keysOn: (planId) => keys.onPlan(planId),
    isOverBudget,
    budgetsOfKeys,
    skills,
    quotas,
    ...providing,
    ...pricing,
    proxyPools,
    chains: rules.chains,
    chainReader: reader,
    chainSimulator: openSimulator({ gateway, keys, usageStore, chains: rules.chains }),
    aliases: rules.aliases,
    ...budgeting,
    spendSimulator: openSpendSimulator({ ...system, ...budgeting, usageStore, keys, plans }),
    factsBehind: (name) => factsBehind(gateway, name),
    contents,
    usage: new UsageService(usageStore, clock),
    insights: openInsights({ ...system, ...providing, ...budgeting, usageStore, keys, priceFor: gateway.priceFor }),
    usageExport: new UsageExport({ store: usageStore, audit, clock }),
    reprice: openReprice({
      audit,
      telemetry: databases.telemetry.$client,
      ledger,
      costOf: gateway.costOf,
      provider: (id) => providers.provider(id),
    }),
    telemetry,
    usageOf: async (keyIds) => usageOfKeys(ledger, keyIds),
  })
  return ok({
    ...door,
    log,
    clock,
    audit,
    auth,
    plans,
    keys,
    conformance: providing.conformance,
    accounts: providing.accounts,
    customProviders: providing.customProviders,
    chains: rules.chains,
    aliases: rules.aliases,
    setupToken: () => auth.mintSetUpToken(),
    listensOn: (port) => void ownPorts.push(port),
    inFlight: () => live.size,
    drain: () => {
      live.drain()
      followers.close()
    },
    abortAll: () => live.abortAll(),
    shutdownGraceMs: () => settings.current().server.shutdownGraceS * 1_000,
    close: async () => {
      stopReminding()
      stopExitChecks()
      pricing.stopSync()
      stats.close()
      deadlines.close()
      limiting.stop()
      spending.stop()
      try {
        await stopTellingHead()
        await keeping.stop()
        quotas.close()
        await quotaBook.close()
        await stopContents()
        await keeper.close()
        await roster.close()
        await reader.close()
      } finally {
        // Whatever went wrong before: what requests cost is written, and the folder is let go.
        ledger.close()
        databases.close()
      }
    },
  })
}

function noteRecovered({ requests, attempts }: { requests: number; attempts: number }, log: Log): void {
  if (requests === 0 && attempts === 0) return
  log.write('warn', 'db', 'requests that the last process left open were closed', {
    requests,
    attempts,
  })
}

/** Loud when it does nothing: whoever set it counts on it. */
function noteAnonymousKey(anonymous: Pick<AnonymousKey<{ readonly name: string }>, 'warning'>, log: Log): void {
  const warning = anonymous.warning()
  if (warning !== null) log.write('warn', 'auth', warning)
}

async function createFirstOwner({ firstOwner }: Config, auth: AuthService): Promise<Result<undefined, StartFailure>> {
  if (firstOwner === null || !(await auth.isSetUpNeeded())) return ok(undefined)
  const credentials = { email: firstOwner.email, password: firstOwner.password.reveal() }
  const created = await auth.createFirstOwner(credentials, { requestId: null, address: null })
  if (created.ok) return ok(undefined)
  const reasons = Object.values(created.error.errors ?? {}).flat()
  const why = reasons.length === 0 ? created.error.message : reasons.join('; ')
  return err({
    kind: 'first_owner',
    message: `the owner that the environment names cannot be created: ${why}`,
  })
}

async function usageOfKeys(ledger: LedgerWriter, keyIds: readonly string[]): Promise<ReadonlyMap<string, KeyUsage>> {
  return new Map(
    keyIds.flatMap((id) => {
      const totals = ledger.totalsOf(id)
      return totals === undefined ? [] : [[id, { requests: totals.requests, costUsd: usdFromNano(totals.costNano) }]]
    }),
  )
}

interface Named {
  readonly keys: KeyService
  readonly roster: AccountRoster
}

async function nameOf({ keys, roster }: Named, kind: 'key' | 'account', id: string): Promise<string | null> {
  if (kind === 'account') return roster.find(id)?.account.name ?? null
  const key = await keys.get(id)
  return key.ok ? key.value.name : null
}

function proxyOf({ proxies }: Config): ProxyConfig | undefined {
  const { http, https, bypass } = proxies
  if (http === null && https === null) return undefined
  return { ...(http === null ? {} : { http }), ...(https === null ? {} : { https }), no: bypass }
}

function hashWith(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, ADDRESS_HASH_LENGTH)
}
