import { asc, eq, sql } from 'drizzle-orm'
import type { FixedValues } from '../../catalog/provider.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { Secret } from '../../core/secret.ts'
import type { Db } from '../../db/open.ts'
import type { Vault } from '../../db/seal.ts'
import { refusal, type Refusal } from '../../http/refusal.ts'
import { countOf, removeOf, rewriteOf, type AccountStep, type StoredAccount } from '../accounts/store.ts'
import { forgetModels } from '../providers/store.ts'
import type { CustomProvider } from './custom-provider.ts'
import { customProviders, type StoredValue } from './table.ts'

type Row = typeof customProviders.$inferSelect

/** What a write to a provider does to it and to its accounts. */
export interface Change {
  readonly after: CustomProvider
  readonly accounts: AccountStep
}

export interface Changed {
  readonly before: CustomProvider
  readonly after: CustomProvider
  /** Those of its accounts that changed with it. */
  readonly accounts: readonly StoredAccount[]
}

/**
 * Custom providers in `config.sqlite`. Each method is one atomic act, what it does to accounts and lists of models included.
 * Secrets are sealed here, each for its own place.
 */
export class CustomProviderStore {
  readonly #db: Db
  readonly #vault: Vault

  constructor(db: Db, vault: Vault) {
    this.#db = db
    this.#vault = vault
  }

  /** In creation order. */
  async all(): Promise<readonly CustomProvider[]> {
    const rows = this.#db
      .select()
      .from(customProviders)
      .orderBy(asc(customProviders.createdAtMs), asc(sql`rowid`))
    return rows.all().map((row) => this.#opened(row))
  }

  /**
   * Accounts that an earlier provider of this slug left behind are changed by `accounts`. Refusal: `conflict` for a slug that is
   * taken.
   */
  async insert(provider: CustomProvider, accounts: AccountStep): Promise<Result<readonly StoredAccount[], Refusal>> {
    return this.#db.transaction((tx) => {
      const taken = tx.select().from(customProviders).where(eq(customProviders.slug, provider.slug)).get()
      if (taken !== undefined) return err(SLUG_TAKEN)
      tx.insert(customProviders).values(this.#sealed(provider)).run()
      return ok(rewriteOf(tx, provider.slug, accounts))
    })
  }

  /** Reads, lets `decide` judge and writes. Refusals: `missing`, and whatever `decide` refuses. */
  async change(
    id: string,
    decide: (before: CustomProvider) => Result<Change, Refusal>,
  ): Promise<Result<Changed, Refusal>> {
    return this.#db.transaction((tx) => {
      const row = tx.select().from(customProviders).where(eq(customProviders.id, id)).get()
      if (row === undefined) return err(NO_SUCH_PROVIDER)
      const before = this.#opened(row)
      const change = decide(before)
      if (!change.ok) return change
      const { after, accounts } = change.value
      tx.update(customProviders).set(this.#sealed(after)).where(eq(customProviders.id, id)).run()
      return ok({ before, after, accounts: rewriteOf(tx, after.slug, accounts) })
    })
  }

  /**
   * The provider as it was, and the accounts that went with it. Refusals: `missing`; `conflict` with the number of accounts,
   * unless they may go, too; that of `objection`.
   */
  async remove(
    id: string,
    withAccounts: boolean,
    objection: (provider: { readonly version: number }) => Refusal | undefined,
  ): Promise<Result<{ readonly provider: CustomProvider; readonly accounts: readonly StoredAccount[] }, Refusal>> {
    return this.#db.transaction((tx) => {
      const row = tx.select().from(customProviders).where(eq(customProviders.id, id)).get()
      if (row === undefined) return err(NO_SUCH_PROVIDER)
      const refused = objection(row)
      if (refused !== undefined) return err(refused)
      const count = countOf(tx, row.slug)
      if (count > 0 && !withAccounts) return err(stillUsed(count))
      tx.delete(customProviders).where(eq(customProviders.id, id)).run()
      forgetModels(tx, row.slug)
      return ok({ provider: this.#opened(row), accounts: removeOf(tx, row.slug, 'all') })
    })
  }

  #sealed(provider: CustomProvider): Row {
    const { id } = provider
    return {
      ...provider,
      addresses: [...provider.addresses],
      headers: this.#sealedValues(id, 'headers', provider.headers),
      query: this.#sealedValues(id, 'query', provider.query),
      capabilities: [...provider.capabilities],
      models: [...provider.models],
      regions: [...provider.regions],
    }
  }

  #sealedValues(id: string, column: ValueColumn, values: FixedValues): Record<string, StoredValue> {
    const sealed = Object.entries(values).map(([name, value]): readonly [string, StoredValue] => {
      if (!(value instanceof Secret)) return [name, { plain: value }]
      return [name, { sealed: this.#vault.seal(value.reveal(), placeOf(id, column, name)) }]
    })
    return Object.fromEntries(sealed)
  }

  #opened(row: Row): CustomProvider {
    const headers = this.#openedValues(row.id, 'headers', row.headers)
    return { ...row, headers, query: this.#openedValues(row.id, 'query', row.query) }
  }

  /** What this master key does not open is gone, as the credentials of accounts are. */
  #openedValues(id: string, column: ValueColumn, stored: Readonly<Record<string, StoredValue>>): FixedValues {
    const opened = Object.entries(stored).flatMap(([name, value]): (readonly [string, string | Secret])[] => {
      if ('plain' in value) return [[name, value.plain]]
      const text = this.#vault.open(value.sealed, placeOf(id, column, name))
      return text.ok ? [[name, new Secret(text.value)]] : []
    })
    return Object.fromEntries(opened)
  }
}

type ValueColumn = 'headers' | 'query'

function placeOf(id: string, column: ValueColumn, name: string) {
  return { table: 'custom_providers', row: id, column: `${column}.${name}` }
}

export const NO_SUCH_PROVIDER = refusal('missing', 'there is no such custom provider')
const SLUG_TAKEN = refusal('conflict', 'another provider has this slug', { errors: { slug: ['is taken'] } })

function stillUsed(count: number): Refusal {
  const accounts = count === 1 ? '1 account uses' : `${count} accounts use`
  return refusal('conflict', `${accounts} this provider; delete them first, or with it by ?accounts=delete`)
}
