/**
 * A backup of 9router: connections, compatible hosts ("nodes"), combos, aliases and keys, as its settings page exports them.
 * https://github.com/decolua/9router src/lib/db/index.js, exportDb (read 2026-11-21)
 */
import { asArray, asNumber, asObject, asString, isObject, type JsonObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { type Found, type FoundAccount, type FoundProvider, type LeftOut, slugOf } from './found.ts'
import { namesOf } from './nine-router-names.ts'

/** Its names of providers, and what it writes before their models, where both have this program's way to sign in. */
const PROVIDERS: readonly (readonly [id: string, prefix: string, here: string])[] = [
  ['anthropic', 'anthropic', 'anthropic'],
  ['cerebras', 'cerebras', 'cerebras'],
  ['cohere', 'cohere', 'cohere'],
  ['deepseek', 'ds', 'deepseek'],
  ['fireworks', 'fireworks', 'fireworks'],
  ['gemini', 'gemini', 'google'],
  ['groq', 'groq', 'groq'],
  ['huggingface', 'hf', 'huggingface'],
  ['mistral', 'mistral', 'mistral'],
  ['nvidia', 'nvidia', 'nvidia'],
  ['openai', 'openai', 'openai'],
  ['openrouter', 'openrouter', 'openrouter'],
  ['perplexity', 'pplx', 'perplexity'],
  ['together', 'together', 'together'],
  ['xai', 'xai', 'xai'],
]
const SLUG = /^[a-z0-9][a-z0-9-]{1,40}$/
const SLUG_LENGTH_MAX = 41
const PRIORITY_MAX = 100
const NAME_LENGTH_MAX = 80

export function readNineRouter(root: JsonObject): Found {
  const leftOut: LeftOut[] = []
  const nodes = objects(root, 'providerNodes')
  const hosts = taken(nodes, hostOf, (node) => `the host ${label(node)}`, leftOut)
  const here = providersHere(hosts)
  const accounts = taken(objects(root, 'providerConnections'), (one) => accountOf(one, here), connectionLabel, leftOut)
  const usable = new Set(accounts.map(({ provider }) => provider))
  const aliases = Object.entries(asObject(root['modelAliases']) ?? {}).map(([name, model]) => ({
    name,
    models: [asString(model) ?? ''],
  }))
  const combos = objects(root, 'combos').map((combo) => ({
    name: asString(combo['name']) ?? '',
    models: (asArray(combo['models']) ?? []).flatMap(
      (model) => asString(model) ?? asString(asObject(model)?.['model']) ?? [],
    ),
  }))
  const names = namesOf(aliases, combos, { here, usable })
  const keys = taken(objects(root, 'apiKeys'), keyOf, (key) => `the key ${label(key)}`, leftOut)
  const providers = hosts.map(({ provider }) => provider)
  return {
    source: 'a 9router backup',
    providers,
    accounts,
    names: names.found,
    keys,
    leftOut: [...leftOut, ...names.leftOut, ...unreadOf(root)],
  }
}

interface Host {
  readonly id: string
  readonly provider: FoundProvider
}

/** What this program calls what stands before a model, or what a connection belongs to. */
export type ProvidersHere = ReadonlyMap<string, string>

function providersHere(hosts: readonly Host[]): ProvidersHere {
  const builtin = PROVIDERS.flatMap(([id, prefix, here]) => [[id, here] as const, [prefix, here] as const])
  const own = hosts.flatMap(({ id, provider: { slug, name } }) => [
    [id, slug] as const,
    [name, slug] as const,
    [slug, slug] as const,
  ])
  return new Map([...builtin, ...own])
}

const DIALECTS: Readonly<Record<string, FoundProvider['dialect']>> = {
  'openai-compatible chat': 'openai_chat',
  'openai-compatible responses': 'openai_responses',
  'anthropic-compatible': 'anthropic_messages',
}

function hostOf(node: JsonObject): Result<Host, string> {
  const [id, type, apiType] = [asString(node['id']), asString(node['type']), asString(node['apiType'])]
  const [prefix, address] = [asString(node['prefix']) ?? '', asString(node['baseUrl']) ?? '']
  const dialect = DIALECTS[type === 'openai-compatible' ? `${type} ${apiType ?? 'chat'}` : (type ?? '')]
  if (id === undefined || dialect === undefined) return err(`is of a kind that is not known here: ${type ?? 'none'}`)
  const baseUrl = address.replace(/\/+$/, '').replace(/\/(?:chat\/completions|responses|messages)$/, '')
  if (URL.parse(baseUrl) === null) return err('has no address')
  const slug = slugOf(prefix, SLUG_LENGTH_MAX)
  if (!SLUG.test(slug)) return err(`its prefix ${JSON.stringify(prefix)} makes no name for a provider`)
  const authScheme = dialect === 'anthropic_messages' ? 'x-api-key' : 'bearer'
  return ok({ id, provider: { slug, name: prefix, dialect, baseUrl, authScheme } })
}

/** What it signed in to as another program stays with that program. */
function accountOf(connection: JsonObject, here: ProvidersHere): Result<FoundAccount, string> {
  const kind = asString(connection['authType']) ?? 'oauth'
  if (kind !== 'apikey') return err(`signs in by ${kind} as another program does; only API keys are taken over`)
  const [provider, key] = [here.get(asString(connection['provider']) ?? ''), asString(connection['apiKey'])]
  if (provider === undefined)
    return err(`no provider here is ${asString(connection['provider']) ?? 'named so'}; add a custom one`)
  if (key === undefined || key === '') return err('has no key')
  return ok({
    ref: asString(connection['id']) ?? key,
    provider,
    name: asString(connection['name'])?.trim().slice(0, NAME_LENGTH_MAX) || null,
    authType: null,
    credentials: { api_key: key },
    enabled: connection['isActive'] !== false,
    priority: Math.min(PRIORITY_MAX, Math.max(0, Math.round(asNumber(connection['priority']) ?? 0))),
  })
}

function keyOf(key: JsonObject): Result<Found['keys'][number], string> {
  const secret = asString(key['key'])
  if (secret === undefined) return err('has no secret')
  return ok({
    name: asString(key['name'])?.trim().slice(0, NAME_LENGTH_MAX) || '9router',
    secret,
    enabled: key['isActive'] !== false,
  })
}

function unreadOf(root: JsonObject): readonly LeftOut[] {
  const parts: Readonly<Record<string, string>> = {
    proxyPools: 'add them under Proxy pools',
    customModels: 'models need not be listed here',
    disabledModels: 'set models_deny of an account',
    pricing: 'set them under Prices',
    mitmAlias: 'there is nothing like it here',
  }
  const sizeOf = (name: string): number => Object.keys(root[name] ?? {}).length
  return Object.entries(parts).flatMap(([what, why]) =>
    sizeOf(what) === 0 ? [] : [{ what: `${sizeOf(what)} of ${what}`, why }],
  )
}

/** What can be read of each; the rest is left out with why. */
function taken<T>(
  items: readonly JsonObject[],
  read: (item: JsonObject) => Result<T, string>,
  labelOf: (item: JsonObject) => string,
  leftOut: LeftOut[],
): readonly T[] {
  return items.flatMap((item) => {
    const outcome = read(item)
    if (!outcome.ok) leftOut.push({ what: labelOf(item), why: outcome.error })
    return outcome.ok ? [outcome.value] : []
  })
}

function objects(root: JsonObject, name: string): readonly JsonObject[] {
  return (asArray(root[name]) ?? []).filter((item) => isObject(item))
}

function label(item: JsonObject): string {
  return asString(item['name']) ?? asString(item['id']) ?? 'without a name'
}

function connectionLabel(connection: JsonObject): string {
  return `the connection ${asString(connection['name']) ?? asString(connection['email']) ?? label(connection)} of ${asString(connection['provider']) ?? 'nobody'}`
}
