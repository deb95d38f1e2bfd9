/** The deployments of a LiteLLM configuration: which provider, which credentials, which model. */
import { builtinProviders } from '../../catalog/providers/index.ts'
import { asNumber, asObject, asString, type JsonObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { FoundAccount, FoundProvider, LeftOut, Variables } from './found.ts'
import { type Place, Places } from './litellm-places.ts'

/** One entry of `model_list`, taken over. */
export interface Deployment {
  readonly group: string
  /** As this program writes it. */
  readonly model: string
  /** `ref` of its account. */
  readonly account: string
  readonly weight: number
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
/** Configurations name a file that holds its credentials, or leave them to the machine. */
const VERTEX: ReadonlySet<string> = new Set(['vertex_ai', 'vertex_ai_beta'])
const CHAT_MODES: ReadonlySet<string> = new Set(['chat', 'completion', 'responses'])
const WEIGHT_MAX = 1_000
/** Per-deployment settings that say something for which this program has another place. */
const LIMITS = ['rpm', 'tpm', 'max_parallel_requests', 'timeout', 'stream_timeout', 'max_budget'] as const
const PRICES = ['input_cost_per_token', 'output_cost_per_token', 'input_cost_per_second'] as const

export class Deployments {
  readonly all: Deployment[] = []
  readonly accounts: FoundAccount[] = []
  readonly #leftOut: LeftOut[] = []
  readonly #places: Places
  /** Parameters that several may name. */
  readonly #shared: ReadonlyMap<string, JsonObject>
  readonly #unread = { limits: 0, prices: 0 }

  constructor(variables: Variables, shared: ReadonlyMap<string, JsonObject>) {
    this.#places = new Places(variables)
    this.#shared = shared
  }

  get providers(): readonly FoundProvider[] {
    return this.#places.providers
  }

  get leftOut(): readonly LeftOut[] {
    const { limits, prices } = this.#unread
    return [
      ...this.#leftOut,
      ...unreadOf('limits and timeouts', limits, 'set them on accounts, keys or chains'),
      ...unreadOf('prices', prices, 'set them under Prices'),
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
    const { provider } = place
    if (!model.includes('*')) this.all.push({ group, model: `${provider}/${model}`, account, weight: weightOf(params) })
    else if (group !== `${provider}/*`)
      this.#leftOut.push({
        what: group,
        why: `its models are asked for as ${provider}/<model>; the account comes along`,
      })
  }

  #read(written: string, params: JsonObject): Result<{ place: Place; model: string }, string> {
    const [prefix, model] = partsOf(written, asString(params['custom_llm_provider']))
    const slug = prefix === undefined ? undefined : PROVIDERS[prefix]
    const provider = builtinProviders.find(({ id }) => id === slug)
    if (provider === undefined) return err(strange(prefix))
    const whole = this.#withShared(params)
    if (!whole.ok) return whole
    const place = this.#places.of(provider, whole.value)
    return place.ok ? ok({ place: place.value, model }) : place
  }

  /** Its own parameters come first. */
  #withShared(params: JsonObject): Result<JsonObject, string> {
    const name = asString(params['litellm_credential_name'])
    if (name === undefined) return ok(params)
    const shared = this.#shared.get(name)
    return shared === undefined
      ? err(`the credentials ${name} that it names are not in the file`)
      : ok({ ...shared, ...params })
  }

  #accountOf(place: Place): string {
    const ref = JSON.stringify([place.provider, place.authType, place.credentials])
    if (!this.accounts.some((account) => account.ref === ref)) {
      this.accounts.push({ ref, ...place, name: null, enabled: true, priority: 0 })
    }
    return ref
  }
}

/** Why nothing can be made of a provider. */
function strange(prefix: string | undefined): string {
  if (prefix === undefined) return 'names no provider'
  if (VERTEX.has(prefix)) return 'signs in with a service account; add an account of Vertex AI with it'
  return `no provider here is ${prefix}`
}

/** What stands before the first slash names the provider, unless that is said apart. */
function partsOf(written: string, said: string | undefined): readonly [string | undefined, string] {
  const slash = written.indexOf('/')
  const prefix = slash < 0 ? undefined : written.slice(0, slash)
  if (said !== undefined) return [said, prefix === said ? written.slice(slash + 1) : written]
  if (prefix !== undefined) return [prefix, written.slice(slash + 1)]
  return [BARE.find(([pattern]) => pattern.test(written))?.[1], written]
}

function weightOf(params: JsonObject): number {
  return Math.min(WEIGHT_MAX, Math.max(0, Math.round(asNumber(params['weight']) ?? 1)))
}

function unreadOf(what: string, deployments: number, why: string): readonly LeftOut[] {
  const of = deployments === 1 ? 'one deployment' : `${deployments} deployments`
  return deployments === 0 ? [] : [{ what: `${what} of ${of}`, why }]
}
