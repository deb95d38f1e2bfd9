import type { StartFailure } from '../app.ts'
import type { Config } from '../config.ts'
import { EXIT, type ExitCode, type Terminal } from './command.ts'

/** Says in one line why the data folder or the port could not be taken, and what helps. */
export function refuseStart(terminal: Terminal, failure: StartFailure, { dataDir }: Config): ExitCode {
  terminal.tell(`signalbox: ${failure.message}`)
  if (failure.kind !== 'locked') return EXIT.failure
  terminal.tell(`signalbox: stop it first, or use the dashboard of the one that runs on ${dataDir}`)
  return EXIT.locked
}
