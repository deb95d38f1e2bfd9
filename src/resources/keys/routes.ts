import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { assert } from '../../core/assert.ts'
import type { Clock } from '../../core/clock.ts'
import { deleted, DeletedSchema, list, listSchema, NoFieldsSchema, single, singleSchema } from '../../http/envelope.ts'
import { expectedVersion } from '../../http/if-match.ts'
import { pageQuerySchema, readPage } from '../../http/pagination.ts'
import { granted } from '../../http/refusal.ts'
import { actedBy } from '../auth/acted-by.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import type { OwnBudget } from '../plans/own-budget.ts'
import type { PlanService } from '../plans/service.ts'
import type { StoredKey } from './key.ts'
import {
  CreateKeyBody,
  keyToWire,
  type KeyUsage,
  KeyWire,
  KeyWithSecretWire,
  PatchKeyBody,
  PutKeyBody,
  RevealedKeyWire,
  RotateKeyBody,
} from './schema.ts'
import type { KeyService } from './service.ts'
import { KEY_SORTS } from './store.ts'

interface Deps {
  readonly plans: Pick<PlanService, 'get'>
  readonly authenticated: Authenticated
  readonly keys: KeyService
  readonly clock: Clock
  /** Is a budget spent that the key falls under? */
  readonly isOverBudget: (key: StoredKey) => boolean
  /** How what keys or their plans may cost stands, by id; a key without an amount is left out. */
  readonly budgetsOfKeys: (keyIds: readonly string[]) => ReadonlyMap<string, OwnBudget>
  /** What keys have been used for, by id; a key without requests may be left out. */
  readonly usageOf?: (keyIds: readonly string[]) => Promise<ReadonlyMap<string, KeyUsage>>
}

const UNUSED: KeyUsage = { requests: 0, costUsd: 0 }
const ListQuery = pageQuerySchema(KEY_SORTS, { plan_id: Type.Optional(Type.String()) })
const ListOfPlanQuery = pageQuerySchema(KEY_SORTS, {})
const ById = Type.Object({ id: Type.String() })

export function keyRoutes({ authenticated, keys, plans, clock, isOverBudget, budgetsOfKeys, usageOf }: Deps) {
  const shown = async (items: readonly StoredKey[]) => {
    const ids = items.map(({ id }) => id)
    const [usage, budgets] = [await usageOf?.(ids), budgetsOfKeys(ids)]
    return items.map((key) => {
      const spending = { isOver: isOverBudget(key), budget: budgets.get(key.id) ?? null }
      return keyToWire(key, usage?.get(key.id) ?? UNUSED, spending, clock.nowMs())
    })
  }
  const shownOne = async (key: StoredKey) => {
    const [wire] = await shown([key])
    assert(wire !== undefined, 'one key is shown as one')
    return wire
  }

  const shownPage = async (query: Static<typeof ListOfPlanQuery>, planId: string | undefined) => {
    const page = granted(readPage(query, KEY_SORTS))
    const { items, total } = await keys.page(page, { planId })
    return list(await shown(items), { total, offset: page.offset, limit: page.limit })
  }

  return new Elysia({ normalize: false })
    .use(authenticated)
    .get('/v1/keys', ({ query }) => shownPage(query, query.plan_id), {
      query: ListQuery,
      response: listSchema(KeyWire),
    })
    .get('/v1/plans/:id/keys', ({ params, query }) => shownPage(query, granted(plans.get(params.id)).id), {
      params: ById,
      query: ListOfPlanQuery,
      response: listSchema(KeyWire),
    })
    .post(
      '/v1/keys',
      async ({ body, caller, set }) => {
        const { key, secret } = granted(await keys.create(body, actedBy(caller)))
        set.status = 201
        return single({ ...(await shownOne(key)), secret }, 'created; the secret is shown this once')
      },
      { body: CreateKeyBody, response: { 201: singleSchema(KeyWithSecretWire) } },
    )
    .get('/v1/keys/:id', async ({ params }) => single(await shownOne(granted(await keys.get(params.id)))), {
      params: ById,
      response: singleSchema(KeyWire),
    })
    .put(
      '/v1/keys/:id',
      async ({ params, body, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        return single(await shownOne(granted(await keys.replace(params.id, body, version, actedBy(caller)))), 'changed')
      },
      { params: ById, body: PutKeyBody, response: singleSchema(KeyWire) },
    )
    .patch(
      '/v1/keys/:id',
      async ({ params, body, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        return single(await shownOne(granted(await keys.patch(params.id, body, version, actedBy(caller)))), 'changed')
      },
      { params: ById, body: PatchKeyBody, response: singleSchema(KeyWire) },
    )
    .delete(
      '/v1/keys/:id',
      async ({ params, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        const { name } = granted(await keys.remove(params.id, version, actedBy(caller)))
        return deleted(`deleted the key ${name}`)
      },
      { params: ById, response: DeletedSchema },
    )
    .post(
      '/v1/keys/:id/reveal',
      async ({ params, caller }) => {
        const secret = granted(await keys.reveal(params.id, actedBy(caller)))
        return single({ id: params.id, secret })
      },
      { params: ById, body: NoFieldsSchema, response: singleSchema(RevealedKeyWire) },
    )
    .post(
      '/v1/keys/:id/rotate',
      async ({ params, body, caller }) => {
        const { key, secret } = granted(await keys.rotate(params.id, body.grace_hours ?? null, actedBy(caller)))
        return single({ ...(await shownOne(key)), secret }, 'rotated; the secret is shown this once')
      },
      { params: ById, body: RotateKeyBody, response: singleSchema(KeyWithSecretWire) },
    )
}
