/** The wire shapes of capability overrides. */
import { type Static, Type } from '@sinclair/typebox'
import { FACT_SOURCES } from '../../catalog/models.ts'
import { choice, nullable } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { overrideId } from './override.ts'
import type { OverrideDraft, ShownCapabilities } from './service.ts'
import { sheetDraftFields, SheetSchema } from './sheet.ts'

export const CapabilitiesSchema = Type.Object(
  {
    id: Type.String({ description: '<provider>/<model>' }),
    provider: Type.String(),
    model: Type.String(),
    catalog: SheetSchema,
    override: nullable(SheetSchema),
    effective: SheetSchema,
    source_per_field: Type.Record(Type.String(), choice(FACT_SOURCES), {
      description: 'by dotted path; fields of which nothing is known are left out',
    }),
    created_at: nullable(Type.String({ description: 'RFC 3339, UTC; null without an override' })),
    updated_at: nullable(Type.String({ description: 'RFC 3339, UTC; null without an override' })),
    version: Type.Integer({ description: '0 without an override' }),
  },
  CLOSED,
)
export type CapabilitiesWire = Static<typeof CapabilitiesSchema>

/** What is said of the model whose name is in the path. */
export const SheetDraftSchema = Type.Object(sheetDraftFields, CLOSED)

export const OVERRIDES_AT_ONCE_MAX = 500

const PlacedDraft = Type.Object(
  {
    provider: Type.String({ minLength: 1, maxLength: 60 }),
    model: Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$' }),
    ...sheetDraftFields,
  },
  CLOSED,
)
type PlacedDraftWire = Static<typeof PlacedDraft>

export const WriteSchema = Type.Union([
  PlacedDraft,
  Type.Array(PlacedDraft, { minItems: 1, maxItems: OVERRIDES_AT_ONCE_MAX }),
])

export function draftFromWire({ provider, model, ...sheet }: PlacedDraftWire): OverrideDraft {
  return { provider, model, sheet }
}

export function toWire({
  provider,
  model,
  catalog,
  override,
  effective,
  sources,
}: ShownCapabilities): CapabilitiesWire {
  return {
    id: overrideId({ provider, model }),
    provider,
    model,
    catalog,
    override: override?.sheet ?? null,
    effective,
    source_per_field: { ...sources },
    created_at: override === undefined ? null : new Date(override.createdAtMs).toISOString(),
    updated_at: override === undefined ? null : new Date(override.updatedAtMs).toISOString(),
    version: override?.version ?? 0,
  }
}
