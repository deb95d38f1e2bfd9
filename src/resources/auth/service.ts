/**
 * Dashboard users and their sessions. Knows nothing of gateway keys, which open the inference routes and nothing else.
 * Invariant: an access token is good for exactly as long as its session exists, the user's epoch stands and its hour lasts.
 */
import type { Clock } from '../../core/clock.ts'
import { SECOND_MS } from '../../core/duration.ts'
import { newId } from '../../core/id.ts'
import type { Random } from '../../core/random.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { invalid, type Refusal, refusal } from '../../http/refusal.ts'
import type { AuditActor, AuditRecord } from '../audit/entry.ts'
import type { Audit } from '../audit/service.ts'
import { ACCESS_LIFETIME_S, type AccessTokens } from './access-token.ts'
import type { Actor, Caller, Role } from './actor.ts'
import { emailProblem, normalEmail } from './email.ts'
import { type PasswordHasher, passwordProblem } from './password.ts'
import { judge, newRefreshToken, REFRESH_LIFETIME_MS, sessionOf, storedHash } from './refresh-token.ts'
import type { SetUpToken } from './set-up.ts'
import type { AuthStore, ProfileChange, User } from './store.ts'
import type { Throttle } from './throttle.ts'

/** What a sign-in gives out. */
export interface IssuedSession {
  readonly userId: string
  readonly email: string
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresInS: number
}

/** Where a call without a session comes from. */
export interface Origin {
  readonly requestId: string | null
  readonly address: string | null
}

export interface Credentials {
  readonly email: string
  readonly password: string
}

export interface AuthDeps {
  readonly store: AuthStore
  readonly audit: Audit
  readonly hasher: PasswordHasher
  readonly throttle: Throttle
  readonly accessTokens: AccessTokens
  readonly setUp: SetUpToken
  /** The installation secret `refresh`. */
  readonly refreshKey: Uint8Array
  readonly clock: Clock
  readonly random: Random
}

const NOBODY = { id: null, email: null } as const
const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

export interface SetUpState {
  readonly needed: boolean
  /** Null when there is no link, or none that still works. */
  readonly linkLeftMs: number | null
}

export class AuthService {
  readonly #deps: AuthDeps

  constructor(deps: AuthDeps) {
    this.#deps = deps
  }

  /** Until then only set-up is served. */
  async isSetUpNeeded(): Promise<boolean> {
    return !(await this.#deps.store.hasOwner())
  }

  /** Whether an owner is missing, and how long the link that makes one still works. */
  async setUpState(): Promise<SetUpState> {
    const needed = await this.isSetUpNeeded()
    return { needed, linkLeftMs: (needed ? this.#deps.setUp.leftMs() : undefined) ?? null }
  }

  /** A fresh set-up token for the console's link, which voids the one before; undefined once an owner exists. */
  async mintSetUpToken(): Promise<string | undefined> {
    return (await this.isSetUpNeeded()) ? this.#deps.setUp.mint() : undefined
  }

  /** Creates the owner and signs them in. Refusals: `conflict` once there is one, `unauthenticated`, `throttled`, `invalid`. */
  async completeSetUp(
    token: string,
    credentials: Credentials,
    origin: Origin,
  ): Promise<Result<IssuedSession, Refusal>> {
    const { setUp, throttle } = this.#deps
    if (!(await this.isSetUpNeeded())) return err(refusal('conflict', 'this installation is set up already'))
    const waitMs = throttle.attempt([sourceBucket(origin)])
    if (waitMs > 0) return err(throttled(waitMs))
    if (!setUp.matches(token)) return err(refusal('unauthenticated', 'the set-up token is wrong or has run out'))
    const owner = await this.createFirstOwner(credentials, origin)
    if (!owner.ok) return owner
    setUp.forget()
    throttle.forgive([sourceBucket(origin)])
    return this.#issue(owner.value)
  }

  /** Refusals: `conflict` when an owner exists, `invalid`. Audited. */
  async createFirstOwner(credentials: Credentials, origin: Origin): Promise<Result<User, Refusal>> {
    const user = await this.#newUser(credentials, 'owner')
    if (!user.ok) return user
    if (!(await this.#deps.store.insertFirstOwner(user.value))) {
      return err(refusal('conflict', 'this installation has an owner already'))
    }
    await this.#audit('auth.set_up', user.value, origin)
    return user
  }

  /** Another user, from the command line. Refusals: `conflict` when the address is taken, `invalid`. Audited. */
  async createUser(credentials: Credentials, role: Role, origin: Origin): Promise<Result<User, Refusal>> {
    const user = await this.#newUser(credentials, role)
    if (!user.ok) return user
    if (!(await this.#deps.store.insertUser(user.value))) return err(emailTaken())
    await this.#audit('user.create', user.value, origin, { after: { email: user.value.email, role } })
    return user
  }

  /** Recovery from the command line: a new password, all sessions end. Refusals: `missing`, `invalid`. Audited. */
  async resetPassword({ email, password }: Credentials, origin: Origin): Promise<Result<User, Refusal>> {
    const { store, clock } = this.#deps
    const user = await store.userByEmail(normalEmail(email))
    if (user === undefined) return err(refusal('missing', 'there is no user with this e-mail address'))
    const hash = await this.#newHash(password, user.email)
    if (!hash.ok) return hash
    const changed = await store.changeUser(user.id, { passwordHash: hash.value }, null, clock.nowMs())
    if (changed === undefined || changed === 'taken') return err(refusal('missing', 'the user is gone'))
    await store.endSessions(user.id)
    await this.#audit('auth.recover', user, origin)
    return ok(changed)
  }

  /** For when sessions may have come back that had ended. */
  async endAllSessions(): Promise<void> {
    for (const { id } of await this.#deps.store.listUsers()) await this.#deps.store.endSessions(id)
  }

  async listUsers(): Promise<readonly User[]> {
    return this.#deps.store.listUsers()
  }

  /** Unknown address and wrong password: the same refusal in the same time. Refusals: `unauthenticated`, `throttled`. Audited. */
  async signIn(credentials: Credentials, origin: Origin): Promise<Result<IssuedSession, Refusal>> {
    const { store, hasher, throttle } = this.#deps
    const email = normalEmail(credentials.email)
    const buckets = [sourceBucket(origin), accountBucket(email, origin)]
    const waitMs = throttle.attempt(buckets)
    if (waitMs > 0) return err(throttled(waitMs))
    const user = await store.userByEmail(email)
    const matches = await hasher.verify(credentials.password, user?.passwordHash)
    if (!matches.ok) return matches
    if (user === undefined || !matches.value) {
      await this.#audit('auth.sign_in', { id: null, email }, origin, { outcome: 'refused' })
      return err(refusal('unauthenticated', 'the e-mail address or the password is wrong'))
    }
    throttle.forgive(buckets)
    await this.#audit('auth.sign_in', user, origin)
    return this.#issue(user)
  }

  /**
   * A new access token and the successor of the refresh token. A token spent more than 10 s ago ends its session, for one of
   * its two holders is a thief. Refusal: `unauthenticated`.
   */
  async refresh(token: string, origin: Origin): Promise<Result<IssuedSession, Refusal>> {
    const { store, refreshKey, clock } = this.#deps
    const sessionId = sessionOf(token)
    if (sessionId === undefined) return err(signInAgain())
    const nowMs = clock.nowMs()
    const { renewal, user } = await store.renewSession(
      sessionId,
      (session) => judge(token, session, refreshKey, nowMs),
      (successor) => this.#stateOf(successor, nowMs),
    )
    if (renewal.kind === 'reused' && user !== undefined) {
      await this.#audit('auth.refresh_reused', user, origin, { outcome: 'refused' })
    }
    if (user === undefined || renewal.kind === 'reused' || renewal.kind === 'unknown') return err(signInAgain())
    return ok(await this.#tokensOf(user, sessionId, renewal.successor))
  }

  /** Who an access token belongs to; undefined for one that is forged, has run out, or whose session has ended. */
  async actorOf(accessToken: string): Promise<Actor | undefined> {
    const claims = await this.#deps.accessTokens.verify(accessToken)
    if (claims === undefined) return undefined
    const user = await this.#deps.store.sessionUser(claims.sessionId, this.#deps.clock.nowMs())
    if (user === undefined || user.id !== claims.userId || user.epoch !== claims.epoch) return undefined
    return { id: user.id, email: user.email, role: user.role, sessionId: claims.sessionId }
  }

  async profile({ actor }: Caller): Promise<Result<User, Refusal>> {
    const user = await this.#deps.store.sessionUser(actor.sessionId, this.#deps.clock.nowMs())
    return user === undefined ? err(signInAgain()) : ok(user)
  }

  /** Every session of the user ends, access tokens included. Audited. */
  async signOut(caller: Caller): Promise<void> {
    await this.#deps.store.endSessions(caller.actor.id)
    await this.#audit('auth.sign_out', caller.actor, caller)
  }

  /** A new password ends all other sessions. Refusals: `forbidden` for a wrong current password, `throttled`, `conflict`, `invalid`. */
  async changeProfile(
    change: { readonly email?: string | undefined; readonly password?: string | undefined },
    currentPassword: string,
    caller: Caller,
  ): Promise<Result<User, Refusal>> {
    const confirmed = await this.#confirm(currentPassword, caller)
    if (!confirmed.ok) return confirmed
    const prepared = await this.#prepareChange(change, confirmed.value.email)
    if (!prepared.ok) return prepared
    const { store, clock } = this.#deps
    const changed = await store.changeUser(caller.actor.id, prepared.value, caller.actor.sessionId, clock.nowMs())
    if (changed === undefined) return err(signInAgain())
    if (changed === 'taken') return err(emailTaken())
    if (changed.version === confirmed.value.version) return ok(changed)
    const after = { email: changed.email, password_changed: prepared.value.passwordHash !== undefined }
    await this.#audit('auth.change', changed, caller, { before: { email: confirmed.value.email }, after })
    return ok(changed)
  }

  async #confirm(currentPassword: string, caller: Caller): Promise<Result<User, Refusal>> {
    const buckets = [accountBucket(caller.actor.email, caller)]
    const waitMs = this.#deps.throttle.attempt(buckets)
    if (waitMs > 0) return err(throttled(waitMs))
    const user = await this.profile(caller)
    if (!user.ok) return user
    const matches = await this.#deps.hasher.verify(currentPassword, user.value.passwordHash)
    if (!matches.ok) return matches
    if (!matches.value) return err(refusal('forbidden', 'the current password is wrong'))
    this.#deps.throttle.forgive(buckets)
    return user
  }

  async #prepareChange(
    change: { readonly email?: string | undefined; readonly password?: string | undefined },
    currentEmail: string,
  ): Promise<Result<ProfileChange, Refusal>> {
    const email = change.email === undefined ? currentEmail : normalEmail(change.email)
    const problem = emailProblem(email)
    if (problem !== undefined) return err(invalid({ email: [problem] }))
    if (change.password === undefined) return ok({ email })
    const hash = await this.#newHash(change.password, email)
    return hash.ok ? ok({ email, passwordHash: hash.value }) : hash
  }

  async #newUser(credentials: Credentials, role: Role): Promise<Result<User, Refusal>> {
    const email = normalEmail(credentials.email)
    const problem = emailProblem(email)
    if (problem !== undefined) return err(invalid({ email: [problem] }))
    const hash = await this.#newHash(credentials.password, email)
    if (!hash.ok) return hash
    const nowMs = this.#deps.clock.nowMs()
    const times = { createdAtMs: nowMs, updatedAtMs: nowMs, lastSignInAtMs: null }
    return ok({
      id: newId('usr', this.#deps.random),
      email,
      passwordHash: hash.value,
      role,
      epoch: 1,
      version: 1,
      ...times,
    })
  }

  async #newHash(password: string, email: string): Promise<Result<string, Refusal>> {
    const problem = passwordProblem(password, email)
    return problem === undefined ? this.#deps.hasher.hash(password) : err(invalid({ password: [problem] }))
  }

  async #issue(user: User): Promise<Result<IssuedSession, Refusal>> {
    const { store, clock, random } = this.#deps
    const nowMs = clock.nowMs()
    const id = newId('ses', random)
    const refreshToken = newRefreshToken(id, random)
    const state = this.#stateOf(refreshToken, nowMs)
    await store.insertSession({ id, userId: user.id, generation: 0, createdAtMs: nowMs, ...state }, nowMs)
    return ok(await this.#tokensOf(user, id, refreshToken))
  }

  #stateOf(refreshToken: string, nowMs: number) {
    const currentHash = storedHash(refreshToken, this.#deps.refreshKey)
    return { currentHash, rotatedAtMs: nowMs, expiresAtMs: nowMs + REFRESH_LIFETIME_MS }
  }

  async #tokensOf(user: User, sessionId: string, refreshToken: string): Promise<IssuedSession> {
    const accessToken = await this.#deps.accessTokens.sign({ userId: user.id, sessionId, epoch: user.epoch })
    return { userId: user.id, email: user.email, accessToken, refreshToken, expiresInS: ACCESS_LIFETIME_S }
  }

  async #audit(
    action: string,
    who: { readonly id: string | null; readonly email: string },
    origin: Origin,
    more: Partial<Pick<AuditRecord, 'before' | 'after' | 'outcome'>> = {},
  ): Promise<void> {
    const isKnown = who.id !== null
    const actor: AuditActor = { ...(isKnown ? { id: who.id, email: who.email } : NOBODY), ip: origin.address }
    const object = { type: 'user', id: who.id, name: who.email }
    await this.#deps.audit.record({ actor, action, object, requestId: origin.requestId, outcome: 'ok', ...more })
  }
}

/** Loopback has buckets of its own, so that a flood from outside cannot shut the owner out of their own machine. */
function sourceBucket({ address }: Origin): string {
  return `source ${placeOf(address)} ${address ?? 'unknown'}`
}

function accountBucket(email: string, { address }: Origin): string {
  return `account ${placeOf(address)} ${email}`
}

function placeOf(address: string | null): 'loopback' | 'remote' {
  return address !== null && LOOPBACK.has(address) ? 'loopback' : 'remote'
}

function throttled(waitMs: number): Refusal {
  const seconds = Math.ceil(waitMs / SECOND_MS)
  return refusal('throttled', `too many attempts; try again in ${seconds} s`, { retryAfterMs: waitMs })
}

function signInAgain(): Refusal {
  return refusal('unauthenticated', 'the session has ended; sign in again')
}

function emailTaken(): Refusal {
  return refusal('conflict', 'another user has this e-mail address', { errors: { email: ['is taken'] } })
}
