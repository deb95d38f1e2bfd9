/** Where a deployment of LiteLLM is, and what it signs in with: its own parameters, else the variables that LiteLLM looks at. */
import type { ProviderSpec } from '../../catalog/provider.ts'
import type { JsonObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { type FoundAccount, type FoundProvider, slugOf, type Variables } from './found.ts'
import { missingVariable, resolved, textOf } from './litellm-variables.ts'

export interface Place {
  readonly provider: string
  readonly authType: FoundAccount['authType']
  readonly credentials: FoundAccount['credentials']
}

type Value = Result<string | undefined, string>

const AZURE_HOST = /^([a-z0-9][a-z0-9-]{0,62})\.openai\.azure\.com$/
const AZURE_VERSION = /^\d{4}-\d{2}-\d{2}(?:-preview)?$/
const SLUG_LENGTH_MAX = 36

export class Places {
  /** Hosts that are none of the known ones. */
  readonly providers: FoundProvider[] = []
  readonly #variables: Variables

  constructor(variables: Variables) {
    this.#variables = variables
  }

  /** The error says what is missing. */
  of(provider: ProviderSpec, params: JsonObject): Result<Place, string> {
    const key = this.#value(params, 'api_key')
    const base = this.#value(params, 'api_base')
    if (!key.ok) return key
    if (!base.ok) return base
    if (provider.id === 'bedrock') return this.#bedrock(params, key.value)
    if (provider.id === 'azure')
      return azure(base.value, textOf(params['api_version']), this.#keyOf(provider, key.value))
    if (base.value === undefined || isAt(provider, base.value)) return this.#atHome(provider, key.value)
    return this.#elsewhere(provider, base.value, key.value)
  }

  #atHome(provider: ProviderSpec, key: string | undefined): Result<Place, string> {
    const secret = this.#keyOf(provider, key)
    if (secret !== undefined) return ok({ provider: provider.id, authType: null, credentials: { api_key: secret } })
    if (provider.auth.schemes.includes('none')) return ok({ provider: provider.id, authType: 'none', credentials: {} })
    return err(`has no api_key, and ${provider.envNames[0]} is not in the file`)
  }

  /** Only a key that is written there goes to another host, never the one for the provider itself. */
  #elsewhere(provider: ProviderSpec, address: string, key: string | undefined): Result<Place, string> {
    if (URL.parse(address) === null) return err('its api_base is no address')
    const slug = this.#customAt(provider, address, key !== undefined)
    return ok({ provider: slug, authType: null, credentials: key === undefined ? {} : { api_key: key } })
  }

  #bedrock(params: JsonObject, key: string | undefined): Result<Place, string> {
    const region = this.#eitherOf(params, 'aws_region_name', 'AWS_REGION')
    const id = this.#eitherOf(params, 'aws_access_key_id', 'AWS_ACCESS_KEY_ID')
    const secret = this.#eitherOf(params, 'aws_secret_access_key', 'AWS_SECRET_ACCESS_KEY')
    if (!region.ok) return region
    if (key !== undefined)
      return ok({ provider: 'bedrock', authType: 'bearer', credentials: { region: region.value, api_key: key } })
    if (!id.ok) return id
    if (!secret.ok) return secret
    const credentials = { region: region.value, access_key_id: id.value, secret_access_key: secret.value }
    return ok({ provider: 'bedrock', authType: 'sigv4', credentials })
  }

  #eitherOf(params: JsonObject, name: string, variable: string): Result<string, string> {
    const written = this.#value(params, name)
    if (!written.ok) return written
    const value = written.value ?? this.#variables[variable]
    return value === undefined ? err(`has no ${name}, and ${variable} is not in the file`) : ok(value)
  }

  #keyOf({ envNames }: ProviderSpec, key: string | undefined): string | undefined {
    return key ?? envNames.map((name) => this.#variables[name]).find((value) => value !== undefined)
  }

  /** Undefined where nothing is set, or nothing is what is set; the error says which variable is not known. */
  #value(params: JsonObject, name: string): Value {
    const written = textOf(params[name])
    if (written === undefined || written === '') return ok(undefined)
    const value = resolved(written, this.#variables)
    return value === undefined ? err(missingVariable(written)) : ok(value)
  }

  /** The slug of the custom provider at an address. */
  #customAt(provider: ProviderSpec, address: string, hasKey: boolean): string {
    const isAnthropic = provider.id === 'anthropic'
    const trimmed = address.replace(/\/+$/, '')
    const isRoot = (isAnthropic || provider.id === 'ollama') && !trimmed.endsWith('/v1')
    const place = {
      dialect: isAnthropic ? ('anthropic_messages' as const) : ('openai_chat' as const),
      baseUrl: isRoot ? `${trimmed}/v1` : trimmed,
      authScheme: hasKey ? (isAnthropic ? ('x-api-key' as const) : ('bearer' as const)) : ('none' as const),
    }
    const known = this.providers.find((one) => isSame(one, place))
    if (known !== undefined) return known.slug
    const { host } = new URL(place.baseUrl)
    const slug = this.#freeSlug(slugOf(host, SLUG_LENGTH_MAX))
    this.providers.push({ slug, name: host, ...place })
    return slug
  }

  #freeSlug(name: string): string {
    const alike = this.providers.filter(({ slug }) => slug === name || slug.startsWith(`${name}-`)).length
    return alike === 0 ? name : `${name}-${alike + 1}`
  }
}

type At = Pick<FoundProvider, 'dialect' | 'baseUrl' | 'authScheme'>

function isSame(a: At, b: At): boolean {
  return a.dialect === b.dialect && a.baseUrl === b.baseUrl && a.authScheme === b.authScheme
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
  const credentials = { resource, api_key: key }
  if (version === undefined || !AZURE_VERSION.test(version))
    return ok({ provider: 'azure', authType: null, credentials })
  return ok({ provider: 'azure-deployments', authType: null, credentials: { ...credentials, api_version: version } })
}
