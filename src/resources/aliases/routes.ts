import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { JointFacts } from '../../catalog/joint-facts.ts'
import { choice } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { deleted, DeletedSchema, list, listSchema, single, singleSchema } from '../../http/envelope.ts'
import { expectedVersion } from '../../http/if-match.ts'
import { pageQuerySchema, readPage } from '../../http/pagination.ts'
import { granted, invalid, RefusalError } from '../../http/refusal.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import type { Alias } from './alias.ts'
import { ALIAS_SORTS, pageOf } from './list.ts'
import { AliasWire, toWire, WriteBody } from './schema.ts'
import type { AliasService } from './service.ts'

interface Deps {
  readonly aliases: AliasService
  /** What all models behind a name have in common; undefined when it leads to none. */
  readonly factsBehind: (name: string) => JointFacts | undefined
  readonly authenticated: Authenticated
}

const PATH = '/v1/models/alias'
const ListQuery = pageQuerySchema(ALIAS_SORTS, {
  alias: Type.Optional(Type.String({ description: 'the one of exactly this name' })),
  listed: Type.Optional(choice(['true', 'false'])),
})
const WriteQuery = Type.Object(
  { replace: Type.Optional(Type.Literal('true', { description: 'the list in the body is all that there is to be' })) },
  CLOSED,
)
const DeleteQuery = Type.Object({ alias: Type.String({ minLength: 1 }) }, CLOSED)
const Written = singleSchema(Type.Array(AliasWire))

export function aliasRoutes({ aliases, factsBehind, authenticated }: Deps) {
  const wire = (alias: Alias) => toWire(alias, factsBehind(alias.alias))
  const written = (some: readonly Alias[], message: string) =>
    single(some.map(wire), message, { warnings: aliases.warnings(some) })
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get(
      PATH,
      ({ query }) => {
        const page = granted(readPage({ ...query, order: query.order ?? 'asc' }, ALIAS_SORTS))
        const { items, total } = pageOf(aliases.all(), page, query)
        return list(items.map(wire), { total, offset: page.offset, limit: page.limit })
      },
      { query: ListQuery, response: listSchema(AliasWire) },
    )
    .put(
      PATH,
      async ({ body, query, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        if (Array.isArray(body) !== (query.replace === 'true')) throw new RefusalError(invalid(ONE_OR_ALL))
        if (!Array.isArray(body)) return written([granted(await aliases.put(body, version, caller))], 'saved')
        const all = granted(await aliases.replaceAll(body, caller))
        return written(all, `saved; there are ${all.length} aliases now`)
      },
      { body: WriteBody, query: WriteQuery, response: Written },
    )
    .delete(
      PATH,
      async ({ query, caller }) => {
        granted(await aliases.remove(query.alias, caller))
        return deleted(`deleted the alias ${query.alias}`)
      },
      { query: DeleteQuery, response: DeletedSchema },
    )
}

const ONE_OR_ALL = { body: ['must be one alias, or with ?replace=true the list of all'] }
