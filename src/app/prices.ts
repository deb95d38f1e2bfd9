/** What everything costs: the catalogue, what was fetched since, and what operators say instead. */
import { flatPrice, type Price, type UsdPerMtok } from '../catalog/price.ts'
import type { PriceBook } from '../catalog/pricing.ts'
import { builtinProviders } from '../catalog/providers/index.ts'
import type { Databases } from '../db/open.ts'
import type { GatewayDeps } from '../gateway/deps.ts'
import { Repricer } from '../ledger/reprice.ts'
import type { LedgerWriter } from '../ledger/writer.ts'
import type { FetchPublic } from '../outbound/fetch-public.ts'
import type { AuditService } from '../resources/audit/service.ts'
import { PricingOverrideService } from '../resources/pricing-overrides/service.ts'
import { PricingOverrideStore } from '../resources/pricing-overrides/store.ts'
import { rateRows } from '../resources/providers/rates-list.ts'
import { FetchedPriceStore } from '../resources/providers/rates-store.ts'
import { RatesSync } from '../resources/providers/rates-sync.ts'
import type { ProviderService } from '../resources/providers/service.ts'
import type { SettingsService } from '../resources/settings/service.ts'
import { UsageReprice } from '../resources/usage/reprice.ts'
import { nextTurn } from '../system.ts'
import type { Scoped } from './money.ts'
import type { System } from './system.ts'

interface PriceParts extends System {
  readonly db: Databases['config']
  readonly audit: AuditService
  readonly book: PriceBook
  readonly settings: SettingsService
  readonly scoped: Scoped
  readonly fetchPublic: FetchPublic
  readonly providers: () => ProviderService
}

export async function openPrices({ db, providers, scoped, settings, ...parts }: PriceParts) {
  const { book } = parts
  const rules = () => settings.current().pricing
  const pricingOverrides = new PricingOverrideService({
    ...parts,
    prices: book,
    store: new PricingOverrideStore(db),
    provider: (id) => providers().provider(id),
    scopeExists: (scope, id) => scoped[scope](id) !== undefined,
  })
  const pricingIds = new Set(builtinProviders.flatMap(({ pricingId }) => pricingId ?? []))
  const ratesSync = new RatesSync({ ...parts, settings: rules, store: new FetchedPriceStore(db), pricingIds, nextTurn })
  const stopSync = await ratesSync.start()
  await pricingOverrides.reload()
  const { list } = pricingOverrides
  return {
    pricingOverrides,
    ratesSync,
    stopSync,
    list,
    /** For lists and checks, which are for nobody in particular. */
    prices: {
      priceOf: list.priceOf.bind(list),
      contextOf: book.contextOf.bind(book),
      modelsOf: book.modelsOf.bind(book),
    },
    rates: (atMs: number) => rateRows({ book, list, known: () => providers().known(), nextTurn }, atMs),
    fallbackPrice: () => fallbackFrom(rules().unknownPrice),
  }
}

/** What budgets count where nobody knows a price; undefined where the owner has not said it. */
function fallbackFrom(unknown: UsdPerMtok | null): Price | undefined {
  return unknown === null ? undefined : flatPrice(unknown)
}

interface RepriceParts {
  readonly audit: AuditService
  readonly databases: Databases
  readonly ledger: LedgerWriter
  /** As requests are charged. */
  readonly costOf: GatewayDeps['costOf']
  readonly providers: ProviderService
}

/** Past requests cost what they would cost now; those of a provider that is gone stay as they are. */
export function openReprice({ audit, databases, ledger, costOf, providers }: RepriceParts): UsageReprice {
  const repricer = new Repricer(databases.telemetry.$client, {
    ledger,
    nextTurn,
    costOf: (past) => {
      const spec = providers.provider(past.provider)
      return spec && costOf(spec, past.model, past.usage, past.payer, past.atMs)
    },
  })
  return new UsageReprice({ repricer, audit })
}
