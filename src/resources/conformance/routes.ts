import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { single, singleSchema } from '../../http/envelope.ts'
import { granted, invalid } from '../../http/refusal.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { Refusal } from '../../http/refusal.ts'
import type { AccountService } from '../accounts/service.ts'
import { actedBy } from '../auth/acted-by.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import {
  ApplyBody,
  ProbeBody,
  ProbeQuery,
  QuoteSchema,
  quoteToWire,
  ReportSchema,
  reportToWire,
  StateSchema,
  stateToWire,
} from './schema.ts'
import type { ConformanceService } from './service.ts'

interface Deps {
  readonly conformance: ConformanceService
  readonly accounts: Pick<AccountService, 'get'>
  readonly authenticated: Authenticated
  /** The answer takes longer than a connection may be silent. */
  readonly takesLong: (request: Request) => void
}

const ById = Type.Object({ id: Type.String() })

export function conformanceRoutes({ conformance, accounts, authenticated, takesLong }: Deps) {
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get(
      '/v1/accounts/:id/probe',
      ({ params }) => {
        const { provider } = granted(accounts.get(params.id))
        return single(stateToWire(conformance.progressOf(provider.id), conformance.of(provider.id)))
      },
      { params: ById, response: singleSchema(StateSchema) },
    )
    .post(
      '/v1/accounts/:id/probe',
      async ({ params, query: { model }, body: { dry_run, apply = false }, caller, request }) => {
        if (dry_run === true) return single(quoteToWire(granted(conformance.quote(params.id, model))), 'not checked')
        takesLong(request)
        const report = granted(await conformance.check(params.id, { model, apply }, actedBy(caller)))
        return single(reportToWire(report), 'checked')
      },
      {
        params: ById,
        query: ProbeQuery,
        body: ProbeBody,
        response: singleSchema(Type.Union([ReportSchema, QuoteSchema])),
      },
    )
    .post(
      '/v1/providers/:id/conformance/apply',
      async ({ params, body, caller }) => {
        const checkedAtMs = granted(readTime(body.checked_at))
        return single(
          reportToWire(granted(await conformance.apply(params.id, checkedAtMs, actedBy(caller)))),
          'changed',
        )
      },
      { params: ById, body: ApplyBody, response: singleSchema(ReportSchema) },
    )
}

function readTime(text: string): Result<number, Refusal> {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? err(invalid({ checked_at: ['is not a time'] })) : ok(ms)
}
