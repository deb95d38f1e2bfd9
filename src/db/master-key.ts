import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Random } from '../core/random.ts'
import { err, ok, type Result } from '../core/result.ts'
import { type DbFailure, dbFailure, reasonOf } from './db-failure.ts'
import { writeDurably } from './identity.ts'

const KEY_BYTES = 32
const KEY_ID_LENGTH = 12
/** A key's file may be for its owner alone. */
const OTHERS = 0o077
/** systemd hands a credential to a service's user through an access list, which shows as group bits. */
const OTHERS_OF_CREDENTIAL = 0o037

/** The key that all other secrets at rest are sealed under. */
export interface MasterKey {
  /** Names the key in what it sealed, without giving anything away. */
  readonly id: string
  readonly bytes: Uint8Array
}

export interface MasterKeySource {
  readonly dataDir: string
  /** `SIGNALBOX_MASTER_KEY_FILE`. */
  readonly keyFile?: string | undefined
  /** `CREDENTIALS_DIRECTORY`, where systemd puts `master.key`. */
  readonly credentialsDir?: string | undefined
}

/**
 * Loads the master key: from the named file, else from systemd's credentials, else from `keys/master.key`, which is made on a
 * first run. `sealedUnder` is the id of the key that existing secrets need, null when nothing is sealed yet: a key is never
 * made anew, nor another one accepted, while it is set. Failure: `master_key`.
 */
export function loadMasterKey(
  source: MasterKeySource,
  sealedUnder: string | null,
  random: Random,
): Result<MasterKey, DbFailure> {
  const place = placeOf(source)
  try {
    if (!existsSync(place.path)) {
      if (place.given) return refuse(`${place.path} does not exist`)
      if (sealedUnder !== null) return refuse(`${place.path} is missing, and secrets are sealed under it; restore it`)
      return ok(createKey(place.path, random))
    }
    return readKey(place, sealedUnder)
  } catch (thrown) {
    return refuse(`cannot read ${place.path}: ${reasonOf(thrown)}`)
  }
}

/** Where the master key is looked for. */
export function masterKeyPath(source: MasterKeySource): string {
  return placeOf(source).path
}

/** The id of the key in a file's text; undefined when it does not hold one. */
export function masterKeyId(text: string): string | undefined {
  const bytes = Buffer.from(text.trim(), 'base64url')
  return bytes.length === KEY_BYTES ? keyId(bytes) : undefined
}

interface Place {
  readonly path: string
  /** The operator named it, so it is theirs to create. */
  readonly given: boolean
  readonly forbiddenBits: number
}

function placeOf({ dataDir, keyFile, credentialsDir }: MasterKeySource): Place {
  if (keyFile !== undefined) return { path: keyFile, given: true, forbiddenBits: OTHERS }
  const credential = credentialsDir === undefined ? undefined : join(credentialsDir, 'master.key')
  if (credential !== undefined && existsSync(credential)) {
    return { path: credential, given: true, forbiddenBits: OTHERS_OF_CREDENTIAL }
  }
  return { path: join(dataDir, 'keys', 'master.key'), given: false, forbiddenBits: OTHERS }
}

function readKey(place: Place, sealedUnder: string | null): Result<MasterKey, DbFailure> {
  const weak = weakMode(place)
  if (weak !== undefined) return refuse(weak)
  const bytes = Buffer.from(readFileSync(place.path, 'utf8').trim(), 'base64url')
  if (bytes.length !== KEY_BYTES) return refuse(`${place.path} does not hold ${KEY_BYTES} bytes in base64url`)
  const key = { id: keyId(bytes), bytes }
  if (sealedUnder === null || sealedUnder === key.id) return ok(key)
  return refuse(`${place.path} holds key ${key.id}, but the secrets here are sealed under key ${sealedUnder}`)
}

/** What is wrong with the permissions; undefined when nothing is, and on Windows, where modes say nothing. */
function weakMode({ path, given, forbiddenBits }: Place): string | undefined {
  if (process.platform === 'win32') return undefined
  if ((statSync(path).mode & forbiddenBits) !== 0) return `${path} is open to other users; run: chmod 600 ${path}`
  const folder = dirname(path)
  if (!given && (statSync(folder).mode & OTHERS) !== 0) {
    return `${folder} is open to other users; run: chmod 700 ${folder}`
  }
  return undefined
}

function createKey(path: string, random: Random): MasterKey {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const bytes = random.bytes(KEY_BYTES)
  writeDurably(path, `${Buffer.from(bytes).toString('base64url')}\n`)
  return { id: keyId(bytes), bytes }
}

/** A key that lives only in memory, for a database that does too. */
export function temporaryMasterKey(random: Random): MasterKey {
  const bytes = random.bytes(KEY_BYTES)
  return { id: keyId(bytes), bytes }
}

function keyId(bytes: Uint8Array): string {
  return createHash('sha256').update('signalbox master key id\0').update(bytes).digest('hex').slice(0, KEY_ID_LENGTH)
}

function refuse(message: string): Result<never, DbFailure> {
  return err(dbFailure('master_key', `master key: ${message}`))
}
