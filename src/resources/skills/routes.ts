import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { dashboardAnswers, type DashboardDeps } from '../../http/dashboard.ts'
import { deleted, DeletedSchema, list, listSchema, single, singleSchema } from '../../http/envelope.ts'
import { expectedVersion } from '../../http/if-match.ts'
import { pageQuerySchema, readPage } from '../../http/pagination.ts'
import { granted } from '../../http/refusal.ts'
import type { Authenticated, AuthenticatedUpload } from '../auth/authenticated.ts'
import { encodeDocument } from './document.ts'
import { referenceSkill } from './reference/index.ts'
import { CreateSkillBody, DocumentWire, PatchSkillBody, skillToWire, SkillWire } from './schema.ts'
import type { SkillService } from './service.ts'
import { SKILL_SORTS } from './store.ts'
import { readUpload } from './upload.ts'

interface Deps extends DashboardDeps {
  readonly authenticated: Authenticated
  readonly authenticatedUpload: AuthenticatedUpload
  readonly skills: SkillService
  /** The address that a request was made to, without a trailing slash. */
  readonly baseUrlOf: (request: Request) => string
  /** The inference paths of this build, such as `/v1/messages`: guides to others say that they are not there yet. */
  readonly servedPaths: ReadonlySet<string>
}

const ById = Type.Object({ id: Type.String() })

export function skillRoutes(deps: Deps) {
  return new Elysia({ normalize: false }).use(documentRoutes(deps)).use(uploadRoute(deps)).use(managementRoutes(deps))
}

/** Public: whoever has the address may read the document. */
function documentRoutes(deps: Deps) {
  const { skills, baseUrlOf, servedPaths } = deps
  return new Elysia({ normalize: false }).use(dashboardAnswers(deps)).get(
    '/skills/:id/SKILL.md',
    ({ params, request, set }) => {
      const reference = referenceSkill(params.id, { baseUrl: baseUrlOf(request), servedPaths })
      const document = encodeDocument(reference ?? granted(skills.get(params.id)))
      set.headers['content-type'] = 'text/markdown; charset=utf-8'
      return document
    },
    { params: ById },
  )
}

/** Reads its body itself: it is a document, not JSON. */
function uploadRoute({ authenticatedUpload }: Deps) {
  return new Elysia({ normalize: false })
    .use(authenticatedUpload)
    .post('/v1/skills/parse', async ({ request }) => single(granted(await readUpload(request)), 'parsed, not saved'), {
      response: singleSchema(DocumentWire),
    })
}

function managementRoutes({ authenticated, skills, baseUrlOf }: Deps) {
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get(
      '/v1/skills',
      async ({ query, request }) => {
        const page = granted(readPage(query, SKILL_SORTS))
        const { items, total } = await skills.page(page)
        const baseUrl = baseUrlOf(request)
        return list(
          items.map((skill) => skillToWire(skill, baseUrl)),
          { total, offset: page.offset, limit: page.limit },
        )
      },
      { query: pageQuerySchema(SKILL_SORTS, {}), response: listSchema(SkillWire) },
    )
    .post(
      '/v1/skills',
      async ({ body, caller, request, set }) => {
        const skill = granted(await skills.create({ description: '', ...body }, caller))
        set.status = 201
        return single(skillToWire(skill, baseUrlOf(request)), 'created, switched off')
      },
      { body: CreateSkillBody, response: { 201: singleSchema(SkillWire) } },
    )
    .get(
      '/v1/skills/:id',
      ({ params, request }) => single(skillToWire(granted(skills.get(params.id)), baseUrlOf(request))),
      { params: ById, response: singleSchema(SkillWire) },
    )
    .patch(
      '/v1/skills/:id',
      async ({ params, body, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        const skill = granted(await skills.patch(params.id, body, version, caller))
        return single(skillToWire(skill, baseUrlOf(request)), 'changed')
      },
      { params: ById, body: PatchSkillBody, response: singleSchema(SkillWire) },
    )
    .delete(
      '/v1/skills/:id',
      async ({ params, caller, request }) => {
        const version = granted(expectedVersion(request.headers))
        return deleted(`deleted the skill ${granted(await skills.remove(params.id, version, caller)).name}`)
      },
      { params: ById, response: DeletedSchema },
    )
}
