import { generateKeyPairSync } from 'node:crypto'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })

/** What verifies the statements of every service account here. */
export const SERVICE_ACCOUNT_PUBLIC_KEY = publicKey
export const SERVICE_ACCOUNT_EMAIL = 'gateway@project-1.iam.gserviceaccount.com'

/** The JSON of a key as Google hands it out; `more` replaces members. */
export function serviceAccountJson(tokenUri: string, more: object = {}): string {
  const json = {
    type: 'service_account',
    project_id: 'project-1',
    client_email: SERVICE_ACCOUNT_EMAIL,
    private_key_id: 'key-1',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    token_uri: tokenUri,
    ...more,
  }
  return JSON.stringify(json, null, 2)
}
