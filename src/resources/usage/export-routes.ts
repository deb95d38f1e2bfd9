import { Elysia } from 'elysia'
import { granted } from '../../http/refusal.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import { EXPORT_TYPES, type UsageExport } from './export.ts'
import { ExportQuery } from './export-schema.ts'

interface Deps {
  readonly usageExport: Pick<UsageExport, 'open'>
  readonly authenticated: Authenticated
  /** A million rows take a while. */
  readonly takesLong: (request: Request) => void
}

export function exportRoutes({ usageExport, authenticated, takesLong }: Deps) {
  return new Elysia({ normalize: false }).use(authenticated).get(
    '/v1/usage/export',
    async ({ query, caller, request, set }) => {
      const file = granted(await usageExport.open(query, caller))
      takesLong(request)
      set.headers['content-type'] = EXPORT_TYPES[query.format]
      set.headers['content-disposition'] = `attachment; filename="signalbox-usage.${query.format}"`
      return new Response(file)
    },
    { query: ExportQuery, detail: { responses: { 200: FILE } } },
  )
}

/** No schema can say what is in a file of either kind: they have a line for each request. */
const FILE = {
  description: 'A file with a line for each request, made as it is read.',
  content: Object.fromEntries(
    Object.values(EXPORT_TYPES).map((type) => [type, { schema: { type: 'string' as const } }]),
  ),
}
