import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { counted } from '../../core/counted.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { CLOSED } from '../../http/closed.ts'
import { deleted, DeletedSchema, list, listSchema, NoFieldsSchema, single, singleSchema } from '../../http/envelope.ts'
import { expectedVersion } from '../../http/if-match.ts'
import { pageQuerySchema, readPage } from '../../http/pagination.ts'
import { granted, invalid, refusal, type Refusal } from '../../http/refusal.ts'
import { pathOf } from '../../http/strict.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import { CAPABILITY_SORTS, type KnownModels, pageOf } from './list.ts'
import type { ModelPlace } from './override.ts'
import { CapabilitiesSchema, draftFromWire, SheetDraftSchema, toWire, WriteSchema } from './schema.ts'
import type { CapabilityOverrideService, WriteMode } from './service.ts'
import type { SheetDraft } from './sheet.ts'
import type { Caller } from '../auth/actor.ts'

interface Deps {
  readonly capabilityOverrides: CapabilityOverrideService
  readonly knownModels: () => readonly KnownModels[]
  readonly authenticated: Authenticated
}

const PATH = '/v1/capability-overrides'
const ListQuery = pageQuerySchema(CAPABILITY_SORTS, {
  provider: Type.Optional(Type.String()),
  models: Type.Optional(Type.Literal('all', { description: 'models without an override, too' })),
})
const ResetQuery = Type.Object({ provider: Type.String({ minLength: 1 }) }, CLOSED)
const One = singleSchema(CapabilitiesSchema)
const Several = singleSchema(Type.Array(CapabilitiesSchema))

export function capabilityOverrideRoutes({ capabilityOverrides: overrides, knownModels, authenticated }: Deps) {
  const writeOne = async (request: Request, sheet: SheetDraft, mode: WriteMode, caller: Caller) => {
    const version = granted(expectedVersion(request.headers))
    const drafts = [{ ...granted(placeOf(request)), sheet }]
    const written = granted(await overrides.write(drafts, { mode, version, prefixOf: () => '' }, caller))
    return single(written.map(toWire)[0] ?? granted(missing()), 'saved')
  }
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get(
      PATH,
      ({ query }) => {
        const page = granted(readPage({ ...query, order: query.order ?? 'asc' }, CAPABILITY_SORTS))
        const { items, total } = pageOf(overrides.all(), knownModels, page, query)
        const shown = items.map((place) => toWire(granted(overrides.show(place))))
        return list(shown, { total, offset: page.offset, limit: page.limit })
      },
      { query: ListQuery, response: listSchema(CapabilitiesSchema) },
    )
    .put(
      PATH,
      async ({ body, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        const drafts = (Array.isArray(body) ? body : [body]).map(draftFromWire)
        const prefixOf = (index: number) => (Array.isArray(body) ? `${index}.` : '')
        const written = granted(await overrides.write(drafts, { mode: 'put', version, prefixOf }, caller))
        return single(written.map(toWire), savedText(written.length))
      },
      { body: WriteSchema, response: Several },
    )
    .delete(
      PATH,
      async ({ query, caller }) => deleted(resetText(await overrides.reset({ provider: query.provider }, caller))),
      { query: ResetQuery, response: DeletedSchema },
    )
    .post(`${PATH}/reset`, async ({ caller }) => deleted(resetText(await overrides.reset('all', caller))), {
      body: NoFieldsSchema,
      response: DeletedSchema,
    })
    .get(`${PATH}/*`, ({ request }) => single(toWire(granted(overrides.show(granted(placeOf(request)))))), {
      response: One,
    })
    .put(`${PATH}/*`, ({ body, caller, request }) => writeOne(request, body, 'put', caller), {
      body: SheetDraftSchema,
      response: One,
    })
    .patch(`${PATH}/*`, ({ body, caller, request }) => writeOne(request, body, 'patch', caller), {
      body: SheetDraftSchema,
      response: One,
    })
    .delete(
      `${PATH}/*`,
      async ({ caller, request }) => deleted(resetText(await overrides.reset(granted(placeOf(request)), caller))),
      { response: DeletedSchema },
    )
}

const MODEL = /^[\x21-\x7e]{1,200}$/

/**
 * Provider and model from the path as it was sent: the model's name may hold slashes, plain or encoded. Refusals: `missing`,
 * `invalid`.
 */
function placeOf(request: Request): Result<ModelPlace, Refusal> {
  try {
    const place = decodeURIComponent(pathOf(request.url).slice(PATH.length + 1))
    const slash = place.indexOf('/')
    const [provider, model] = [place.slice(0, slash), place.slice(slash + 1)]
    if (slash === -1 || model === '') return missing()
    return MODEL.test(model) ? ok({ provider, model }) : err(invalid(BAD_MODEL))
  } catch {
    return missing() // a percent sign that encodes nothing names no model
  }
}

const BAD_MODEL = { model: ['must have 1 to 200 visible ASCII characters'] }

function missing(): Result<never, Refusal> {
  return err(refusal('missing', 'there is no such model'))
}

function savedText(count: number): string {
  return `saved ${counted(count, 'override')}`
}

function resetText(count: number): string {
  return `reset ${counted(count, 'override')}`
}
