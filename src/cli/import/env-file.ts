/** `.env` files: the variables in which providers' own tools look for their keys. */
import { parseEnv } from 'node:util'
import type { ProviderSpec } from '../../catalog/provider.ts'
import { builtinProviders } from '../../catalog/providers/index.ts'
import type { Found, FoundAccount, LeftOut, Variables } from './found.ts'

/** What the variables of providers with several of them hold; all others hold the key. */
const FIELDS: Readonly<Record<string, string>> = {
  AWS_ACCESS_KEY_ID: 'access_key_id',
  AWS_SECRET_ACCESS_KEY: 'secret_access_key',
  AWS_REGION: 'region',
  AZURE_RESOURCE_NAME: 'resource',
  AZURE_OPENAI_ENDPOINT: 'resource',
}
const AZURE_ENDPOINT = /^https:\/\/([a-z0-9-]+)\.openai\.azure\.com\/?$/
/** What is no field of an account. */
const UNREAD: Readonly<Record<string, string>> = {
  GOOGLE_APPLICATION_CREDENTIALS: 'names a file; add an account of Vertex AI with what is in it',
}
const LOOKS_LIKE_A_KEY = /_(?:API_KEY|API_TOKEN)$/

/** Node's parser takes `name: value` for a variable, too, and so every broken configuration for a file of them. */
const VARIABLE = /^[ \t]*(?:export[ \t]+)?[A-Za-z_][A-Za-z0-9_]*[ \t]*=/m

/** Undefined when the text holds no variable at all. */
export function parseVariables(text: string): Variables | undefined {
  return VARIABLE.test(text) ? parseEnv(text) : undefined
}

export function readEnvFile(variables: Variables): Found {
  const set = new Map(Object.entries(variables).flatMap(([name, value]) => (value ? [[name, value] as const] : [])))
  const known = builtinProviders.filter(({ kind }) => kind !== 'demo')
  const read = known.map((provider) => accountsOf(provider, set))
  return {
    source: 'a file of variables',
    providers: [],
    accounts: read.flatMap(({ accounts }) => accounts),
    names: [],
    keys: [],
    leftOut: [...read.flatMap(({ leftOut }) => leftOut), ...unread(set), ...unknown(set)],
  }
}

interface Read {
  readonly accounts: readonly FoundAccount[]
  readonly leftOut: readonly LeftOut[]
}

function accountsOf(provider: ProviderSpec, set: ReadonlyMap<string, string>): Read {
  const found = keysOf(provider, set).map((key) => ({ ...key, missing: missingIn(provider, key.credentials) }))
  return {
    accounts: found
      .filter(({ missing }) => missing === undefined)
      .map(({ ref, authType, credentials }) => {
        return { ref, provider: provider.id, name: null, authType, credentials, enabled: true, priority: 0 }
      }),
    leftOut: found.flatMap(({ ref, missing }) =>
      missing === undefined ? [] : [{ what: `${ref} for ${provider.name}`, why: `${missing} is not in the file` }],
    ),
  }
}

/** Each key, with the fields that are no keys: they belong to all of them. */
function keysOf(
  { envNames }: ProviderSpec,
  set: ReadonlyMap<string, string>,
): readonly Pick<FoundAccount, 'ref' | 'authType' | 'credentials'>[] {
  const names = envNames.filter((name) => set.has(name) && UNREAD[name] === undefined)
  const fields = names.flatMap((name) =>
    FIELDS[name] === undefined ? [] : [[FIELDS[name], fieldValue(set.get(name) ?? '')] as const],
  )
  const { access_key_id: id, secret_access_key: secret, ...shared }: Record<string, string> = Object.fromEntries(fields)
  const keys = distinct(
    names.filter((name) => FIELDS[name] === undefined),
    set,
  )
  const withKey = keys.map((ref) => ({ ref, authType: null, credentials: { ...shared, api_key: set.get(ref) ?? '' } }))
  if (id === undefined || secret === undefined) return withKey
  const credentials = { ...shared, access_key_id: id, secret_access_key: secret }
  return [...withKey, { ref: 'AWS_ACCESS_KEY_ID', authType: 'sigv4', credentials }]
}

/** Of a whole address the part that names the resource. */
function fieldValue(text: string): string {
  return AZURE_ENDPOINT.exec(text)?.[1] ?? text
}

/** Two names of one value are one key. */
function distinct(names: readonly string[], set: ReadonlyMap<string, string>): readonly string[] {
  return names.filter((name, at) => names.findIndex((other) => set.get(other) === set.get(name)) === at)
}

/** The variable of a field that every way to sign in needs. */
function missingIn({ auth, envNames }: ProviderSpec, values: Readonly<Record<string, string>>): string | undefined {
  const field = auth.fields.find(
    ({ name, required, schemes }) => required && schemes === undefined && !(name in values),
  )
  return field && (envNames.find((name) => FIELDS[name] === field.name) ?? field.label)
}

function unread(set: ReadonlyMap<string, string>): readonly LeftOut[] {
  return Object.entries(UNREAD).flatMap(([what, why]) => (set.has(what) ? [{ what, why }] : []))
}

/** Everything else in such a file is about other programs. */
function unknown(set: ReadonlyMap<string, string>): readonly LeftOut[] {
  const known = new Set<string>(builtinProviders.flatMap(({ envNames }) => envNames))
  return [...set.keys()]
    .filter((name) => LOOKS_LIKE_A_KEY.test(name) && !known.has(name))
    .map((what) => ({ what, why: 'no provider that is built in has its key there' }))
}
