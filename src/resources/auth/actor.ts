/** Roles of dashboard users, the most powerful first. */
export const ROLES = ['owner', 'admin', 'editor', 'viewer', 'member'] as const
export type Role = (typeof ROLES)[number]

/** Who is calling the dashboard. */
export interface Actor {
  readonly id: string
  readonly email: string
  readonly role: Role
  /** The sign-in that the access token belongs to. */
  readonly sessionId: string
}

/** A call as services see it: who, from where, under which request id. */
export interface Caller {
  readonly actor: Actor
  readonly requestId: string
  /** The client's address; null when it cannot be known. */
  readonly address: string | null
}

/** Whoever is at the machine itself, where nobody signs in, or the program on its own. */
export const LOCAL = { actor: null, requestId: null, address: null } as const

/** Who may manage things: somebody who has signed in, or a command. */
export type Acting = Caller | typeof LOCAL
