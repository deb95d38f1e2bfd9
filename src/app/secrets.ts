/** The secrets of this installation, opened once at the start: the vault for what is stored, and keys for hashing and signing. */
import type { Config } from '../config.ts'
import { type Result, ok } from '../core/result.ts'
import type { DbFailure } from '../db/db-failure.ts'
import { installationSecret, requiredKeyId } from '../db/installation-secrets.ts'
import { loadMasterKey, temporaryMasterKey } from '../db/master-key.ts'
import type { Databases } from '../db/open.ts'
import { Vault } from '../db/seal.ts'
import type { System } from './system.ts'

export interface Secrets {
  readonly vault: Vault
  /** An installation secret by its name, made when first asked for. */
  readonly named: (name: SecretName) => Uint8Array
}

const SECRET_NAMES = ['audit', 'refresh', 'accounts', 'addresses'] as const
type SecretName = (typeof SECRET_NAMES)[number]

export function openSecrets(
  config: Config,
  databases: Databases,
  temporary: boolean,
  { clock, random }: System,
): Result<Secrets, DbFailure> {
  const required = requiredKeyId(databases.config)
  if (!required.ok) return required
  const source = { dataDir: config.dataDir, ...config.masterKey }
  const masterKey = temporary ? ok(temporaryMasterKey(random)) : loadMasterKey(source, required.value, random)
  if (!masterKey.ok) return masterKey
  const vault = new Vault(masterKey.value, random)
  const secrets = new Map<SecretName, Uint8Array>()
  for (const name of SECRET_NAMES) {
    const secret = installationSecret({ db: databases.config, vault, clock, random }, name)
    if (!secret.ok) return secret
    secrets.set(name, secret.value)
  }
  return ok({ vault, named: (name) => secrets.get(name) ?? new Uint8Array(0) })
}
