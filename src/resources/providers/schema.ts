/** The wire shapes of providers and their models. None of this is written through here. */
import { type Static, Type } from '@sinclair/typebox'
import type { Price, Rates } from '../../catalog/price.ts'
import type { ModelCapabilities, ProviderEndpoint, ProviderSpec } from '../../catalog/provider.ts'
import { usdPerMtok } from '../../core/money.ts'
import { choice, nullable } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import type { Health } from '../../routing/health.ts'
import { dataPolicyToWire, DataPolicyWire } from './data-policy.ts'
import type { ProviderConformance, ShownModel, ShownProvider } from './service.ts'
import type { SyncOutcome } from './sync.ts'

const Count = Type.Integer({ minimum: 0 })

export const ProviderSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    docs_url: nullable(Type.String()),
    signup_url: nullable(Type.String()),
    env_names: Type.Array(Type.String()),
    origin: Type.String({ description: 'builtin or custom' }),
    kind: Type.String({ description: 'open_api, local or demo' }),
    terms_class: Type.String({ description: 'open_api or local' }),
    dialects: Type.Array(
      Type.Object(
        { dialect: Type.String(), base_url: Type.String(), path_overrides: Type.Record(Type.String(), Type.String()) },
        { ...CLOSED, description: 'preferred first' },
      ),
    ),
    auth: Type.Object(
      {
        schemes: Type.Array(Type.String()),
        fields: Type.Array(
          Type.Object(
            {
              name: Type.String(),
              label: Type.String(),
              secret: Type.Boolean(),
              required: Type.Boolean(),
              pattern: nullable(Type.String()),
              placeholder: nullable(Type.String()),
              schemes: nullable(Type.Array(Type.String(), { description: 'those that need it; null: all of them' })),
              multiline: Type.Boolean(),
            },
            CLOSED,
          ),
        ),
        region_field: nullable(
          Type.String({ description: 'the field that says the region of an account; null: `region`' }),
        ),
      },
      CLOSED,
    ),
    capabilities: Type.Array(Type.String()),
    regions: Type.Array(Type.String(), { description: 'empty: the vendor does not say, or each account does' }),
    data_policy: DataPolicyWire,
    connected: Type.Boolean(),
    accounts: Type.Object({ total: Count, active: Count, cooldown: Count, disabled: Count, error: Count }, CLOSED),
    health: Type.Object(
      {
        status: choice(['ok', 'degraded', 'down', 'unknown']),
        error_rate_5m: nullable(Type.Number({ description: 'of the calls of the last five minutes, 0 to 1' })),
        p50_first_token_ms: nullable(Count),
        circuit: choice(['closed', 'open', 'half_open']),
        last_ok_at: nullable(Type.String({ description: 'RFC 3339, UTC; since the process began' })),
      },
      CLOSED,
    ),
    models_count: Count,
    models_synced_at: nullable(Type.String({ description: 'RFC 3339, UTC' })),
    supports_list: Type.Boolean(),
    conformance: nullable(
      Type.Object(
        {
          score: Type.Integer({ minimum: 0, maximum: 100 }),
          checked_at: Type.String({ description: 'RFC 3339, UTC' }),
          failed: Type.Array(Type.Object({ dialect: Type.String(), check: Type.String(), why: Type.String() }, CLOSED)),
        },
        {
          ...CLOSED,
          description: 'whether the provider does what its formats promise; null when it was never checked',
        },
      ),
    ),
  },
  CLOSED,
)
export type ProviderWire = Static<typeof ProviderSchema>

const rates = {
  input: Type.Number(),
  output: Type.Number(),
  cache_read: Type.Number(),
  cache_write_5m: Type.Number(),
  cache_write_1h: Type.Number(),
  audio_in: Type.Number(),
  audio_out: Type.Number(),
  image_in: Type.Number(),
}

const PriceSchema = Type.Object(
  { ...rates, tiers: Type.Array(Type.Object({ above_input_tokens: Count, ...rates }, CLOSED)) },
  { ...CLOSED, description: 'US dollars per million tokens' },
)

const CapabilitiesSchema = Type.Object(
  {
    sampling: Type.Boolean(),
    stop: Type.Boolean(),
    developer_role: Type.Boolean(),
    images: Type.Boolean(),
    audio: Type.Boolean(),
    prefill: Type.Boolean(),
    thinking: Type.String({ description: 'none, budget, adaptive or effort' }),
    efforts: Type.Array(Type.String()),
  },
  CLOSED,
)

export const ModelSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    context: nullable(Count),
    max_output: nullable(Count),
    capabilities: CapabilitiesSchema,
    price: nullable(PriceSchema),
    source: Type.String({ description: 'catalog, synced or static' }),
    enabled: Type.Boolean({ description: 'some account may serve it' }),
  },
  CLOSED,
)
export type ModelWire = Static<typeof ModelSchema>

export const SyncSchema = Type.Object(
  { added: Count, removed: Count, total: Count, synced_at: Type.String({ description: 'RFC 3339, UTC' }) },
  CLOSED,
)

export function syncToWire({ added, removed, total, syncedAtMs }: SyncOutcome): Static<typeof SyncSchema> {
  return { added, removed, total, synced_at: new Date(syncedAtMs).toISOString() }
}

export function providerToWire(shown: ShownProvider): ProviderWire {
  const { provider, connected, accounts, health, modelsCount, modelsSyncedAtMs, conformance } = shown
  return {
    id: provider.id,
    name: provider.name,
    docs_url: provider.docsUrl ?? null,
    signup_url: provider.signupUrl ?? null,
    env_names: [...provider.envNames],
    origin: provider.origin,
    kind: underscored(provider.kind),
    terms_class: provider.kind === 'open-api' ? 'open_api' : 'local',
    dialects: provider.endpoints.map(endpointToWire),
    auth: authToWire(provider),
    capabilities: [...provider.capabilities],
    regions: [...(provider.regions ?? [])],
    data_policy: dataPolicyToWire(provider.dataPolicy),
    connected,
    accounts: { ...accounts },
    health: healthToWire(health),
    models_count: modelsCount,
    models_synced_at: modelsSyncedAtMs === null ? null : new Date(modelsSyncedAtMs).toISOString(),
    supports_list: provider.listsModels,
    conformance: conformance && conformanceToWire(conformance),
  }
}

function conformanceToWire({ score, checkedAtMs, failed }: ProviderConformance): ProviderWire['conformance'] {
  const shown = failed.map(({ dialect, check, why }) => ({ dialect: underscored(dialect), check, why }))
  return { score, checked_at: new Date(checkedAtMs).toISOString(), failed: shown }
}

function healthToWire({ status, errorRate, p50FirstTokenMs, circuit, lastOkAtMs }: Health): ProviderWire['health'] {
  return {
    status,
    error_rate_5m: errorRate === null ? null : Math.round(errorRate * 1_000) / 1_000,
    p50_first_token_ms: p50FirstTokenMs === null ? null : Math.round(p50FirstTokenMs),
    circuit,
    last_ok_at: lastOkAtMs === null ? null : new Date(lastOkAtMs).toISOString(),
  }
}

function endpointToWire({ dialect, baseUrl, paths }: ProviderEndpoint): ProviderWire['dialects'][number] {
  return { dialect: underscored(dialect), base_url: baseUrl, path_overrides: { ...paths } }
}

function authToWire({ auth }: ProviderSpec): ProviderWire['auth'] {
  const fields = auth.fields.map((field) => ({
    name: field.name,
    label: field.label,
    secret: field.secret,
    required: field.required,
    pattern: field.pattern ?? null,
    placeholder: field.placeholder ?? null,
    schemes: field.schemes === undefined ? null : [...field.schemes],
    multiline: field.format !== undefined,
  }))
  return { schemes: [...auth.schemes], fields, region_field: auth.regionField ?? null }
}

export function modelToWire({ model, price, enabled }: ShownModel, isFree: boolean): ModelWire {
  const { id, name, capabilities, source } = model
  return {
    id,
    name,
    context: capabilities.contextTokens ?? null,
    max_output: capabilities.maxOutputTokens ?? null,
    capabilities: capabilitiesToWire(capabilities),
    price: isFree ? FREE : price === undefined ? null : priceToWire(price),
    source,
    enabled,
  }
}

function capabilitiesToWire(capabilities: ModelCapabilities): ModelWire['capabilities'] {
  const { sampling, stopSequences, developerRole, images, audio, prefill, thinking, efforts } = capabilities
  const flags = { sampling, stop: stopSequences, developer_role: developerRole, images, audio, prefill }
  return { ...flags, thinking, efforts: [...efforts] }
}

function priceToWire(price: Price): NonNullable<ModelWire['price']> {
  const tiers = price.tiers.map((tier) => ({ above_input_tokens: tier.aboveInputTokens, ...ratesToWire(tier) }))
  return { ...ratesToWire(price), tiers }
}

function ratesToWire(rates: Rates) {
  return {
    input: usdPerMtok(rates.input),
    output: usdPerMtok(rates.output),
    cache_read: usdPerMtok(rates.cacheRead),
    cache_write_5m: usdPerMtok(rates.cacheWrite5m),
    cache_write_1h: usdPerMtok(rates.cacheWrite1h),
    audio_in: usdPerMtok(rates.audioIn),
    audio_out: usdPerMtok(rates.audioOut),
    image_in: usdPerMtok(rates.imageIn),
  }
}

const NOTHING: Rates = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  audioIn: 0,
  audioOut: 0,
  imageIn: 0,
  reasoning: null,
}
const FREE = { ...ratesToWire(NOTHING), tiers: [] }

function underscored(word: string): string {
  return word.replaceAll('-', '_')
}
