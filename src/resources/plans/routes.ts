import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { choice } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { deleted, DeletedSchema, list, listSchema, single, singleSchema } from '../../http/envelope.ts'
import { expectedVersion } from '../../http/if-match.ts'
import { pageQuerySchema, readPage } from '../../http/pagination.ts'
import { granted } from '../../http/refusal.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import { pageOf, PLAN_SORTS } from './list.ts'
import type { Plan } from './plan.ts'
import { PatchPlanBody, planToWire, PlanWire, WholePlanBody } from './schema.ts'
import type { PlanService } from './service.ts'
import type { RemovedPlan } from './store.ts'

interface Deps {
  readonly plans: PlanService
  /** How many keys are on a plan. */
  readonly keysOn: (planId: string) => number
  readonly authenticated: Authenticated
}

const ListQuery = pageQuerySchema(PLAN_SORTS, { is_default: Type.Optional(choice(['true', 'false'])) })
const DeleteQuery = Type.Object(
  { reassign_to: Type.Optional(Type.String({ description: 'the plan that its keys get' })) },
  CLOSED,
)
const ById = Type.Object({ id: Type.String() })
const One = singleSchema(PlanWire)

export function planRoutes({ plans, keysOn, authenticated }: Deps) {
  const shown = (plan: Plan) => planToWire(plan, keysOn(plan.id))
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get(
      '/v1/plans',
      ({ query }) => {
        const page = granted(readPage(query, PLAN_SORTS))
        const { items, total } = pageOf(plans.all(), page, query)
        return list(items.map(shown), { total, offset: page.offset, limit: page.limit })
      },
      { query: ListQuery, response: listSchema(PlanWire) },
    )
    .post(
      '/v1/plans',
      async ({ body, caller, set }) => {
        const plan = granted(await plans.create(body, caller))
        set.status = 201
        return single(shown(plan), 'created')
      },
      { body: WholePlanBody, response: { 201: One } },
    )
    .get('/v1/plans/:id', ({ params }) => single(shown(granted(plans.get(params.id)))), {
      params: ById,
      response: One,
    })
    .put(
      '/v1/plans/:id',
      async ({ params, body, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        return single(shown(granted(await plans.change(params.id, body, 'put', version, caller))), 'changed')
      },
      { params: ById, body: WholePlanBody, response: One },
    )
    .patch(
      '/v1/plans/:id',
      async ({ params, body, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        return single(shown(granted(await plans.change(params.id, body, 'patch', version, caller))), 'changed')
      },
      { params: ById, body: PatchPlanBody, response: One },
    )
    .delete(
      '/v1/plans/:id',
      async ({ params, query, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        return deleted(sayRemoved(granted(await plans.remove(params.id, query.reassign_to ?? null, version, caller))))
      },
      { params: ById, query: DeleteQuery, response: DeletedSchema },
    )
}

function sayRemoved({ plan, movedTo, keys }: RemovedPlan): string {
  const went = `deleted the plan ${plan.name}`
  if (movedTo === null || keys === 0) return went
  return `${went}; ${keys === 1 ? 'its key is' : `its ${keys} keys are`} on ${movedTo.name} now`
}
