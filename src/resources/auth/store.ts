import { and, asc, desc, eq, isNull, lt, ne } from 'drizzle-orm'
import { revised } from '../../core/revised.ts'
import type { Db } from '../../db/open.ts'
import type { Role } from './actor.ts'
import type { Renewal } from './refresh-token.ts'
import { sessions, signingKeys, users } from './table.ts'

export interface User {
  readonly id: string
  readonly email: string
  readonly passwordHash: string
  readonly role: Role
  readonly epoch: number
  readonly lastSignInAtMs: number | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly version: number
}

export interface Session {
  readonly id: string
  readonly userId: string
  readonly currentHash: string
  readonly generation: number
  readonly rotatedAtMs: number
  readonly createdAtMs: number
  readonly expiresAtMs: number
}

export interface ProfileChange {
  readonly email?: string
  readonly passwordHash?: string
}

/** Sign-ins of one user that can be alive at once; the oldest give way. */
const SESSIONS_PER_USER_MAX = 100

type Queries = Pick<Db, 'select' | 'insert' | 'update' | 'delete'>

export class AuthStore {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  async hasOwner(): Promise<boolean> {
    return hasOwner(this.#db)
  }

  async listUsers(): Promise<readonly User[]> {
    return this.#db.select().from(users).orderBy(asc(users.createdAtMs), asc(users.id)).all()
  }

  async userByEmail(email: string): Promise<User | undefined> {
    return this.#db.select().from(users).where(eq(users.email, email)).get()
  }

  /** The user of a session that has not run out; undefined when either is gone. */
  async sessionUser(sessionId: string, nowMs: number): Promise<User | undefined> {
    const row = this.#db
      .select()
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(eq(sessions.id, sessionId))
      .get()
    return row !== undefined && nowMs < row.sessions.expiresAtMs ? row.users : undefined
  }

  /** False when there is an owner already, or a user with this address. */
  async insertFirstOwner(user: User): Promise<boolean> {
    return this.#db.transaction((tx) => {
      if (hasOwner(tx)) return false
      return tx.insert(users).values(user).onConflictDoNothing().returning().all().length === 1
    })
  }

  /** False when the address is taken. */
  async insertUser(user: User): Promise<boolean> {
    return this.#db.insert(users).values(user).onConflictDoNothing().returning().all().length === 1
  }

  /** Adds a sign-in; what has run out, and what is too many, goes. */
  async insertSession(session: Session, nowMs: number): Promise<void> {
    this.#db.transaction((tx) => {
      tx.delete(sessions).where(lt(sessions.expiresAtMs, nowMs)).run()
      tx.insert(sessions).values(session).run()
      const ofUser = tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, session.userId))
      const surplus = ofUser.orderBy(desc(sessions.createdAtMs)).all().slice(SESSIONS_PER_USER_MAX)
      for (const { id } of surplus) tx.delete(sessions).where(eq(sessions.id, id)).run()
      tx.update(users).set({ lastSignInAtMs: nowMs }).where(eq(users.id, session.userId)).run()
    })
  }

  /**
   * Judges a presented refresh token against its session and carries the judgement out, as one act: two renewals at once
   * cannot both rotate, and a session whose token was reused is gone when this returns.
   */
  async renewSession(
    sessionId: string,
    judge: (session: Session) => Renewal,
    renewed: (successor: string) => Pick<Session, 'currentHash' | 'rotatedAtMs' | 'expiresAtMs'>,
  ): Promise<{ renewal: Renewal; user: User | undefined }> {
    return this.#db.transaction((tx) => {
      const session = tx.select().from(sessions).where(eq(sessions.id, sessionId)).get()
      if (session === undefined) return { renewal: { kind: 'unknown' } as const, user: undefined }
      const renewal = judge(session)
      const ofSession = eq(sessions.id, sessionId)
      if (renewal.kind === 'reused') tx.delete(sessions).where(ofSession).run()
      if (renewal.kind === 'rotate') {
        const generation = session.generation + 1
        tx.update(sessions)
          .set({ ...renewed(renewal.successor), generation })
          .where(ofSession)
          .run()
      }
      return { renewal, user: tx.select().from(users).where(eq(users.id, session.userId)).get() }
    })
  }

  /** Ends every session of the user; access tokens of the epoch before are void at once. */
  async endSessions(userId: string): Promise<void> {
    this.#db.transaction((tx) => {
      const user = tx.select({ epoch: users.epoch }).from(users).where(eq(users.id, userId)).get()
      if (user === undefined) return
      tx.update(users)
        .set({ epoch: user.epoch + 1 })
        .where(eq(users.id, userId))
        .run()
      tx.delete(sessions).where(eq(sessions.userId, userId)).run()
    })
  }

  /**
   * Changes a user; a new password ends all sessions but `keepSessionId`. Undefined when there is no such user, `'taken'` when
   * the address belongs to another one.
   */
  async changeUser(
    userId: string,
    change: ProfileChange,
    keepSessionId: string | null,
    nowMs: number,
  ): Promise<User | 'taken' | undefined> {
    return this.#db.transaction((tx) => {
      const user = tx.select().from(users).where(eq(users.id, userId)).get()
      if (user === undefined) return undefined
      if (change.email !== undefined && isTaken(tx, change.email, userId)) return 'taken' as const
      const next = revised(user, { ...user, ...change }, nowMs)
      tx.update(users).set(next).where(eq(users.id, userId)).run()
      if (change.passwordHash !== undefined) endOthers(tx, userId, keepSessionId)
      return next
    })
  }

  /** The keys that access tokens may be signed with, the newest first. */
  async signingKeys(): Promise<readonly (typeof signingKeys.$inferSelect)[]> {
    return this.#db.select().from(signingKeys).orderBy(desc(signingKeys.createdAtMs)).all()
  }

  /** Adds a key and retires its predecessor; those retired before `forgetBeforeMs` go. */
  async addSigningKey(key: { kid: string; sealed: string }, nowMs: number, forgetBeforeMs: number): Promise<void> {
    this.#db.transaction((tx) => {
      tx.delete(signingKeys).where(lt(signingKeys.retiredAtMs, forgetBeforeMs)).run()
      tx.update(signingKeys).set({ retiredAtMs: nowMs }).where(isNull(signingKeys.retiredAtMs)).run()
      tx.insert(signingKeys)
        .values({ ...key, createdAtMs: nowMs, retiredAtMs: null })
        .run()
    })
  }
}

function hasOwner(db: Queries): boolean {
  return db.select({ id: users.id }).from(users).where(eq(users.role, 'owner')).limit(1).get() !== undefined
}

function isTaken(db: Queries, email: string, exceptUserId: string): boolean {
  const other = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), ne(users.id, exceptUserId)))
  return other.get() !== undefined
}

function endOthers(db: Queries, userId: string, keepSessionId: string | null): void {
  const ofUser = eq(sessions.userId, userId)
  const doomed = keepSessionId === null ? ofUser : and(ofUser, ne(sessions.id, keepSessionId))
  db.delete(sessions).where(doomed).run()
}
