import { Elysia } from 'elysia'
import { single, singleSchema } from '../../http/envelope.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import { systemToWire, SystemWire } from './schema.ts'
import type { SystemService } from './service.ts'

interface Deps {
  readonly authenticated: Authenticated
  readonly system: SystemService
}

export function systemRoutes({ authenticated, system }: Deps) {
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get('/v1/system/stats', async () => single(systemToWire(await system.stats())), {
      response: singleSchema(SystemWire),
    })
}
