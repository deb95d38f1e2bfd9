import { type Static, Type } from '@sinclair/typebox'
import { SECOND_MS } from '../../core/duration.ts'
import { choice } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { ROLES } from './actor.ts'
import { PASSWORD_LENGTH_MAX } from './password.ts'
import type { IssuedSession, SetUpState } from './service.ts'
import type { User } from './store.ts'

const Email = Type.String({ minLength: 3, maxLength: 254 })
/** Twice the bound in UTF-16 units: the service counts characters. */
const Password = Type.String({ minLength: 1, maxLength: 2 * PASSWORD_LENGTH_MAX })
const Token = Type.String({ minLength: 1, maxLength: 200 })

export const SignInBody = Type.Object({ email: Email, password: Password }, CLOSED)
export const SetUpBody = Type.Object({ token: Token, email: Email, password: Password }, CLOSED)
export const RefreshBody = Type.Object({ refresh_token: Token }, CLOSED)
export const ProfileBody = Type.Object(
  { email: Type.Optional(Email), password: Type.Optional(Password), current_password: Password },
  CLOSED,
)

export const SetUpWire = Type.Object(
  {
    needed: Type.Boolean(),
    link_expires_in_s: Type.Union([Type.Integer(), Type.Null()], {
      description: 'until the set-up link that the console shows runs out; null when there is none',
    }),
  },
  CLOSED,
)

export const SessionWire = Type.Object(
  {
    uid: Type.String(),
    email: Type.String(),
    access_token: Type.String(),
    refresh_token: Type.String(),
    expires_in: Type.Integer({ description: 'seconds until the access token runs out' }),
  },
  CLOSED,
)

export const ProfileWire = Type.Object(
  {
    uid: Type.String(),
    email: Type.String(),
    role: choice(ROLES),
    created_at: Type.String(),
    last_sign_in_at: Type.Union([Type.String(), Type.Null()]),
  },
  CLOSED,
)

export function setUpToWire({ needed, linkLeftMs }: SetUpState): Static<typeof SetUpWire> {
  return { needed, link_expires_in_s: linkLeftMs === null ? null : Math.ceil(linkLeftMs / SECOND_MS) }
}

export function sessionToWire(session: IssuedSession): Static<typeof SessionWire> {
  return {
    uid: session.userId,
    email: session.email,
    access_token: session.accessToken,
    refresh_token: session.refreshToken,
    expires_in: session.expiresInS,
  }
}

export function profileToWire(user: User): Static<typeof ProfileWire> {
  return {
    uid: user.id,
    email: user.email,
    role: user.role,
    created_at: new Date(user.createdAtMs).toISOString(),
    last_sign_in_at: user.lastSignInAtMs === null ? null : new Date(user.lastSignInAtMs).toISOString(),
  }
}
