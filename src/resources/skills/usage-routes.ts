import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { single, singleSchema } from '../../http/envelope.ts'
import { granted } from '../../http/refusal.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import type { SkillUsageService } from './usage.ts'
import { SkillUsageWire, usageToWire } from './usage-schema.ts'

interface Deps {
  readonly authenticated: Authenticated
  readonly skillUsage: Pick<SkillUsageService, 'of'>
}

export function skillUsageRoutes({ authenticated, skillUsage }: Deps) {
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get('/v1/skills/:id/usage', async ({ params }) => single(usageToWire(granted(await skillUsage.of(params.id)))), {
      params: Type.Object({ id: Type.String() }),
      response: singleSchema(SkillUsageWire),
    })
}
