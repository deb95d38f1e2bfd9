import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Random } from '../core/random.ts'
import { err, ok, type Result } from '../core/result.ts'
import { type DbFailure, dbFailure } from './db-failure.ts'
import type { MasterKey } from './master-key.ts'

const VERSION = 'v1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Where a sealed value lives. It is bound to that place: a row's ciphertext cannot be moved into another row or column. */
export interface Place {
  readonly table: string
  readonly row: string
  readonly column: string
}

/**
 * Seals secrets for the database: AES-256-GCM, a fresh random nonce each time, the place and the key's id as associated data.
 * The text is `v1.<key id>.<nonce>.<ciphertext and tag>`, the last two in base64url.
 */
export class Vault {
  readonly #current: MasterKey
  readonly #previous: MasterKey | undefined
  readonly #random: Random

  /** `previous` still opens what it sealed while a rotation is under way. */
  constructor(current: MasterKey, random: Random, previous?: MasterKey) {
    this.#current = current
    this.#previous = previous
    this.#random = random
  }

  seal(plain: string, place: Place): string {
    const nonce = this.#random.bytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#current.bytes, nonce)
    cipher.setAAD(associatedData(place, this.#current.id))
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return [VERSION, this.#current.id, Buffer.from(nonce).toString('base64url'), sealed.toString('base64url')].join('.')
  }

  /** Failure: `sealed` when the text was changed, moved from another place, or sealed under a key that is not here. */
  open(sealed: string, place: Place): Result<string, DbFailure> {
    const [version, id, nonce, body] = sealed.split('.')
    const key = [this.#current, this.#previous].find((candidate) => candidate?.id === id)
    if (version !== VERSION || key === undefined || nonce === undefined || body === undefined) return unreadable(place)
    try {
      const bytes = Buffer.from(body, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, Buffer.from(nonce, 'base64url'))
      decipher.setAAD(associatedData(place, key.id))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      return ok(decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8'))
    } catch {
      return unreadable(place) // the library throws on a wrong tag; why it is wrong cannot be known
    }
  }
}

/** The id of the key that a sealed text needs; undefined when it is not one. */
export function sealedUnder(sealed: string): string | undefined {
  const [version, id] = sealed.split('.')
  return version === VERSION ? id : undefined
}

function associatedData({ table, row, column }: Place, keyId: string): Buffer {
  return Buffer.from(JSON.stringify([table, row, column, keyId]))
}

function unreadable({ table, column }: Place): Result<never, DbFailure> {
  return err(dbFailure('sealed', `a sealed value of ${table}.${column} cannot be opened with this master key`))
}
