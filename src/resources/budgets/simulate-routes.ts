import { Elysia } from 'elysia'
import { single, singleSchema } from '../../http/envelope.ts'
import { granted } from '../../http/refusal.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import { SimulateBody, simulationToWire, SimulationWire } from './simulate-schema.ts'
import type { SpendSimulator } from './simulator.ts'

interface Deps {
  readonly spendSimulator: SpendSimulator
  readonly authenticated: Authenticated
  /** Lets a call be answered late: the log may be long. */
  readonly takesLong: (request: Request) => void
}

export function simulateRoutes({ spendSimulator, authenticated, takesLong }: Deps) {
  return new Elysia({ normalize: false }).use(authenticated).post(
    '/v1/plans/simulate',
    async ({ body, request }) => {
      takesLong(request)
      return single(simulationToWire(granted(await spendSimulator.simulate(body))))
    },
    { body: SimulateBody, response: singleSchema(SimulationWire) },
  )
}
