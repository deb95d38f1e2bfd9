/** The wire shapes of chains. A field enters here in the commit that enforces it. */
import { type Static, Type } from '@sinclair/typebox'
import { CAPABILITIES } from '../../catalog/provider.ts'
import { usdFromNano } from '../../core/money.ts'
import { choice, nullable, optional } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { CHAIN_STRATEGIES } from '../../routing/rule.ts'
import type { Chain } from './chain.ts'
import { EnsembleField, ensembleToWire, EnsembleWire } from './ensemble-field.ts'
import { movingOnFields, movingOnToWire, movingOnWire } from './moving-on.ts'
import { StepsField, StepWire, stepToWire } from './steps.ts'

const NameField = Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' })
/** Nano-dollars stay exact integers up to here. */
const BUDGET_USD_MAX = 9_000_000
export const SLUG_PATTERN = '^[a-z0-9][a-z0-9._-]{0,62}$'

/** `null` means the default; a PUT without a field means the same, a PATCH leaves it as it is. */
const writable = {
  slug: optional(Type.String({ pattern: SLUG_PATTERN, description: 'what clients write as `model`; from the name' })),
  description: optional(Type.String({ maxLength: 500 })),
  kind: optional(choice(CAPABILITIES)),
  enabled: optional(Type.Boolean()),
  strategy: optional(choice(CHAIN_STRATEGIES)),
  ensemble: optional(EnsembleField),
  ...movingOnFields,
  rewrite_model: optional(Type.Boolean()),
  budget_usd: optional(
    Type.Number({
      minimum: 0,
      maximum: BUDGET_USD_MAX,
      description: 'what one request may cost over all its attempts',
    }),
  ),
}

export const WholeChainBody = Type.Object({ name: NameField, ...writable, steps: StepsField }, CLOSED)
export const PatchChainBody = Type.Object(
  { name: Type.Optional(NameField), ...writable, steps: Type.Optional(StepsField) },
  CLOSED,
)
export type ChainDraft = Static<typeof PatchChainBody>

export const ChainWire = Type.Object(
  {
    id: Type.String(),
    created_at: Type.String(),
    updated_at: Type.String(),
    version: Type.Integer(),
    name: Type.String(),
    slug: Type.String(),
    description: Type.String(),
    kind: choice(CAPABILITIES),
    enabled: Type.Boolean(),
    strategy: choice(CHAIN_STRATEGIES),
    steps: Type.Array(StepWire),
    ensemble: nullable(EnsembleWire),
    ...movingOnWire,
    rewrite_model: Type.Boolean(),
    budget_usd: nullable(Type.Number()),
  },
  CLOSED,
)

export function toWire(chain: Chain): Static<typeof ChainWire> {
  return {
    id: chain.id,
    created_at: new Date(chain.createdAtMs).toISOString(),
    updated_at: new Date(chain.updatedAtMs).toISOString(),
    version: chain.version,
    name: chain.name,
    slug: chain.slug,
    description: chain.description,
    kind: chain.serves,
    enabled: chain.enabled,
    strategy: chain.strategy,
    steps: chain.steps.map(stepToWire),
    ensemble: chain.ensemble === null ? null : ensembleToWire(chain.ensemble),
    ...movingOnToWire(chain),
    rewrite_model: chain.rewriteModel,
    budget_usd: chain.budgetNano === null ? null : usdFromNano(chain.budgetNano),
  }
}
