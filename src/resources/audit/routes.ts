import { Elysia } from 'elysia'
import { list, listSchema } from '../../http/envelope.ts'
import { readPage } from '../../http/pagination.ts'
import { QueryFields } from '../../http/query-fields.ts'
import { granted } from '../../http/refusal.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import { AuditQuery, auditToWire, AuditWire } from './schema.ts'
import type { AuditService } from './service.ts'
import { AUDIT_SORTS } from './store.ts'

interface Deps {
  readonly authenticated: Authenticated
  readonly audit: AuditService
}

export function auditRoutes({ authenticated, audit }: Deps) {
  return new Elysia({ normalize: false }).use(authenticated).get(
    '/v1/audit',
    async ({ query }) => {
      const page = granted(readPage(query, AUDIT_SORTS))
      const fields = new QueryFields()
      const [fromMs, toMs] = [fields.instant('from', query.from), fields.instant('to', query.to)]
      const { actor, action, object_type: objectType } = query
      const filters = granted(fields.result({ actor, action, objectType, fromMs, toMs }))
      const { items, total } = await audit.page(filters, page)
      return list(items.map(auditToWire), { total, offset: page.offset, limit: page.limit })
    },
    { query: AuditQuery, response: listSchema(AuditWire) },
  )
}
