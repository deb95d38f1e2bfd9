import { asc, eq, sql } from 'drizzle-orm'
import { err, ok, type Result } from '../../core/result.ts'
import type { Db } from '../../db/open.ts'
import { refusal, type Refusal } from '../../http/refusal.ts'
import { type Chain, USUAL } from './chain.ts'
import { chains } from './table.ts'

/** Chains in `config.sqlite`. Each method is one atomic act; `decide` sees what is stored at that moment. */
export class ChainStore {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** In creation order. */
  async all(): Promise<readonly Chain[]> {
    return storedChains(this.#db)
  }

  /** Refusal: whatever `decide`, which gets the chains there are, refuses. */
  async insert(decide: (all: readonly Chain[]) => Result<Chain, Refusal>): Promise<Result<Chain, Refusal>> {
    return this.#db.transaction((tx) => {
      const decided = decide(storedChains(tx))
      if (decided.ok) tx.insert(chains).values(decided.value).run()
      return decided
    })
  }

  /** Refusals: `missing`, and whatever `decide` refuses. */
  async change(
    id: string,
    decide: (before: Chain, all: readonly Chain[]) => Result<Chain, Refusal>,
  ): Promise<Result<{ readonly before: Chain; readonly after: Chain }, Refusal>> {
    return this.#db.transaction((tx) => {
      const all = storedChains(tx)
      const before = all.find((chain) => chain.id === id)
      if (before === undefined) return err(NO_SUCH_CHAIN)
      const after = decide(before, all)
      if (!after.ok) return after
      tx.update(chains).set(after.value).where(eq(chains.id, id)).run()
      return ok({ before, after: after.value })
    })
  }

  /** The chain as it was. Refusals: `missing`, and what `objection` says of the chains there are. */
  async remove(
    id: string,
    objection: (chain: Chain, all: readonly Chain[]) => Refusal | undefined,
  ): Promise<Result<Chain, Refusal>> {
    return this.#db.transaction((tx) => {
      const all = storedChains(tx)
      const chain = all.find((one) => one.id === id)
      if (chain === undefined) return err(NO_SUCH_CHAIN)
      const refused = objection(chain, all)
      if (refused !== undefined) return err(refused)
      tx.delete(chains).where(eq(chains.id, id)).run()
      return ok(chain)
    })
  }
}

export const NO_SUCH_CHAIN = refusal('missing', 'there is no such chain')

/** In creation order, as they are now; for rules that look at them within a transaction of their own. */
export function storedChains(db: Pick<Db, 'select'>): readonly Chain[] {
  return db
    .select()
    .from(chains)
    .orderBy(asc(chains.createdAtMs), asc(sql`rowid`))
    .all()
    .map(withWhatIsNew)
}

/** What chains that were saved by an older version do not say. */
function withWhatIsNew(chain: typeof chains.$inferSelect): Chain {
  return { ...chain, stream: { ...USUAL.stream, ...chain.stream } }
}
