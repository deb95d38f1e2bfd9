import type { User } from '../resources/auth/store.ts'
import { type Call, type Command, EXIT, type ExitCode, type Flag, JSON_FLAG, textFlag } from './command.ts'
import { tellRefusal, withApp } from './with-app.ts'

const EMAIL: Flag = { value: '<address>', help: 'whom it is about; the password is asked for, or read from a pipe' }
/** Acts from the machine itself: no request, no address. */
const LOCAL = { requestId: null, address: null } as const

export const createUser: Command = {
  name: 'user create',
  summary: 'add an owner, who may do everything',
  settings: ['data-dir'],
  flags: { email: EMAIL },
  run: (call) =>
    withCredentials(call, 'Password: ', (email, password) =>
      withApp(call, async (app) => {
        const created = await app.auth.createUser({ email, password }, 'owner', LOCAL)
        if (!created.ok) return tellRefusal(call.terminal, created.error)
        call.terminal.print(`${created.value.email} is an owner now`)
        return EXIT.ok
      }),
    ),
}

export const resetPassword: Command = {
  name: 'user reset-password',
  summary: 'give a user a new password and end their sessions',
  settings: ['data-dir'],
  flags: { email: EMAIL },
  run: (call) =>
    withCredentials(call, 'New password: ', (email, password) =>
      withApp(call, async (app) => {
        const changed = await app.auth.resetPassword({ email, password }, LOCAL)
        if (!changed.ok) return tellRefusal(call.terminal, changed.error)
        call.terminal.print(`${changed.value.email} has a new password; every session has ended`)
        return EXIT.ok
      }),
    ),
}

export const listUsers: Command = {
  name: 'user list',
  summary: 'list who may sign in to the dashboard',
  settings: ['data-dir'],
  flags: { json: JSON_FLAG },
  run: (call) =>
    withApp(call, async (app) => {
      const users = (await app.auth.listUsers()).map(shown)
      const lines = users.map(({ id, role, email }) => `${id}  ${role.padEnd(6)}  ${email}`)
      call.terminal.print(call.flags['json'] === true ? JSON.stringify(users) : lines.join('\n'))
      return EXIT.ok
    }),
}

/** Never takes a password from the arguments: every user of the machine can read those. */
async function withCredentials(
  { flags, terminal }: Call,
  question: string,
  use: (email: string, password: string) => Promise<ExitCode>,
): Promise<ExitCode> {
  const email = textFlag(flags, 'email')
  if (email === undefined) {
    terminal.tell('signalbox: --email is needed')
    return EXIT.usage
  }
  const password = await terminal.readSecret(question)
  if (password !== undefined && password !== '') return use(email, password)
  terminal.tell('signalbox: no password was given')
  return EXIT.usage
}

function shown({ id, email, role, createdAtMs, lastSignInAtMs }: User) {
  const lastSignInAt = lastSignInAtMs === null ? null : new Date(lastSignInAtMs).toISOString()
  return { id, email, role, created_at: new Date(createdAtMs).toISOString(), last_sign_in_at: lastSignInAt }
}
