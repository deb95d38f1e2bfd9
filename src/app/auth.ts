/** Who may sign in, and the owner that the environment may name. */
import type { Config } from '../config.ts'
import { err, ok, type Result } from '../core/result.ts'
import type { DbFailure } from '../db/db-failure.ts'
import type { Databases } from '../db/open.ts'
import type { AuditService } from '../resources/audit/service.ts'
import { AccessTokens } from '../resources/auth/access-token.ts'
import { PasswordHasher } from '../resources/auth/password.ts'
import { AuthService } from '../resources/auth/service.ts'
import { SetUpToken } from '../resources/auth/set-up.ts'
import { loadSigningKeys } from '../resources/auth/signing-keys.ts'
import { AuthStore } from '../resources/auth/store.ts'
import { Throttle } from '../resources/auth/throttle.ts'
import type { SettingsService } from '../resources/settings/service.ts'
import type { Secrets } from './secrets.ts'
import type { System } from './system.ts'

export interface OwnerFailure {
  readonly kind: 'first_owner'
  readonly message: string
}

interface AuthParts extends Pick<System, 'clock' | 'random' | 'hashCost'> {
  readonly config: Config
  readonly databases: Databases
  readonly secrets: Secrets
  readonly audit: AuditService
  readonly settings: SettingsService
}

/** Failures: of keys that cannot be opened, and `first_owner` when the one that the environment names cannot be created. */
export async function openAuth(parts: AuthParts): Promise<Result<AuthService, DbFailure | OwnerFailure>> {
  const { config, databases, secrets, audit, settings, clock, random, hashCost } = parts
  const store = new AuthStore(databases.config)
  const keys = await loadSigningKeys({ store, vault: secrets.vault, clock, random })
  if (!keys.ok) return keys
  const auth = new AuthService({
    store,
    audit,
    hasher: new PasswordHasher(hashCost),
    throttle: new Throttle(clock, () => settings.current().auth.signInAttempts),
    accessTokens: new AccessTokens({ clock, issuer: databases.installationId, keys: keys.value }),
    setUp: new SetUpToken(clock, random),
    refreshKey: secrets.named('refresh'),
    clock,
    random,
  })
  const firstOwner = await createFirstOwner(config, auth)
  return firstOwner.ok ? ok(auth) : firstOwner
}

async function createFirstOwner({ firstOwner }: Config, auth: AuthService): Promise<Result<undefined, OwnerFailure>> {
  if (firstOwner === null || !(await auth.isSetUpNeeded())) return ok(undefined)
  const credentials = { email: firstOwner.email, password: firstOwner.password.reveal() }
  const created = await auth.createFirstOwner(credentials, { requestId: null, address: null })
  if (created.ok) return ok(undefined)
  const reasons = Object.values(created.error.errors ?? {}).flat()
  const why = reasons.length === 0 ? created.error.message : reasons.join('; ')
  return err({
    kind: 'first_owner',
    message: `the owner that the environment names cannot be created: ${why}`,
  })
}
