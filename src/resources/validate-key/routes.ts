import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { CLOSED } from '../../http/closed.ts'
import { single, singleSchema } from '../../http/envelope.ts'
import { granted } from '../../http/refusal.ts'
import { reportToWire, ReportShape } from '../accounts/report.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import { ValidateKeySchema } from './schema.ts'
import type { KeyValidation } from './service.ts'

interface Deps {
  readonly keyValidation: KeyValidation
  readonly authenticated: Authenticated
}

const DeepQuery = Type.Object(
  { deep: Type.Optional(Type.Union([Type.Literal('true'), Type.Literal('false')])) },
  CLOSED,
)

export function validateKeyRoutes({ keyValidation, authenticated }: Deps) {
  return new Elysia({ normalize: false }).use(authenticated).post(
    '/v1/validate-key',
    async ({ body, query }) => {
      const report = granted(await keyValidation.validate(body, query.deep === 'true'))
      return single(reportToWire(report))
    },
    { body: ValidateKeySchema, query: DeepQuery, response: singleSchema(ReportShape) },
  )
}
