import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Clock } from '../../core/clock.ts'
import { choice } from '../../http/choice.ts'
import { deleted, DeletedSchema, list, listSchema, single, singleSchema } from '../../http/envelope.ts'
import { expectedVersion } from '../../http/if-match.ts'
import { pageQuerySchema, readPage } from '../../http/pagination.ts'
import { granted } from '../../http/refusal.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import { type Budget, ruleOf, SCOPES } from './budget.ts'
import { ForecastQuery, forecastToWire, ForecastWire } from './forecast-schema.ts'
import type { BudgetForecasts } from './forecasts.ts'
import { BUDGET_SORTS, type Counter, COUNTER_SORTS, pageOfBudgets, pageOfCounters } from './list.ts'
import { BudgetWire, PatchBudgetBody, toWire, WholeBudgetBody } from './schema.ts'
import type { BudgetService } from './service.ts'
import { CounterWire, STATES, statusToWire } from './status-schema.ts'

interface Deps {
  readonly budgets: BudgetService
  readonly budgetForecasts: BudgetForecasts
  readonly clock: Pick<Clock, 'nowMs'>
  readonly authenticated: Authenticated
}

const Name = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }))
const ListQuery = pageQuerySchema(BUDGET_SORTS, {
  scope: Type.Optional(choice(SCOPES)),
  scope_id: Name,
  enabled: Type.Optional(choice(['true', 'false'])),
})
const StatusQuery = pageQuerySchema(COUNTER_SORTS, {
  budget_id: Name,
  key_id: Name,
  state: Type.Optional(choice(STATES)),
})
const ById = Type.Object({ id: Type.String() })
const One = singleSchema(BudgetWire)

export function budgetRoutes(deps: Deps) {
  return new Elysia({ normalize: false }).use(editRoutes(deps)).use(forecastRoutes(deps))
}

function forecastRoutes({ budgetForecasts, authenticated }: Deps) {
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get(
      '/v1/budgets/:id/forecast',
      async ({ params, query }) => single(forecastToWire(granted(await budgetForecasts.of(params.id, query.key_id)))),
      { params: ById, query: ForecastQuery, response: singleSchema(ForecastWire) },
    )
}

function editRoutes({ budgets, clock, authenticated }: Deps) {
  const wire = (budget: Budget) => toWire(budgets.shown(budget), clock.nowMs())
  const counter = ({ budget, status }: Counter) => ({
    budget_id: budget.id,
    name: budget.name,
    ...statusToWire(status, ruleOf(budget), clock.nowMs()),
  })
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get(
      '/v1/budgets',
      ({ query }) => {
        const page = granted(readPage(query, BUDGET_SORTS))
        const { items, total } = pageOfBudgets(budgets.all(), page, query)
        return list(items.map(wire), { total, offset: page.offset, limit: page.limit })
      },
      { query: ListQuery, response: listSchema(BudgetWire) },
    )
    .post(
      '/v1/budgets',
      async ({ body, caller, set }) => {
        const budget = granted(await budgets.create(body, caller))
        set.status = 201
        return single(wire(budget), 'created')
      },
      { body: WholeBudgetBody, response: { 201: One } },
    )
    .get(
      '/v1/budgets/status',
      ({ query }) => {
        const page = granted(readPage(query, COUNTER_SORTS))
        const { items, total } = pageOfCounters(budgets.counters(), page, query, clock.nowMs())
        return list(items.map(counter), { total, offset: page.offset, limit: page.limit })
      },
      { query: StatusQuery, response: listSchema(CounterWire) },
    )
    .get('/v1/budgets/:id', ({ params }) => single(wire(granted(budgets.get(params.id)))), {
      params: ById,
      response: One,
    })
    .put(
      '/v1/budgets/:id',
      async ({ params, body, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        return single(wire(granted(await budgets.change(params.id, body, 'put', version, caller))), 'changed')
      },
      { params: ById, body: WholeBudgetBody, response: One },
    )
    .patch(
      '/v1/budgets/:id',
      async ({ params, body, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        return single(wire(granted(await budgets.change(params.id, body, 'patch', version, caller))), 'changed')
      },
      { params: ById, body: PatchBudgetBody, response: One },
    )
    .delete(
      '/v1/budgets/:id',
      async ({ params, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        const { name } = granted(await budgets.remove(params.id, version, caller))
        return deleted(`deleted the budget ${name}`)
      },
      { params: ById, response: DeletedSchema },
    )
}
