import type { Clock } from '../../core/clock.ts'
import { SECOND_MS } from '../../core/duration.ts'
import type { Random } from '../../core/random.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { type DbFailure, dbFailure } from '../../db/db-failure.ts'
import type { Vault } from '../../db/seal.ts'
import { ACCESS_LIFETIME_S, type SigningKey } from './access-token.ts'
import type { AuthStore } from './store.ts'

const KEY_BYTES = 32
const KID_BYTES = 6

interface Deps {
  readonly store: AuthStore
  readonly vault: Vault
  readonly clock: Clock
  readonly random: Random
}

/** The keys of this installation, the signing one first; the very first is made here. Failure: `sealed`. */
export async function loadSigningKeys(deps: Deps): Promise<Result<readonly [SigningKey, ...SigningKey[]], DbFailure>> {
  if ((await deps.store.signingKeys()).length === 0) await rotateSigningKey(deps)
  const keys: SigningKey[] = []
  for (const { kid, sealed, retiredAtMs } of await deps.store.signingKeys()) {
    const opened = deps.vault.open(sealed, placeOf(kid))
    if (!opened.ok) return opened
    keys.push({ kid, retiredAtMs, bytes: Buffer.from(opened.value, 'base64url') })
  }
  const [first, ...others] = keys
  return first === undefined ? err(dbFailure('damaged', 'no signing key could be kept')) : ok([first, ...others])
}

/** A new key signs from the next start on; the one before is accepted until its last token has run out. */
export async function rotateSigningKey({ store, vault, clock, random }: Deps): Promise<void> {
  const kid = Buffer.from(random.bytes(KID_BYTES)).toString('hex')
  const sealed = vault.seal(Buffer.from(random.bytes(KEY_BYTES)).toString('base64url'), placeOf(kid))
  const nowMs = clock.nowMs()
  await store.addSigningKey({ kid, sealed }, nowMs, nowMs - ACCESS_LIFETIME_S * SECOND_MS)
}

function placeOf(kid: string) {
  return { table: 'signing_keys', row: kid, column: 'sealed' }
}
