import { Elysia } from 'elysia'
import { err, ok, type Result } from '../../core/result.ts'
import { bearerToken } from '../../http/bearer.ts'
import { dashboard, dashboardAnswers, type DashboardDeps } from '../../http/dashboard.ts'
import { comesFromElsewhere } from '../../http/origin.ts'
import { type Refusal, refusal, RefusalError, refused } from '../../http/refusal.ts'
import { REQUEST_ID_HEADER } from '../../http/request-id.ts'
import { accessOf } from '../access.ts'
import type { Actor, Caller, Role } from './actor.ts'
import type { AuthService } from './service.ts'

export interface AuthenticatedDeps extends DashboardDeps {
  readonly auth: Pick<AuthService, 'actorOf'>
  /** Who made which request; one map for the whole server, so that a request is judged once. */
  readonly callers: WeakMap<Request, Caller>
  /** The client's address; null when it cannot be known. */
  readonly addressOf: (request: Request) => string | null
  /** The address that a request was made to, without a trailing slash. */
  readonly baseUrlOf: (request: Request) => string
}

/**
 * For routes that need an access token: adds `caller` to their context. Who calls is settled before anything of the request is
 * read, so nobody without a session learns what a route expects. A route that the access table does not list behaves as
 * missing.
 */
export function authenticated(deps: AuthenticatedDeps) {
  return new Elysia({ name: 'authenticated', normalize: false }).use(dashboard(deps)).use(admitted(deps)).as('scoped')
}

/** The same for routes that read their body themselves. */
export function authenticatedUpload(deps: AuthenticatedDeps) {
  return new Elysia({ name: 'authenticated-upload', normalize: false })
    .use(dashboardAnswers(deps))
    .use(admitted(deps))
    .as('scoped')
}

/** The plugins as resources take them. */
export type Authenticated = ReturnType<typeof authenticated>
export type AuthenticatedUpload = ReturnType<typeof authenticatedUpload>

function admitted(deps: AuthenticatedDeps) {
  const { callers, requestIds, addressOf } = deps
  return new Elysia({ name: 'admitted', normalize: false })
    .onRequest(async ({ request }) => {
      if (callers.has(request)) return undefined
      const actor = await admit(request, deps)
      const requestId = requestIds.of(request)
      if (!actor.ok) return withRequestId(refused(actor.error), requestId)
      if (actor.value !== null) callers.set(request, { actor: actor.value, requestId, address: addressOf(request) })
      return undefined
    })
    .derive(({ request }) => {
      const caller = callers.get(request)
      if (caller === undefined) throw new RefusalError(refusal('missing', 'there is no such route'))
      return { caller }
    })
    .as('scoped')
}

/** Null for what needs no access token. Refusals: `unauthenticated`, `forbidden`. */
async function admit(request: Request, deps: AuthenticatedDeps): Promise<Result<Actor | null, Refusal>> {
  const access = accessOf(request.method, request.url)
  if (access === undefined || access === 'key') return ok(null)
  if (comesFromElsewhere(request, deps.baseUrlOf(request))) {
    return err(refusal('forbidden', "pages of other sites may not call this gateway's dashboard"))
  }
  if (access === 'public') return ok(null)
  const token = bearerToken(request.headers)
  if (token === undefined)
    return err(refusal('unauthenticated', 'sign in and send Authorization: Bearer <access token>'))
  const actor = await deps.auth.actorOf(token)
  if (actor === undefined) return err(refusal('unauthenticated', 'the access token is not valid or has run out'))
  return mayUse(access, actor) ? ok(actor) : err(refusal('forbidden', 'your role may not do this'))
}

function mayUse(roles: readonly Role[], { role }: Actor): boolean {
  return roles.includes(role)
}

function withRequestId(response: Response, requestId: string): Response {
  response.headers.set(REQUEST_ID_HEADER, requestId)
  return response
}
