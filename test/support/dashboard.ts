import { Elysia } from 'elysia'
import { join } from 'node:path'
import type { Log } from '../../src/core/log.ts'
import { installationSecret } from '../../src/db/installation-secrets.ts'
import { temporaryMasterKey } from '../../src/db/master-key.ts'
import { openDatabases } from '../../src/db/open.ts'
import { Vault } from '../../src/db/seal.ts'
import { RequestIds } from '../../src/http/request-id.ts'
import { AuditService } from '../../src/resources/audit/service.ts'
import { AuditStore } from '../../src/resources/audit/store.ts'
import { AccessTokens } from '../../src/resources/auth/access-token.ts'
import type { Caller } from '../../src/resources/auth/actor.ts'
import { authenticated, authenticatedUpload } from '../../src/resources/auth/authenticated.ts'
import { PasswordHasher } from '../../src/resources/auth/password.ts'
import { AuthService } from '../../src/resources/auth/service.ts'
import { SetUpToken } from '../../src/resources/auth/set-up.ts'
import { loadSigningKeys } from '../../src/resources/auth/signing-keys.ts'
import { AuthStore } from '../../src/resources/auth/store.ts'
import { Throttle } from '../../src/resources/auth/throttle.ts'
import type { Result } from '../../src/core/result.ts'
import { HandClock } from './clock.ts'
import { seededRandom } from './random.ts'

export const OWNER = { email: 'owner@example.com', password: 'correct horse battery staple' } as const
/** The least that the algorithm takes: what a hash costs in truth is the business of the tests of passwords. */
export const HASH_COST = { memoryCost: 8, timeCost: 1 } as const

/** What a dashboard resource needs around it, in memory: databases, vault, audit, users, and the plugin that admits callers. */
export async function makeDashboard(seed = 7) {
  const clock = new HandClock()
  const random = seededRandom(seed)
  const lines: string[] = []
  const log: Log = { write: (level, source, message) => lines.push(`${level} ${source} ${message}`) }
  const databases = value(
    openDatabases('memory', { migrationsDir: join(import.meta.dir, '../../drizzle'), clock, random }),
  )
  const db = databases.config
  const vault = new Vault(temporaryMasterKey(random), random)
  const secret = (name: string) => value(installationSecret({ db, vault, clock, random }, name))
  const audit = new AuditService({ store: new AuditStore(db), clock, random, log, key: secret('audit') })
  const store = new AuthStore(db)
  const accessTokens = new AccessTokens({
    clock,
    issuer: databases.installationId,
    keys: value(await loadSigningKeys({ store, vault, clock, random })),
  })
  const auth = new AuthService({
    store,
    audit,
    hasher: new PasswordHasher(HASH_COST),
    throttle: new Throttle(clock, () => 5),
    accessTokens,
    setUp: new SetUpToken(clock, random),
    refreshKey: secret('refresh'),
    clock,
    random,
  })
  const requestIds = new RequestIds(random)
  const caller = { address: '203.0.113.7' as string | null }
  const edge = {
    requestIds,
    log,
    auth,
    callers: new WeakMap<Request, Caller>(),
    addressOf: () => caller.address,
    baseUrlOf: () => 'http://gateway.test',
  }
  return {
    clock,
    random,
    lines,
    log,
    databases,
    db,
    vault,
    audit,
    auth,
    accessTokens,
    caller,
    edge,
    plugin: authenticated(edge),
    uploadPlugin: authenticatedUpload(edge),
  }
}

export type Dashboard = Awaited<ReturnType<typeof makeDashboard>>

/** An answer as a test looks at it. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // The tests say what they expect; a wrong shape fails there.
  readonly body: any // oxlint-disable-line typescript/no-explicit-any
}

export type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>

/** Calls an app as a client would. A string body goes out as it is. */
export function callerOf(app: { handle(request: Request): Promise<Response> | Response }, token?: string): Call {
  return async (method, path, body, headers = {}) => {
    const all = new Headers(headers)
    if (token !== undefined && !all.has('authorization')) all.set('authorization', `Bearer ${token}`)
    if (body !== undefined && !all.has('content-type')) all.set('content-type', 'application/json')
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const init = { method, headers: all, ...(body === undefined ? {} : { body: text }) }
    const response = await app.handle(new Request(`http://gateway.test${path}`, init))
    return { status: response.status, headers: response.headers, body: await bodyOf(response) }
  }
}

/** A bare app as the server mounts resources. */
export function bareApp() {
  return new Elysia({ normalize: false, handler: { standardHostname: false } })
}

/** Makes the owner by set-up, which costs one hash, and returns an access token. */
export async function signInOwner({ auth }: Dashboard): Promise<string> {
  const token = (await auth.mintSetUpToken()) ?? ''
  return value(await auth.completeSetUp(token, OWNER, { requestId: null, address: '127.0.0.1' })).accessToken
}

export function value<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text()
  return text !== '' && response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text
}
