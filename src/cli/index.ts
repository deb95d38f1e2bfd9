import type { Environment } from '../config.ts'
import { verifyAudit } from './audit.ts'
import { backup } from './backup.ts'
import { type Command, EXIT, type ExitCode } from './command.ts'
import { dispatch } from './dispatch.ts'
import { doctor } from './doctor.ts'
import { importFile } from './import.ts'
import { createKey } from './key.ts'
import { probe } from './probe.ts'
import { restore } from './restore.ts'
import { serve } from './serve.ts'
import { processTerminal } from './terminal.ts'
import { createUser, listUsers, resetPassword } from './user.ts'
import { version } from './version.ts'

/** In the order in which the help lists them; the first one runs when none is named. */
const COMMANDS: readonly [Command, ...Command[]] = [
  serve,
  createUser,
  resetPassword,
  listUsers,
  createKey,
  importFile,
  probe,
  verifyAudit,
  backup,
  restore,
  doctor,
  version,
]

/** Runs the command of `argv` on this process's terminal. What no command foresaw becomes one line and exit code 1. */
export async function main(argv: readonly string[], env: Environment): Promise<ExitCode> {
  const terminal = processTerminal()
  try {
    return await dispatch(COMMANDS, argv, env, terminal)
  } catch (error) {
    terminal.tell(`signalbox: ${error instanceof Error ? error.message : String(error)}`)
    return EXIT.failure
  }
}
