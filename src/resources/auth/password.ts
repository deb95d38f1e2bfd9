import { err, ok, type Result } from '../../core/result.ts'
import { type Refusal, refusal } from '../../http/refusal.ts'
// The 3,000 commonest passwords, and of the next 46,000 those long enough to be chosen here; lower case, one a line. From
// https://github.com/zxcvbn-ts/zxcvbn, packages/languages/common/src/passwords.json, 3.0.4, MIT (read 2026-11-21).
import commonPasswords from './common-passwords.txt' with { type: 'text' }

export const PASSWORD_LENGTH_MIN = 12
/** Far beyond any passphrase; bounds the work of a hash. */
export const PASSWORD_LENGTH_MAX = 1_024
/** KiB of memory and passes over it. */
export interface HashCost {
  readonly memoryCost: number
  readonly timeCost: number
}
export const HASH_COST: HashCost = { memoryCost: 32 * 1024, timeCost: 2 }
/** Each hash takes a core for a while and 32 MiB; more at once would starve the streams. */
const SLOTS = 2
const WAITING_MAX = 32
const COMMON: ReadonlySet<string> = new Set(commonPasswords.split('\n').filter((line) => line !== ''))

/** What is wrong with a new password; undefined when it may be used. Any Unicode counts, nothing is cut off. */
export function passwordProblem(password: string, email: string): string | undefined {
  const length = [...password].length
  if (length < PASSWORD_LENGTH_MIN) return `must have at least ${PASSWORD_LENGTH_MIN} characters`
  if (length > PASSWORD_LENGTH_MAX) return `must have at most ${PASSWORD_LENGTH_MAX} characters`
  const plain = password.toLowerCase()
  const core = plain.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  if (COMMON.has(plain) || COMMON.has(core)) return 'is among the commonest passwords'
  if (/^(.{1,4})\1+$/u.test(plain)) return 'repeats the same few characters'
  return plain === email ? 'must not be the e-mail address' : undefined
}

/** Hashes with argon2id, two at a time; who finds too many waiting is refused rather than queued. */
export class PasswordHasher {
  #busy = 0
  readonly #waiting: (() => void)[] = []
  readonly #cost: HashCost
  #decoy: Promise<string> | undefined

  /** `cost`: another one is for tests alone. */
  constructor(cost: HashCost = HASH_COST) {
    this.#cost = cost
  }

  /** Refusal: `throttled` when too many hashes wait already. */
  async hash(password: string): Promise<Result<string, Refusal>> {
    return this.#inSlot(() => this.#hash(password.normalize('NFC')))
  }

  /** With no hash (an unknown user) it takes as long as with one, and is never true. Refusal: `throttled`. */
  async verify(password: string, hash: string | undefined): Promise<Result<boolean, Refusal>> {
    const decoy = await this.#decoyHash() // always, so that the first sign-in of all gives nothing away either
    const against = hash ?? decoy
    const matches = await this.#inSlot(() => Bun.password.verify(password.normalize('NFC'), against))
    return matches.ok ? ok(matches.value && hash !== undefined) : matches
  }

  #decoyHash(): Promise<string> {
    this.#decoy ??= this.#hash('of a user who does not exist')
    return this.#decoy
  }

  #hash(password: string): Promise<string> {
    return Bun.password.hash(password, { algorithm: 'argon2id', ...this.#cost })
  }

  async #inSlot<T>(work: () => Promise<T>): Promise<Result<T, Refusal>> {
    if (this.#busy >= SLOTS) {
      if (this.#waiting.length >= WAITING_MAX) {
        return err(refusal('throttled', 'too many sign-ins at once', { retryAfterMs: 1_000 }))
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve)) // the slot is handed over, not freed
    } else this.#busy++
    try {
      return ok(await work())
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#busy--
      else next()
    }
  }
}
