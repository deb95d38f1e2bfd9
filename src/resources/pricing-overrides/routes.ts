import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { counted } from '../../core/counted.ts'
import { CLOSED } from '../../http/closed.ts'
import { deleted, DeletedSchema, list, listSchema, single, singleSchema } from '../../http/envelope.ts'
import { pageQuerySchema, readPage } from '../../http/pagination.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { granted, invalid, type Refusal } from '../../http/refusal.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import { OVERRIDE_SORTS, type OverrideFilter, pageOf } from './list.ts'
import { OverrideDraftSchema, PricingOverrideSchema, toWire } from './schema.ts'
import type { PricingOverrideService, Selection } from './service.ts'

interface Deps {
  readonly pricingOverrides: PricingOverrideService
  readonly authenticated: Authenticated
}

const PATH = '/v1/model-pricing-overrides'
const filters = {
  model: Type.Optional(Type.String({ description: 'its pattern, letter by letter' })),
  scope: Type.Optional(Type.String()),
  scope_id: Type.Optional(Type.String()),
}
const ListQuery = pageQuerySchema(OVERRIDE_SORTS, filters)
const DeleteQuery = Type.Object({ id: Type.Optional(Type.String()), ...filters }, CLOSED)

export function pricingOverrideRoutes({ pricingOverrides: overrides, authenticated }: Deps) {
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get(
      PATH,
      ({ query }) => {
        const page = granted(readPage(query, OVERRIDE_SORTS))
        const { items, total } = pageOf(overrides.all(), page, query)
        return list(items.map(toWire), { total, offset: page.offset, limit: page.limit })
      },
      { query: ListQuery, response: listSchema(PricingOverrideSchema) },
    )
    .post(
      PATH,
      async ({ body, caller, set }) => {
        const created = granted(await overrides.create(body, caller))
        set.status = 201
        return single(toWire(created), 'created')
      },
      { body: OverrideDraftSchema, response: { 201: singleSchema(PricingOverrideSchema) } },
    )
    .delete(
      PATH,
      async ({ query, caller }) => {
        const count = granted(await overrides.remove(granted(selectionOf(query)), caller))
        return deleted(`deleted ${counted(count, 'pricing override')}`)
      },
      { query: DeleteQuery, response: DeletedSchema },
    )
}

/** Refusal: `invalid` where nothing is selected, or both ways at once. */
function selectionOf({ id, ...filter }: OverrideFilter & { readonly id?: string }): Result<Selection, Refusal> {
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  if (id !== undefined) return isFiltered ? err(invalid({ id: ['stands alone'] })) : ok({ id })
  return isFiltered ? ok(filter) : err(invalid({ id: ['or model, scope or scope_id is required'] }))
}
