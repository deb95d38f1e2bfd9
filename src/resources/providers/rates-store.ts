import { eq } from 'drizzle-orm'
import type { PriceFile } from '../../catalog/price-file.ts'
import type { Db } from '../../db/open.ts'
import { priceFiles } from './table.ts'

/** Prices that were fetched, and from where. */
export interface FetchedPrices {
  readonly url: string
  readonly fetchedAtMs: number
  readonly file: PriceFile
}

const ID = 'prices'

export class FetchedPriceStore {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** Undefined when none were ever fetched. */
  async load(): Promise<FetchedPrices | undefined> {
    const row = this.#db.select().from(priceFiles).where(eq(priceFiles.id, ID)).get()
    return row && { url: row.url, fetchedAtMs: row.fetchedAtMs, file: new Map(Object.entries(row.providers)) }
  }

  /** In the place of those before. */
  async replace({ url, fetchedAtMs, file }: FetchedPrices): Promise<void> {
    const row = { id: ID, url, fetchedAtMs, providers: Object.fromEntries(file) }
    this.#db.insert(priceFiles).values(row).onConflictDoUpdate({ target: priceFiles.id, set: row }).run()
  }
}
