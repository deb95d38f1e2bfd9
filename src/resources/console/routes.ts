import { Elysia } from 'elysia'
import { bearerToken } from '../../http/bearer.ts'
import { deleted, DeletedSchema, list, listSchema } from '../../http/envelope.ts'
import { readPage } from '../../http/pagination.ts'
import { QueryFields, readWhole } from '../../http/query-fields.ts'
import { granted } from '../../http/refusal.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import type { AuthService } from '../auth/service.ts'
import { CONSOLE_SORTS, ConsoleQuery, consoleToWire, ConsoleWire } from './schema.ts'
import type { ConsoleService } from './service.ts'

interface Deps {
  readonly authenticated: Authenticated
  readonly auth: Pick<AuthService, 'actorOf'>
  readonly console: ConsoleService
}

const EVENT_STREAM = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const

export function consoleRoutes({ authenticated, auth, console }: Deps) {
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get(
      '/v1/console',
      ({ query, request, set }) => {
        const page = granted(readPage(query, CONSOLE_SORTS))
        const fields = new QueryFields()
        const afterSeq = fields.read('after_seq', query.after_seq, readWhole, 'must be the seq of an entry')
        const { level, source } = query
        const filters = granted(fields.result({ level, source, afterSeq }))
        if (query.follow !== 'true' || request.method === 'HEAD') {
          const { items, total } = console.page(filters, page)
          return list(items.map(consoleToWire), { total, offset: page.offset, limit: page.limit })
        }
        Object.assign(set.headers, EVENT_STREAM)
        return new Response(
          granted(console.follow({ filters: { ...filters, q: page.q }, ...streaming(request, auth) })),
        )
      },
      { query: ConsoleQuery, response: listSchema(ConsoleWire) },
    )
    .delete('/v1/console', async ({ caller }) => deleted(`cleared ${granted(await console.clear(caller))} entries`), {
      response: DeletedSchema,
    })
}

/** A stream ends with the access token it was opened with; whoever follows signs on anew and goes on after the last entry. */
function streaming({ headers }: Request, auth: Deps['auth']) {
  const token = bearerToken(headers) ?? ''
  return {
    render: (entry: Parameters<typeof consoleToWire>[0]) => JSON.stringify(consoleToWire(entry)),
    isAllowed: async () => (await auth.actorOf(token)) !== undefined,
  }
}
