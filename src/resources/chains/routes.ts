import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Clock } from '../../core/clock.ts'
import { CAPABILITIES } from '../../catalog/provider.ts'
import type { Reader } from '../../db/reader.ts'
import { choice } from '../../http/choice.ts'
import { deleted, DeletedSchema, list, listSchema, single, singleSchema } from '../../http/envelope.ts'
import { expectedVersion } from '../../http/if-match.ts'
import { pageQuerySchema, readPage } from '../../http/pagination.ts'
import { granted } from '../../http/refusal.ts'
import { CHAIN_STRATEGIES } from '../../routing/rule.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import { RANGE_DEFAULT, rangeOf } from '../usage/range.ts'
import type { Chain } from './chain.ts'
import { CHAIN_SORTS, pageOf } from './list.ts'
import { ChainWire, PatchChainBody, toWire, WholeChainBody } from './schema.ts'
import type { ChainQuery } from './queries.ts'
import type { ChainService } from './service.ts'
import {
  pastTrialToWire,
  requestTrialToWire,
  SimulateBody,
  type SimulateDraft,
  SimulateSavedBody,
  SimulationWire,
} from './simulate-schema.ts'
import type { ChainSimulator } from './simulator.ts'
import { usageOfSteps } from './usage.ts'
import { StepUsageWire, stepUsageToWire, UsageQuery } from './usage-schema.ts'

interface Deps {
  readonly chains: ChainService
  readonly chainReader: Reader<ChainQuery>
  readonly chainSimulator: ChainSimulator
  readonly clock: Clock
  readonly authenticated: Authenticated
}

const ListQuery = pageQuerySchema(CHAIN_SORTS, {
  kind: Type.Optional(choice(CAPABILITIES)),
  strategy: Type.Optional(choice(CHAIN_STRATEGIES)),
  enabled: Type.Optional(choice(['true', 'false'])),
})
const ById = Type.Object({ id: Type.String() })
const One = singleSchema(ChainWire)

export function chainRoutes(deps: Deps) {
  return new Elysia({ normalize: false }).use(editRoutes(deps)).use(usageRoutes(deps)).use(simulationRoutes(deps))
}

function usageRoutes({ chains, chainReader, clock, authenticated }: Deps) {
  return new Elysia({ normalize: false }).use(authenticated).get(
    '/v1/chains/:id/usage',
    async ({ params, query: { range = RANGE_DEFAULT } }) => {
      const chain = granted(chains.get(params.id))
      const { fromMs, toMs } = rangeOf(range, clock.nowMs())
      const steps = granted(await usageOfSteps(chainReader, chain, { fromMs, toMs }))
      const times = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
      return single(steps.map(stepUsageToWire), 'ok', { range, ...times })
    },
    { params: ById, query: UsageQuery, response: singleSchema(Type.Array(StepUsageWire)) },
  )
}

function simulationRoutes({ chainSimulator, authenticated }: Deps) {
  const simulated = async (id: string | null, draft: SimulateDraft) => {
    const simulation = granted(await chainSimulator.simulate(id, draft))
    const { warnings } = simulation
    const found = simulation.kind === 'range' ? pastTrialToWire(simulation.past) : requestTrialToWire(simulation.steps)
    return single(found, 'ok', { warnings })
  }
  return new Elysia({ normalize: false })
    .use(authenticated)
    .post('/v1/chains/simulate', ({ body }) => simulated(null, body), {
      body: SimulateBody,
      response: singleSchema(SimulationWire),
    })
    .post('/v1/chains/:id/simulate', ({ params, body }) => simulated(params.id, body), {
      params: ById,
      body: SimulateSavedBody,
      response: singleSchema(SimulationWire),
    })
}

function editRoutes({ chains, authenticated }: Deps) {
  const shown = (chain: Chain, message?: string) => single(toWire(chain), message, { warnings: chains.warnings(chain) })
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get(
      '/v1/chains',
      ({ query }) => {
        const page = granted(readPage(query, CHAIN_SORTS))
        const { items, total } = pageOf(chains.all(), page, query)
        return list(items.map(toWire), { total, offset: page.offset, limit: page.limit })
      },
      { query: ListQuery, response: listSchema(ChainWire) },
    )
    .post(
      '/v1/chains',
      async ({ body, caller, set }) => {
        const chain = granted(await chains.create(body, caller))
        set.status = 201
        return shown(chain, 'created')
      },
      { body: WholeChainBody, response: { 201: One } },
    )
    .get('/v1/chains/:id', ({ params }) => shown(granted(chains.get(params.id))), { params: ById, response: One })
    .put(
      '/v1/chains/:id',
      async ({ params, body, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        return shown(granted(await chains.change(params.id, body, 'put', version, caller)), 'changed')
      },
      { params: ById, body: WholeChainBody, response: One },
    )
    .patch(
      '/v1/chains/:id',
      async ({ params, body, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        return shown(granted(await chains.change(params.id, body, 'patch', version, caller)), 'changed')
      },
      { params: ById, body: PatchChainBody, response: One },
    )
    .delete(
      '/v1/chains/:id',
      async ({ params, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        return deleted(`deleted the chain ${granted(await chains.remove(params.id, version, caller)).name}`)
      },
      { params: ById, response: DeletedSchema },
    )
}
