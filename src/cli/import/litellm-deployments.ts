/** The deployments of a LiteLLM configuration: which provider, which credentials, which model. */
import type { ProviderSpec } from '../../catalog/provider.ts'
import { builtinProviders } from '../../catalog/providers/index.ts'
import { asNumber, asObject, asString, type JsonObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { type FoundAccount, type FoundProvider, type LeftOut, slugOf, type Variables } from './found.ts'
import { missingVariable, resolved, textOf } from './litellm-variables.ts'

/** One entry of `model_list`, taken over. */
export interface Deployment {
  readonly group: string
  /** As this program writes it. */
  readonly model: string
  /** `ref` of its account. */
  readonly account: string
  readonly weight: number
}

/** Where a deployment is. */
interface Place {
  readonly provider: string
  readonly authType: FoundAccount['authType']
  readonly credentials: FoundAccount['credentials']
}

/** What LiteLLM calls providers. https://docs.litellm.ai/docs/providers (read 2026-11-21) */
const PROVIDERS: Readonly<Record<string, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  azure: 'azure',
  bedrock: 'bedrock',
  cerebras: 'cerebras',
  cohere: 'cohere',
  cohere_chat: 'cohere',
  deepseek: 'deepseek',
  fireworks_ai: 'fireworks',
  gemini: 'google',
  github: 'github-models',
  groq: 'groq',
  hosted_vllm: 'vllm',
  huggingface: 'huggingface',
  lm_studio: 'lmstudio',
  mistral: 'mistral',
  moonshot: 'moonshotai',
  nvidia_nim: 'nvidia',
  ollama: 'ollama',
  ollama_chat: 'ollama',
  openrouter: 'openrouter',
  perplexity: 'perplexity',
  together_ai: 'together',
  xai: 'xai',
  zai: 'zai',
}
/** Whose a model is that is named without a provider. */
const BARE: readonly (readonly [RegExp, string])[] = [
  [/^(?:gpt-|chatgpt-|o\d)/, 'openai'],
  [/^claude-/, 'anthropic'],
]
const CHAT_MODES: ReadonlySet<string> = new Set(['chat', 'completion', 'responses'])
const AZURE_HOST = /^([a-z0-9][a-z0-9-]{0,62})\.openai\.azure\.com$/
const AZURE_VERSION = /^\d{4}-\d{2}-\d{2}(?:-preview)?$/
const SLUG_LENGTH_MAX = 36
const WEIGHT_MAX = 1_000
/** Per-deployment settings that say something for which this program has another place. */
const LIMITS = ['rpm', 'tpm', 'max_parallel_requests', 'timeout', 'stream_timeout', 'max_budget'] as const
const PRICES = ['input_cost_per_token', 'output_cost_per_token', 'input_cost_per_second'] as const

export class Deployments {
  readonly all: Deployment[] = []
  readonly providers: FoundProvider[] = []
  readonly accounts: FoundAccount[] = []
  readonly #leftOut: LeftOut[] = []
  readonly #variables: Variables
  readonly #unread = { limits: 0, prices: 0 }

  constructor(variables: Variables) {
    this.#variables = variables
  }

  get leftOut(): readonly LeftOut[] {
    const { limits, prices } = this.#unread
    return [
      ...this.#leftOut,
      ...(limits === 0
        ? []
        : [{ what: `limits and timeouts of ${limits} deployments`, why: 'set them on accounts, keys or chains' }]),
      ...(prices === 0 ? [] : [{ what: `prices of ${prices} deployments`, why: 'set them under Prices' }]),
    ]
  }

  /** Whether a name must say which account it means. */
  isOneOfMany(ref: string): boolean {
    const provider = this.accounts.find((account) => account.ref === ref)?.provider
    return this.accounts.filter((account) => account.provider === provider).length > 1
  }

  add(entry: JsonObject): void {
    const group = asString(entry['model_name']) ?? ''
    const params = asObject(entry['litellm_params']) ?? {}
    const written = asString(params['model']) ?? ''
    const mode = asString(asObject(entry['model_info'])?.['mode']) ?? 'chat'
    const read = CHAT_MODES.has(mode)
      ? this.#read(written, params)
      : err(`is for ${mode}, and names here are for chats`)
    if (!read.ok)
      return void this.#leftOut.push({ what: `${group || 'a model without a name'} (${written})`, why: read.error })
    const { place, model } = read.value
    const account = this.#accountOf(place)
    if (LIMITS.some((name) => name in params || name in entry)) this.#unread.limits++
    if (PRICES.some((name) => name in params)) this.#unread.prices++
    if (!model.includes('*')) {
      const weight = Math.min(WEIGHT_MAX, Math.max(0, Math.round(asNumber(params['weight']) ?? 1)))
      this.all.push({ group, model: `${place.provider}/${model}`, account, weight })
    } else if (group !== `${place.provider}/*`) {
      this.#leftOut.push({
        what: group,
        why: `its models are asked for as ${place.provider}/<model>; the account is taken over`,
      })
    }
  }

  #read(written: string, params: JsonObject): Result<{ place: Place; model: string }, string> {
    const [prefix, model] = partsOf(written, asString(params['custom_llm_provider']))
    const slug = prefix === undefined ? undefined : PROVIDERS[prefix]
    const provider = builtinProviders.find(({ id }) => id === slug)
    if (provider === undefined) return err(prefix === undefined ? 'names no provider' : `no provider here is ${prefix}`)
    const place = this.#placeOf(provider, params)
    return place.ok ? ok({ place: place.value, model }) : place
  }

  #placeOf(provider: ProviderSpec, params: JsonObject): Result<Place, string> {
    const key = this.#value(params, 'api_key')
    const base = this.#value(params, 'api_base')
    if (!key.ok) return key
    if (!base.ok) return base
    if (provider.id === 'bedrock') return this.#bedrock(params, key.value)
    const secret =
      key.value ?? provider.envNames.map((name) => this.#variables[name]).find((value) => value !== undefined)
    if (provider.id === 'azure') return azure(base.value, textOf(params['api_version']), secret)
    const elsewhere = base.value === undefined || isAt(provider, base.value) ? undefined : base.value
    if (elsewhere !== undefined && URL.parse(elsewhere) === null) return err('its api_base is no address')
    const slug = elsewhere === undefined ? provider.id : this.#customAt(provider, elsewhere)
    if (secret !== undefined) return ok({ provider: slug, authType: null, credentials: { api_key: secret } })
    const isOpen = provider.auth.schemes.includes('none') || elsewhere !== undefined
    return isOpen
      ? ok({ provider: slug, authType: 'none', credentials: {} })
      : err(`has no api_key, and ${provider.envNames[0]} is not in the file`)
  }

  #bedrock(params: JsonObject, key: string | undefined): Result<Place, string> {
    const [id, secret, region] = ['aws_access_key_id', 'aws_secret_access_key', 'aws_region_name'].map((name) =>
      this.#value(params, name),
    )
    for (const value of [id, secret, region]) if (value?.ok === false) return value
    const credentials = {
      region: valueOf(region) ?? this.#variables['AWS_REGION'] ?? this.#variables['AWS_REGION_NAME'],
      ...(key === undefined
        ? {
            access_key_id: valueOf(id) ?? this.#variables['AWS_ACCESS_KEY_ID'],
            secret_access_key: valueOf(secret) ?? this.#variables['AWS_SECRET_ACCESS_KEY'],
          }
        : { api_key: key }),
    }
    const missing = Object.entries(credentials).find(([, value]) => value === undefined)?.[0]
    if (missing !== undefined) return err(`has no ${missing}`)
    const known = Object.fromEntries(Object.entries(credentials).map(([name, value]) => [name, value ?? '']))
    return ok({ provider: 'bedrock', authType: key === undefined ? 'sigv4' : 'bearer', credentials: known })
  }

  /** Undefined where nothing is set; the error says which variable is not known. */
  #value(params: JsonObject, name: string): Result<string | undefined, string> {
    const written = textOf(params[name])
    if (written === undefined) return ok(undefined)
    const value = resolved(written, this.#variables)
    return value === undefined ? err(missingVariable(written)) : ok(value)
  }

  /** The slug of the custom provider at an address. */
  #customAt(provider: ProviderSpec, address: string): string {
    const dialect = provider.id === 'anthropic' ? 'anthropic_messages' : 'openai_chat'
    const isRoot = provider.id === 'anthropic' || provider.id === 'ollama'
    const trimmed = address.replace(/\/+$/, '')
    const baseUrl = isRoot && !trimmed.endsWith('/v1') ? `${trimmed}/v1` : trimmed
    const known = this.providers.find((one) => one.baseUrl === baseUrl && one.dialect === dialect)
    if (known !== undefined) return known.slug
    const host = new URL(baseUrl).host
    const name = slugOf(host, SLUG_LENGTH_MAX)
    const alike = this.providers.filter(({ slug }) => slug === name || slug.startsWith(`${name}-`)).length
    const slug = alike === 0 ? name : `${name}-${alike + 1}`
    this.providers.push({ slug, name: host, dialect, baseUrl })
    return slug
  }

  #accountOf(place: Place): string {
    const ref = JSON.stringify([place.provider, place.authType, place.credentials])
    if (!this.accounts.some((account) => account.ref === ref)) {
      this.accounts.push({ ref, ...place, name: null, enabled: true, priority: 0 })
    }
    return ref
  }
}

/** What stands before the first slash names the provider, unless that is said apart. */
function partsOf(written: string, said: string | undefined): readonly [string | undefined, string] {
  const slash = written.indexOf('/')
  const prefix = slash < 0 ? undefined : written.slice(0, slash)
  if (said !== undefined) return [said, prefix === said ? written.slice(slash + 1) : written]
  if (prefix !== undefined) return [prefix, written.slice(slash + 1)]
  return [BARE.find(([pattern]) => pattern.test(written))?.[1], written]
}

/** Is that the provider's own host? */
function isAt({ endpoints }: ProviderSpec, address: string): boolean {
  const host = URL.parse(address)?.host
  return endpoints.some(({ baseUrl }) => URL.parse(baseUrl)?.host === host)
}

/** The resource is in the address; which form of the interface is meant shows in whether a version is named. */
function azure(
  address: string | undefined,
  version: string | undefined,
  key: string | undefined,
): Result<Place, string> {
  const resource = AZURE_HOST.exec(URL.parse(address ?? '')?.hostname ?? '')?.[1]
  if (resource === undefined) return err('its api_base is not that of an Azure resource')
  if (key === undefined) return err('has no api_key, and AZURE_OPENAI_API_KEY is not in the file')
  if (version === undefined || !AZURE_VERSION.test(version))
    return ok({ provider: 'azure', authType: null, credentials: { resource, api_key: key } })
  return ok({
    provider: 'azure-deployments',
    authType: null,
    credentials: { resource, api_version: version, api_key: key },
  })
}

function valueOf(read: Result<string | undefined, string> | undefined): string | undefined {
  return read?.ok === true ? read.value : undefined
}
