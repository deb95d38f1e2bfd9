import { Database } from 'bun:sqlite'
import { numberOfDFGCompiles } from 'bun:jsc'

/** Older ones lose rows or let requests wait: what we rely on was found to hold from here on. */
export const BUN_MIN = '1.4.5'
export const SQLITE_MIN = '3.51.3'

export interface RuntimeFacts {
  readonly bun: string
  readonly sqlite: string
  readonly jit: boolean
}

export function runtimeFacts(): RuntimeFacts {
  return { bun: Bun.version, sqlite: sqliteVersion(), jit: hasJit() }
}

/** Why this runtime cannot be used; undefined when it can. */
export function belowFloor({ bun, sqlite }: Pick<RuntimeFacts, 'bun' | 'sqlite'>): string | undefined {
  if (Bun.semver.order(bun, BUN_MIN) < 0) return `Bun ${bun} is too old: ${BUN_MIN} or newer is needed`
  if (Bun.semver.order(sqlite, SQLITE_MIN) < 0) return `SQLite ${sqlite} is too old: ${SQLITE_MIN} or newer is needed`
  return undefined
}

/** A `MemoryDenyWriteExecute` unit takes the compiler away silently. */
export const NO_JIT = 'the just-in-time compiler is off, everything is several times slower (MemoryDenyWriteExecute?)'

function sqliteVersion(): string {
  using database = new Database(':memory:')
  return database.query<{ version: string }, []>('SELECT sqlite_version() AS version').get()?.version ?? 'unknown'
}

/** How often the engine says that it has compiled a function when it cannot compile any. */
const COMPILES_WITHOUT_JIT = 1_000_000

function hasJit(): boolean {
  return numberOfDFGCompiles(sqliteVersion) < COMPILES_WITHOUT_JIT
}
