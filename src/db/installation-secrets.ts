import { eq } from 'drizzle-orm'
import type { Clock } from '../core/clock.ts'
import type { Random } from '../core/random.ts'
import { err, ok, type Result } from '../core/result.ts'
import { dbFailure, type DbFailure } from './db-failure.ts'
import type { Db } from './open.ts'
import { sealedUnder, type Vault } from './seal.ts'
import { installationSecrets } from './table.ts'

const SECRET_BYTES = 32
const TABLE = 'installation_secrets'

interface Deps {
  readonly db: Db
  readonly vault: Vault
  readonly clock: Clock
  readonly random: Random
}

/**
 * A random 256-bit secret of this installation, made when first asked for and the same ever after. No two installations share
 * one. Failure: `sealed` when the stored one cannot be opened.
 */
export function installationSecret({ db, vault, clock, random }: Deps, name: string): Result<Uint8Array, DbFailure> {
  const place = { table: TABLE, row: name, column: 'sealed' }
  const row = db.select().from(installationSecrets).where(eq(installationSecrets.name, name)).get()
  if (row !== undefined) {
    const opened = vault.open(row.sealed, place)
    return opened.ok ? ok(Buffer.from(opened.value, 'base64url')) : opened
  }
  const bytes = random.bytes(SECRET_BYTES)
  const sealed = vault.seal(Buffer.from(bytes).toString('base64url'), place)
  db.insert(installationSecrets).values({ name, sealed, createdAtMs: clock.nowMs() }).run()
  return ok(bytes)
}

/** The id of the master key that this database's secrets need; null when it holds none yet. Failure: `damaged`. */
export function requiredKeyId(db: Db): Result<string | null, DbFailure> {
  const row = db.select().from(installationSecrets).limit(1).get()
  if (row === undefined) return ok(null)
  const id = sealedUnder(row.sealed)
  return id === undefined ? err(dbFailure('damaged', 'a sealed secret of the config database is unreadable')) : ok(id)
}
