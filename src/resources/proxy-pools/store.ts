import { asc, count, eq, sql } from 'drizzle-orm'
import { err, ok, type Result } from '../../core/result.ts'
import { Secret } from '../../core/secret.ts'
import type { Db } from '../../db/open.ts'
import type { Vault } from '../../db/seal.ts'
import { refusal, type Refusal } from '../../http/refusal.ts'
import { exitAt, type Exit, type Login } from '../../outbound/exits/exit.ts'
import { accounts } from '../accounts/table.ts'
import { customProviders } from '../custom-providers/table.ts'
import { withoutLogin } from './endpoints.ts'
import type { ProxyPool } from './proxy-pool.ts'
import { proxyPools, type StoredEndpoint } from './table.ts'

type Row = typeof proxyPools.$inferSelect
type Reader = Pick<Db, 'select'>

/** Proxy pools in `config.sqlite`. Each method is one atomic act. Logins are sealed here, each for its own place. */
export class ProxyPoolStore {
  readonly #db: Db
  readonly #vault: Vault

  constructor(db: Db, vault: Vault) {
    this.#db = db
    this.#vault = vault
  }

  /** In creation order. */
  async all(): Promise<readonly ProxyPool[]> {
    const rows = this.#db
      .select()
      .from(proxyPools)
      .orderBy(asc(proxyPools.createdAtMs), asc(sql`rowid`))
    return rows.all().map((row) => this.#opened(row))
  }

  /** Refusal: `conflict` for a name or a scope that another pool has. */
  async insert(pool: ProxyPool): Promise<Result<undefined, Refusal>> {
    return this.#db.transaction((tx) => {
      const clash = clashOf(tx, pool)
      if (clash !== undefined) return err(clash)
      tx.insert(proxyPools).values(this.#sealed(pool)).run()
      return ok(undefined)
    })
  }

  /** Reads, lets `decide` judge and writes. Refusals: `missing`, those of `insert`, and whatever `decide` refuses. */
  async change(
    id: string,
    decide: (before: ProxyPool) => Result<ProxyPool, Refusal>,
  ): Promise<Result<{ readonly before: ProxyPool; readonly after: ProxyPool }, Refusal>> {
    return this.#db.transaction((tx) => {
      const row = tx.select().from(proxyPools).where(eq(proxyPools.id, id)).get()
      if (row === undefined) return err(NO_SUCH_POOL)
      const before = this.#opened(row)
      const after = decide(before)
      if (!after.ok) return after
      const clash = clashOf(tx, after.value)
      if (clash !== undefined) return err(clash)
      tx.update(proxyPools).set(this.#sealed(after.value)).where(eq(proxyPools.id, id)).run()
      return ok({ before, after: after.value })
    })
  }

  /** The pool as it was. Refusals: `missing`; `conflict` while accounts or custom providers name it; that of `objection`. */
  async remove(
    id: string,
    objection: (pool: { readonly version: number }) => Refusal | undefined,
  ): Promise<Result<ProxyPool, Refusal>> {
    return this.#db.transaction((tx) => {
      const row = tx.select().from(proxyPools).where(eq(proxyPools.id, id)).get()
      if (row === undefined) return err(NO_SUCH_POOL)
      const refused = objection(row)
      if (refused !== undefined) return err(refused)
      const users = usersOf(tx, id)
      if (users.length > 0)
        return err(refusal('conflict', `${users.join(' and ')} named for this pool; change them first`))
      tx.delete(proxyPools).where(eq(proxyPools.id, id)).run()
      return ok(this.#opened(row))
    })
  }

  #sealed(pool: ProxyPool): Row {
    const endpoints = pool.endpoints.map(({ exit, weight, enabled }, index): StoredEndpoint => {
      const { kind, host, port, login } = exit
      return { kind, host, port, weight, enabled, sealedLogin: login && this.#sealedLogin(pool.id, index, login) }
    })
    return { ...pool, endpoints, noProxy: [...pool.noProxy] }
  }

  #sealedLogin(id: string, index: number, { user, password }: Login): string {
    return this.#vault.seal(JSON.stringify([user, password.reveal()]), placeOf(id, index))
  }

  #opened(row: Row): ProxyPool {
    const endpoints = row.endpoints.map(({ weight, enabled, ...stored }, index) => {
      return { exit: this.#openedExit(row.id, index, stored), weight, enabled }
    })
    return { ...row, endpoints }
  }

  /** A login that this master key does not open is gone, as the credentials of accounts are. */
  #openedExit(id: string, index: number, stored: Pick<StoredEndpoint, 'kind' | 'host' | 'port' | 'sealedLogin'>): Exit {
    const text = stored.sealedLogin === null ? undefined : this.#vault.open(stored.sealedLogin, placeOf(id, index))
    if (text?.ok !== true) return withoutLogin(stored)
    const [user, password] = JSON.parse(text.value) as [string, string] // only `#sealedLogin` seals there
    return exitAt(stored.kind, stored.host, stored.port, { user, password: new Secret(password) })
  }
}

function placeOf(id: string, index: number) {
  return { table: 'proxy_pools', row: id, column: `endpoints.${index}` }
}

export const NO_SUCH_POOL = refusal('missing', 'there is no such proxy pool')

function clashOf(db: Reader, { id, name, scope }: ProxyPool): Refusal | undefined {
  const others = db
    .select({ id: proxyPools.id, name: proxyPools.name, scope: proxyPools.scope })
    .from(proxyPools)
    .all()
    .filter((other) => other.id !== id)
  if (others.some((other) => other.name === name)) {
    return refusal('conflict', 'another proxy pool has this name', { errors: { name: ['is taken'] } })
  }
  if (scope === 'manual' || !others.some((other) => other.scope === scope)) return undefined
  return refusal('conflict', 'another proxy pool has this scope', { errors: { scope: ['is taken'] } })
}

/** Who names a pool, in words that end with their verb. */
function usersOf(db: Reader, id: string): readonly string[] {
  const accountCount =
    db.select({ total: count() }).from(accounts).where(eq(accounts.proxyPoolId, id)).get()?.total ?? 0
  const providerCount =
    db.select({ total: count() }).from(customProviders).where(eq(customProviders.proxyPoolId, id)).get()?.total ?? 0
  return [
    ...(accountCount === 0 ? [] : [accountCount === 1 ? '1 account is' : `${accountCount} accounts are`]),
    ...(providerCount === 0 ? [] : [providerCount === 1 ? '1 provider is' : `${providerCount} providers are`]),
  ]
}
