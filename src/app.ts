/**
 * Composition root: Config → App. Every long-lived thing is made here, once, the clock included; what a module needs it declares
 * as its `Deps`, and `App` satisfies them by its shape. Nothing below imports this file.
 */
import { join } from 'node:path'
import { openAuth, type OwnerFailure } from './app/auth.ts'
import { openGateway } from './app/gateway.ts'
import { openHolds } from './app/holds.ts'
import { openAnonymousKey, openKeys } from './app/keys.ts'
import { openKeeping, openLedger } from './app/ledger.ts'
import { openLimits } from './app/limits.ts'
import { budgetOnPlan, openBudgets, openSpending, type Scoped } from './app/money.ts'
import { openNetwork } from './app/network.ts'
import { openPrices } from './app/prices.ts'
import { openProviders } from './app/providers.ts'
import { openRules } from './app/rules.ts'
import { openSecrets, type Secrets } from './app/secrets.ts'
import { factsBehind } from './app/simulation.ts'
import { openStats } from './app/stats.ts'
import type { System } from './app/system.ts'
import { openUsage } from './app/usage.ts'
import { PriceBook } from './catalog/pricing.ts'
import type { Config } from './config.ts'
import type { Clock } from './core/clock.ts'
import { SECOND_MS } from './core/duration.ts'
import { type Log, tee } from './core/log.ts'
import type { Random } from './core/random.ts'
import { ok, type Result } from './core/result.ts'
import type { DbFailure } from './db/db-failure.ts'
import { type Databases, openDatabases } from './db/open.ts'
import { type FrontDoor, makeFrontDoor } from './front-door.ts'
import { newMemory } from './gateway/memory.ts'
import { systemLookup } from './outbound/resolver.ts'
import type { AccountService } from './resources/accounts/service.ts'
import type { AliasService } from './resources/aliases/service.ts'
import { AuditService } from './resources/audit/service.ts'
import { AuditStore } from './resources/audit/store.ts'
import { HASH_COST, type HashCost } from './resources/auth/password.ts'
import { AuthService } from './resources/auth/service.ts'
import type { ChainService } from './resources/chains/service.ts'
import { ConformanceService } from './resources/conformance/service.ts'
import { ConsoleRing } from './resources/console/ring.ts'
import type { CustomProviderService } from './resources/custom-providers/service.ts'
import { KeyService } from './resources/keys/service.ts'
import type { PlanService } from './resources/plans/service.ts'
import { QuotaService } from './resources/quota/service.ts'
import { SettingsService } from './resources/settings/service.ts'
import { SettingsStore } from './resources/settings/store.ts'
import { SkillService } from './resources/skills/service.ts'
import { SkillStore } from './resources/skills/store.ts'
import { Traffic } from './resources/system/traffic.ts'
import { makeSystemRandom, systemClock } from './system.ts'
import { openDashboard } from './web/serve.ts'

/** Why the program could not start. One line for the person at the console. */
export type StartFailure = DbFailure | OwnerFailure

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
  const { clock, log } = system
  const { vault } = secrets
  const db = databases.config
  const audit = new AuditService({ ...system, store: new AuditStore(db), key: secrets.named('audit') })
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
  const base = { ...system, config, databases, db, secrets, vault, audit, settings }
  const { ledger, reader } = openLedger({ ...base, memory })
  const auth = await openAuth(base)
  if (!auth.ok) return auth

  const money = openSpending({ ...base, ledger, reader })
  const { spending, spendLine } = money
  const limiting = openLimits({ clock, wall: money.wall, reader, limitsOf: (id) => keys.byId(id)?.limits })
  const keeping = await openKeys({
    ...base,
    keysLoaded: () => limiting.limits.lookAgain(),
    keepsCopies: () => settings.current().auth.keysRevealable,
    spending,
    modelProblem: (name) => rules.modelProblem(name),
    limitedBy: (id) => budgetOnPlan(db, id),
    chainProblem: (id) => rules.chainProblem(id),
  })
  const { plans, keys } = keeping
  const anonymous = openAnonymousKey({ ...base, keys })
  const skills = new SkillService({ ...base, store: new SkillStore(db), removed: keeping.reload })
  await skills.start()
  const network = await openNetwork({ ...base, roster: () => roster, providers: () => providers })
  const { send, proxyPools } = network
  const scoped: Scoped = {
    plan: (id) => plans.byId(id),
    key: (id) => keys.byId(id),
    provider: (id) => providers.provider(id),
    account: (id) => roster.find(id)?.account,
    chain: (id) => rules.chains.all().find((chain) => chain.id === id),
  }
  const pricing = await openPrices({
    ...base,
    book: await PriceBook.open(),
    fetchPublic: network.fetchPublic,
    providers: () => providers,
    scoped,
  })
  const { guards, quotaBook, pace, line, watch } = await openHolds({ ...base, spending })
  const providing = await openProviders({
    ...base,
    ...guards,
    send,
    prices: pricing.prices,
    forgetPrices: (provider) => pricing.pricingOverrides.forgetProvider(provider),
    fingerprintKey: secrets.named('accounts'),
    isProxyPool: (id) => proxyPools.isChoice(id),
    isChain: (slug) => rules.chains.all().some((chain) => chain.slug === slug),
  })
  const { roster, providers } = providing
  const stopExitChecks = proxyPools.startChecks()
  const rules = await openRules({ ...base, roster, providers })
  const stopReminding = rules.current.remind(log)

  const kept = await openKeeping(base)
  const budgeting = await openBudgets({ ...base, reader, spending, modelProblem: rules.modelProblem, scoped })
  const traffic = new Traffic(clock)
  const gateway = openGateway({
    ...system,
    ...network,
    ...providing,
    secrets,
    settings,
    ledger: traffic.watching(ledger),
    memory,
    contents: kept.contents,
    keys,
    skills,
    limits: limiting.limits,
    anonymousKey: () => anonymous.key(),
    rules,
    pricing,
    quotaBook,
    pace,
    line,
    watch,
    spending,
    spendLine,
  })
  const quotas = new QuotaService({
    ...base,
    ...providing,
    book: quotaBook,
    pace,
    send,
    provider: (id) => providers.provider(id),
  })
  const using = openUsage({
    ...base,
    reader,
    ledger,
    keys,
    plans,
    skills,
    roster,
    providers,
    budgeting,
    rules,
    gateway,
  })
  const stats = openStats({
    ...base,
    reader,
    traffic,
    live: gateway.live,
    ledger,
    roster,
    watch,
    anonymous,
    queued: () => line.size + limiting.queued() + spendLine.size,
  })
  const door = makeFrontDoor({
    ...system,
    ...keeping,
    ...providing,
    ...pricing,
    ...budgeting,
    ...rules,
    ...using,
    ...stats,
    audit,
    auth: auth.value,
    settings,
    skills,
    proxyPools,
    quotas,
    contents: kept.contents,
    factsBehind: (name) => factsBehind(gateway, name),
    gateway,
    build: config.build,
    dashboard: openDashboard(config.build.assetsDir),
  })
  return ok({
    ...door,
    log,
    clock,
    audit,
    auth: auth.value,
    plans,
    keys,
    conformance: providing.conformance,
    accounts: providing.accounts,
    customProviders: providing.customProviders,
    chains: rules.chains,
    aliases: rules.aliases,
    setupToken: () => auth.value.mintSetUpToken(),
    listensOn: network.listensOn,
    inFlight: () => gateway.live.size,
    drain: () => {
      gateway.live.drain()
      stats.followers.close()
    },
    abortAll: () => gateway.live.abortAll(),
    shutdownGraceMs: () => settings.current().server.shutdownGraceS * SECOND_MS,
    close: async () => {
      stopReminding()
      stopExitChecks()
      pricing.stopSync()
      stats.system.close()
      network.deadlines.close()
      limiting.stop()
      money.stop()
      try {
        await stopTellingHead()
        await keeping.stop()
        quotas.close()
        await quotaBook.close()
        await kept.close()
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
