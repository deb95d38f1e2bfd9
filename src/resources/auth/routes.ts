import { Elysia } from 'elysia'
import { dashboard } from '../../http/dashboard.ts'
import { deleted, DeletedSchema, NoFieldsSchema, single, singleSchema } from '../../http/envelope.ts'
import { granted } from '../../http/refusal.ts'
import type { Authenticated, AuthenticatedDeps } from './authenticated.ts'
import {
  ProfileBody,
  profileToWire,
  ProfileWire,
  RefreshBody,
  sessionToWire,
  SessionWire,
  SetUpBody,
  setUpToWire,
  SetUpWire,
  SignInBody,
} from './schema.ts'
import type { AuthService, Origin } from './service.ts'

interface Deps extends Omit<AuthenticatedDeps, 'auth'> {
  readonly auth: AuthService
  readonly authenticated: Authenticated
}

export function authRoutes(deps: Deps) {
  return new Elysia({ normalize: false }).use(publicRoutes(deps)).use(profileRoutes(deps))
}

/** What opens a session, and so cannot ask for one. */
function publicRoutes(deps: Deps) {
  const { auth, requestIds, addressOf } = deps
  const originOf = (request: Request): Origin => ({ requestId: requestIds.of(request), address: addressOf(request) })
  return new Elysia({ normalize: false })
    .use(dashboard(deps))
    .get('/v1/auth/setup', async () => single(setUpToWire(await auth.setUpState())), {
      response: singleSchema(SetUpWire),
    })
    .post(
      '/v1/auth/setup',
      async ({ body: { token, ...credentials }, request }) =>
        single(sessionToWire(granted(await auth.completeSetUp(token, credentials, originOf(request))))),
      { body: SetUpBody, response: singleSchema(SessionWire) },
    )
    .post(
      '/v1/auth/sign-in',
      async ({ body, request }) => single(sessionToWire(granted(await auth.signIn(body, originOf(request))))),
      { body: SignInBody, response: singleSchema(SessionWire) },
    )
    .post(
      '/v1/auth/refresh',
      async ({ body, request }) =>
        single(sessionToWire(granted(await auth.refresh(body.refresh_token, originOf(request))))),
      { body: RefreshBody, response: singleSchema(SessionWire) },
    )
}

function profileRoutes({ auth, authenticated }: Deps) {
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get('/v1/auth/me', async ({ caller }) => single(profileToWire(granted(await auth.profile(caller)))), {
      response: singleSchema(ProfileWire),
    })
    .patch(
      '/v1/auth/me',
      async ({ caller, body: { current_password, ...change } }) =>
        single(profileToWire(granted(await auth.changeProfile(change, current_password, caller))), 'changed'),
      { body: ProfileBody, response: singleSchema(ProfileWire) },
    )
    .post(
      '/v1/auth/sign-out',
      async ({ caller }) => {
        await auth.signOut(caller)
        return deleted('signed out everywhere')
      },
      { body: NoFieldsSchema, response: DeletedSchema },
    )
}
