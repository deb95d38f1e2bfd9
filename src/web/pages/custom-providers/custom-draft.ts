/** What the form of a custom provider holds, and what it sends. Pure. Empty texts mean the default. */
import type { CustomProvider, CustomProviderChange, KeyValidation, NewCustomProvider } from '../../wire.ts'

export interface FixedValue {
  readonly name: string
  readonly value: string
  readonly secret: boolean
}

/** A listed model as it is typed. `stored` keeps what this form does not show. */
export interface ModelRow {
  readonly id: string
  readonly context: string
  readonly input: string
  readonly output: string
  readonly stored?: CustomProvider['models'][number]
}

type Paths = CustomProvider['paths']
type Quirks = CustomProvider['quirks']

export interface CustomFields {
  readonly slug: string
  readonly name: string
  readonly dialects: CustomProvider['dialects']
  readonly auth_scheme: CustomProvider['auth_scheme']
  readonly auth_header: string
  /** Null: as the scheme says. */
  readonly auth_prefix: string | null
  readonly headers: readonly FixedValue[]
  readonly query: readonly FixedValue[]
  readonly paths: Readonly<Record<keyof Paths, string>>
  readonly models_mode: CustomProvider['models_mode']
  readonly models: readonly ModelRow[]
  readonly quirks: Quirks
  readonly allow_private_network: boolean
  /** A pool's id, `direct`, or empty for whatever holds without it. */
  readonly proxy_pool_id: string
  readonly regions: readonly string[]
  readonly data_policy: CustomProvider['data_policy']
}

const NO_PATHS = { chat: '', responses: '', messages: '', models: '' }

export const NEW_FIELDS: CustomFields = {
  slug: '',
  name: '',
  dialects: [{ dialect: 'openai_chat', base_url: '' }],
  auth_scheme: 'bearer',
  auth_header: '',
  auth_prefix: null,
  headers: [],
  query: [],
  paths: NO_PATHS,
  models_mode: 'fetch',
  models: [],
  quirks: {},
  allow_private_network: false,
  proxy_pool_id: '',
  regions: [],
  data_policy: { trains: null, retention_days: null, zdr: null },
}

export function fieldsOf(provider: CustomProvider): CustomFields {
  return {
    slug: provider.slug,
    name: provider.name,
    dialects: provider.dialects,
    auth_scheme: provider.auth_scheme,
    auth_header: provider.auth_header ?? '',
    auth_prefix: provider.auth_prefix,
    headers: rowsOf(provider.headers),
    query: rowsOf(provider.query),
    paths: { ...NO_PATHS, ...provider.paths },
    models_mode: provider.models_mode,
    models: provider.models.map(modelRow),
    quirks: provider.quirks,
    allow_private_network: provider.allow_private_network,
    proxy_pool_id: provider.proxy_pool_id ?? '',
    regions: provider.regions,
    data_policy: provider.data_policy,
  }
}

/** The body of a PATCH for these fields. The slug is never part of it: it cannot change. */
export function changeOf(fields: Partial<CustomFields>): CustomProviderChange {
  const { slug: _, name, dialects, auth_header, headers, query, paths, models, regions, ...others } = fields
  const { proxy_pool_id, ...same } = others
  return {
    ...same,
    ...(name !== undefined && { name: name.trim() === '' ? null : name }),
    ...(dialects !== undefined && { dialects: dialects.map(trimmed) }),
    ...(auth_header !== undefined && { auth_header: auth_header.trim() || null }),
    ...(headers !== undefined && { headers: mapOf(headers) }),
    ...(query !== undefined && { query: mapOf(query) }),
    ...(paths !== undefined && { paths: givenPaths(paths) }),
    ...(proxy_pool_id !== undefined && { proxy_pool_id: proxy_pool_id || null }),
    ...(regions !== undefined && { regions: [...regions] }),
    ...(models !== undefined && { models: models.filter(({ id }) => id !== '').map(sentModel) }),
  }
}

export function newOf({ slug, dialects, ...fields }: CustomFields): NewCustomProvider {
  return { ...changeOf(onlyListed(fields)), slug, dialects: dialects.map(trimmed) }
}

/** The provider as it is typed, with a key to try it with. With its slug masks stand for the secrets that are stored. */
export function trialOf(fields: CustomFields, apiKey: string, isStored: boolean): KeyValidation {
  const { name: _, ...described } = changeOf(onlyListed(fields))
  return {
    ...described,
    ...(isStored && { provider: fields.slug }),
    credentials: fields.auth_scheme === 'none' ? {} : { api_key: apiKey },
  }
}

/** Do the addresses lead to a host that nothing stored was given for? Secrets and the keys of accounts stay behind then. */
export function leavesHosts(stored: CustomProvider, { dialects }: CustomFields): boolean {
  const known = stored.dialects.map(({ base_url }) => URL.parse(base_url)?.origin)
  return dialects.some(({ base_url }) => !known.includes(URL.parse(base_url.trim())?.origin))
}

/** Models that were typed before the mode changed are not sent. */
function onlyListed<T extends Partial<CustomFields>>(fields: T): T {
  return fields.models_mode === 'fetch' ? { ...fields, models: [] } : fields
}

function trimmed<T extends { readonly base_url: string }>(address: T): T {
  return { ...address, base_url: address.base_url.trim() }
}

function rowsOf(values: CustomProvider['headers']): FixedValue[] {
  return Object.entries(values).map(([name, { value, secret }]) => ({ name, value, secret }))
}

function mapOf(rows: readonly FixedValue[]): Record<string, { value: string; secret: boolean }> {
  const named = rows.filter(({ name }) => name.trim() !== '')
  return Object.fromEntries(named.map(({ name, value, secret }) => [name.trim(), { value, secret }]))
}

function givenPaths(paths: CustomFields['paths']): Paths {
  return Object.fromEntries(Object.entries(paths).filter(([, path]) => path.trim() !== ''))
}

function modelRow(model: CustomProvider['models'][number]): ModelRow {
  return {
    id: model.id,
    context: model.context === undefined ? '' : String(model.context),
    input: model.price === undefined ? '' : String(model.price.input),
    output: model.price === undefined ? '' : String(model.price.output),
    stored: model,
  }
}

/** What is no number goes out as it is, for the server to name the field. */
function sentModel({ id, context, input, output, stored }: ModelRow): CustomProvider['models'][number] {
  const { context: _, price, ...kept } = stored ?? { id }
  const isPriced = input.trim() !== '' || output.trim() !== ''
  return {
    ...kept,
    id: id.trim(),
    ...(context.trim() !== '' && { context: Number(context) }),
    ...(isPriced && { price: { ...price, input: Number(input), output: Number(output) } }),
  }
}
