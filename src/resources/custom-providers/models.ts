/** Models that an operator lists, with what is known of them. */
import { type Static, Type } from '@sinclair/typebox'
import type { ModelCapabilities, ModelSpec, StatedPrice } from '../../catalog/provider.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { choice } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import type { FieldErrors } from '../../http/envelope.ts'

const MODELS_MAX = 2_000
const TOKENS_MAX = 100_000_000
const PRICE_MAX = 100_000

const Flag = Type.Optional(Type.Boolean())
const Tokens = Type.Optional(Type.Integer({ minimum: 1, maximum: TOKENS_MAX }))
const Price = Type.Number({ minimum: 0, maximum: PRICE_MAX })

const CapabilitiesField = Type.Object(
  {
    sampling: Flag,
    stop: Flag,
    developer_role: Flag,
    images: Flag,
    audio: Flag,
    prefill: Flag,
    thinking: Type.Optional(choice(['none', 'budget', 'adaptive', 'effort'])),
    efforts: Type.Optional(Type.Array(choice(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']))),
  },
  CLOSED,
)
type CapabilitiesWire = Static<typeof CapabilitiesField>

const PriceField = Type.Object(
  { input: Price, output: Price, cache_read: Type.Optional(Price), cache_write: Type.Optional(Price) },
  { ...CLOSED, description: 'US dollars per million tokens' },
)
type PriceWire = Static<typeof PriceField>

const ModelField = Type.Object(
  {
    id: Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$' }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    context: Tokens,
    max_output: Tokens,
    capabilities: Type.Optional(CapabilitiesField),
    price: Type.Optional(PriceField),
  },
  CLOSED,
)
type ModelWire = Static<typeof ModelField>

export const ModelsField = Type.Array(ModelField, { maxItems: MODELS_MAX })

/** Errors: an id that is there twice. */
export function readModels(wire: readonly ModelWire[]): Result<readonly ModelSpec[], FieldErrors> {
  const seen = new Set<string>()
  const errors: Record<string, readonly string[]> = {}
  for (const [index, { id }] of wire.entries()) {
    if (seen.has(id)) errors[`models.${index}.id`] = ['is there already']
    seen.add(id)
  }
  return Object.keys(errors).length > 0 ? err(errors) : ok(wire.map(readModel))
}

export function modelToWire({ id, name, contextTokens, maxOutputTokens, capabilities, price }: ModelSpec): ModelWire {
  return {
    id,
    ...(name === undefined ? {} : { name }),
    ...(contextTokens === undefined ? {} : { context: contextTokens }),
    ...(maxOutputTokens === undefined ? {} : { max_output: maxOutputTokens }),
    ...(capabilities === undefined ? {} : { capabilities: capabilitiesToWire(capabilities) }),
    ...(price === undefined ? {} : { price: priceToWire(price) }),
  }
}

function readModel({ id, name, context, max_output, capabilities, price }: ModelWire): ModelSpec {
  return {
    id,
    ...(name === undefined ? {} : { name }),
    ...(context === undefined ? {} : { contextTokens: context }),
    ...(max_output === undefined ? {} : { maxOutputTokens: max_output }),
    ...(capabilities === undefined ? {} : { capabilities: readCapabilities(capabilities) }),
    ...(price === undefined ? {} : { price: readPrice(price) }),
  }
}

function readCapabilities(wire: CapabilitiesWire): Partial<ModelCapabilities> {
  const { stop, developer_role, ...same } = wire
  return {
    ...same,
    ...(stop === undefined ? {} : { stopSequences: stop }),
    ...(developer_role === undefined ? {} : { developerRole: developer_role }),
  }
}

function capabilitiesToWire(capabilities: Partial<ModelCapabilities>): CapabilitiesWire {
  const { sampling, stopSequences, developerRole, images, audio, prefill, thinking, efforts } = capabilities
  const said = {
    sampling,
    stop: stopSequences,
    developer_role: developerRole,
    images,
    audio,
    prefill,
    thinking,
    efforts: efforts && [...efforts],
  }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
}

function readPrice({ input, output, cache_read, cache_write }: PriceWire): StatedPrice {
  return {
    input,
    output,
    ...(cache_read === undefined ? {} : { cacheRead: cache_read }),
    ...(cache_write === undefined ? {} : { cacheWrite: cache_write }),
  }
}

function priceToWire({ input, output, cacheRead, cacheWrite }: StatedPrice): PriceWire {
  return {
    input,
    output,
    ...(cacheRead === undefined ? {} : { cache_read: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cache_write: cacheWrite }),
  }
}
