import { and, count, eq, ne, or } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { NO_PARAMS } from '../../routing/rule.ts'
import type { Account, AccountState } from './account.ts'
import { accounts } from './table.ts'

type Row = typeof accounts.$inferSelect

export interface StoredAccount {
  readonly account: Account
  readonly state: AccountState
}

/** Why a write did not happen: another account has this name, or these credentials. */
export type Clash = 'name' | 'credentials'

/** Accounts in `config.sqlite`. Each method is one atomic act; the checks of a write are in its transaction. */
export class AccountStore {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  async all(): Promise<readonly StoredAccount[]> {
    return this.#db.select().from(accounts).all().map(storedFrom)
  }

  async insert(stored: StoredAccount): Promise<Clash | 'ok'> {
    return this.#db.transaction((tx) => {
      const clash = clashOf(tx, stored.account)
      if (clash === undefined) tx.insert(accounts).values(rowFrom(stored)).run()
      return clash ?? 'ok'
    })
  }

  /** Writes the account over the version before it. `stale` when that is not what is stored. */
  async update(stored: StoredAccount): Promise<Clash | 'stale' | 'ok'> {
    const { account } = stored
    return this.#db.transaction((tx) => {
      const clash = clashOf(tx, account)
      if (clash !== undefined) return clash
      const before = and(eq(accounts.id, account.id), eq(accounts.version, account.version - 1))
      const written = tx.update(accounts).set(rowFrom(stored)).where(before).returning({ id: accounts.id }).all()
      return written.length === 1 ? 'ok' : 'stale'
    })
  }

  async remove(id: string): Promise<void> {
    this.#db.delete(accounts).where(eq(accounts.id, id)).run()
  }

  /** Changes accounts of one provider by `step` and returns those that it changed. */
  async rewrite(provider: string, step: AccountStep): Promise<readonly StoredAccount[]> {
    return this.#db.transaction((tx) => rewriteOf(tx, provider, step))
  }

  /** Removes accounts of one provider and returns them. */
  async removeOf(provider: string, which: Removable): Promise<readonly StoredAccount[]> {
    return this.#db.transaction((tx) => removeOf(tx, provider, which))
  }

  /** What answers said; no version changes. Accounts that are gone are skipped. */
  async saveStates(states: ReadonlyMap<string, AccountState>): Promise<void> {
    this.#db.transaction((tx) => {
      for (const [id, state] of states) tx.update(accounts).set(stateColumns(state)).where(eq(accounts.id, id)).run()
    })
  }
}

/** What an account becomes; undefined leaves it as it is. */
export type AccountStep = (stored: StoredAccount) => StoredAccount | undefined

export type Removable = 'all' | 'disabled'

/** `rewrite` as a part of the act that changes the provider. */
export function rewriteOf(
  db: Pick<Db, 'select' | 'update'>,
  provider: string,
  step: AccountStep,
): readonly StoredAccount[] {
  const rows = db.select().from(accounts).where(eq(accounts.provider, provider)).all()
  const changed = rows.flatMap((row) => step(storedFrom(row)) ?? [])
  for (const stored of changed) {
    db.update(accounts).set(rowFrom(stored)).where(eq(accounts.id, stored.account.id)).run()
  }
  return changed
}

/** `removeOf` as a part of the act that removes the provider. */
export function removeOf(db: Pick<Db, 'delete'>, provider: string, which: Removable): readonly StoredAccount[] {
  const ofProvider = eq(accounts.provider, provider)
  const where = which === 'all' ? ofProvider : and(ofProvider, eq(accounts.enabled, false))
  return db.delete(accounts).where(where).returning().all().map(storedFrom)
}

export function countOf(db: Pick<Db, 'select'>, provider: string): number {
  const counted = db.select({ total: count() }).from(accounts).where(eq(accounts.provider, provider)).get()
  return counted?.total ?? 0
}

function clashOf(db: Pick<Db, 'select'>, { id, provider, name, credentialsHash }: Account): Clash | undefined {
  const sameName = and(eq(accounts.provider, provider), eq(accounts.name, name))
  const same = credentialsHash === null ? sameName : or(sameName, eq(accounts.credentialsHash, credentialsHash))
  const found = db
    .select({ hash: accounts.credentialsHash })
    .from(accounts)
    .where(and(ne(accounts.id, id), same))
    .all()
  if (found.length === 0) return undefined
  return credentialsHash !== null && found.some(({ hash }) => hash === credentialsHash) ? 'credentials' : 'name'
}

function stateColumns(state: AccountState) {
  return { ...state, cooldowns: [...state.cooldowns] }
}

function rowFrom({ account, state }: StoredAccount): Row {
  return {
    ...account,
    modelsAllow: [...account.modelsAllow],
    modelsDeny: [...account.modelsDeny],
    modelMap: { ...account.modelMap },
    params: account.params === NO_PARAMS ? null : account.params,
    headers: { ...account.headers },
    tags: { ...account.tags },
    ...stateColumns(state),
  }
}

function storedFrom(row: Row): StoredAccount {
  const { standing, reason, retryAtMs, lastError, lastOkAtMs, lastTestedAtMs, cooldowns, params, ...account } = row
  const state = { standing, reason, retryAtMs, lastError, lastOkAtMs, lastTestedAtMs, cooldowns }
  return { account: { ...account, params: params ?? NO_PARAMS }, state }
}
