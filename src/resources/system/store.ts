import { join } from 'node:path'
import { count } from 'drizzle-orm'
import { lastBackupMs } from '../../db/backup.ts'
import type { Databases } from '../../db/open.ts'
import type { QueryBook, Row } from '../../db/query-book.ts'
import type { Reader } from '../../db/reader.ts'
import { accounts } from '../accounts/table.ts'
import { auditEntries } from '../audit/table.ts'
import { users } from '../auth/table.ts'
import { keys } from '../keys/table.ts'
import { skills } from '../skills/table.ts'
import { fileBytes } from './machine.ts'

const FILES = ['config.sqlite', 'telemetry.sqlite'] as const

export const systemQueries = {
  pages: { sql: 'SELECT page_count AS pages, freelist_count AS free FROM pragma_page_count, pragma_freelist_count' },
  requestRows: { sql: 'SELECT count(*) AS amount FROM requests' },
  attemptRows: { sql: 'SELECT count(*) AS amount FROM attempts' },
} satisfies QueryBook

export type SystemQuery = keyof typeof systemQueries

/** Of both files together. */
export interface DbFacts {
  readonly pathKind: 'file' | 'memory'
  readonly bytes: number
  readonly walBytes: number
  readonly pages: number
  readonly freePages: number
  readonly lastBackupMs: number | null
  /** The ledger's are missing while its reader is busy or gone. */
  readonly rows: Readonly<Record<RowKind, number | null>>
}

export const ROW_KINDS = ['users', 'keys', 'accounts', 'skills', 'audit_entries', 'requests', 'attempts'] as const
export type RowKind = (typeof ROW_KINDS)[number]

interface Deps {
  readonly databases: Pick<Databases, 'config' | 'telemetryPath'>
  readonly reader: Reader<SystemQuery>
  /** Null when everything is in memory. */
  readonly dataDir: string | null
}

export class SystemStore {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async facts(): Promise<DbFacts> {
    const { databases, dataDir } = this.#deps
    const [pages, requests, attempts] = await Promise.all([
      this.#read('pages'),
      this.#read('requestRows'),
      this.#read('attemptRows'),
    ])
    const [own] = databases.config.$client.query<Row, []>(systemQueries.pages.sql).all()
    const sizeOf = (suffix: string): number =>
      dataDir === null ? 0 : FILES.reduce((sum, name) => sum + fileBytes(join(dataDir, `${name}${suffix}`)), 0)
    return {
      pathKind: dataDir === null ? 'memory' : 'file',
      bytes: sizeOf(''),
      walBytes: sizeOf('-wal'),
      pages: numberIn(own, 'pages') + numberIn(pages, 'pages'),
      freePages: numberIn(own, 'free') + numberIn(pages, 'free'),
      lastBackupMs: dataDir === null ? null : lastBackupMs(dataDir),
      rows: { ...this.#configRows(), requests: amountIn(requests), attempts: amountIn(attempts) },
    }
  }

  #configRows() {
    const db = this.#deps.databases.config
    const rowsOf = (
      table: typeof users | typeof keys | typeof accounts | typeof skills | typeof auditEntries,
    ): number => db.select({ amount: count() }).from(table).get()?.amount ?? 0
    return {
      users: rowsOf(users),
      keys: rowsOf(keys),
      accounts: rowsOf(accounts),
      skills: rowsOf(skills),
      audit_entries: rowsOf(auditEntries),
    }
  }

  async #read(name: SystemQuery): Promise<Row | undefined> {
    const read = await this.#deps.reader.query(name, {})
    return read.ok ? read.value[0] : undefined
  }
}

function amountIn(row: Row | undefined): number | null {
  return row === undefined ? null : numberIn(row, 'amount')
}

function numberIn(row: Row | undefined, column: string): number {
  const value = row?.[column]
  return typeof value === 'number' ? value : 0
}
