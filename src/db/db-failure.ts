/** Why the data folder cannot be used. Every one ends the start with one clear line; none is ever taken for a first run. */
export type DbFailureKind =
  'locked' | 'unwritable' | 'full' | 'missing' | 'damaged' | 'foreign' | 'newer' | 'migration' | 'master_key' | 'sealed'

export interface DbFailure {
  readonly kind: DbFailureKind
  /** One line for the operator, naming the file and the way out. */
  readonly message: string
}

export function dbFailure(kind: DbFailureKind, message: string): DbFailure {
  return { kind, message }
}

/** The wording of an exception of SQLite or the file system, for a failure's message. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
