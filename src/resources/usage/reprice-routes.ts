import { Elysia } from 'elysia'
import { single, singleSchema } from '../../http/envelope.ts'
import { granted } from '../../http/refusal.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import { RepricedSchema, RepriceSchema, repricedToWire } from './reprice-schema.ts'
import type { UsageReprice } from './reprice.ts'

interface Deps {
  readonly reprice: Pick<UsageReprice, 'reprice'>
  readonly authenticated: Authenticated
  /** A million requests take a while. */
  readonly takesLong: (request: Request) => void
}

export function repriceRoutes({ reprice, authenticated, takesLong }: Deps) {
  return new Elysia({ normalize: false }).use(authenticated).post(
    '/v1/usage/reprice',
    async ({ body, caller, request }) => {
      takesLong(request)
      const repriced = granted(await reprice.reprice(body, caller))
      return single(repricedToWire(repriced), body.dry_run ? 'nothing was changed' : 'priced anew')
    },
    { body: RepriceSchema, response: singleSchema(RepricedSchema) },
  )
}
