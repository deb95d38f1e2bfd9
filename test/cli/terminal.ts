import { createApp, type App } from '../../src/app.ts'
import type { Command } from '../../src/cli/command.ts'
import { dispatch } from '../../src/cli/dispatch.ts'
import { readConfig } from '../../src/config.ts'
import { value } from '../support/dashboard.ts'

export interface Ran {
  readonly code: number
  readonly printed: string
  readonly told: string
  /** Both, as they came. */
  readonly output: string
}

/** Runs a command upon a data folder. `answer`: what the person at the terminal says; undefined when there is none. */
export async function runCommand(
  command: Command,
  argv: readonly string[],
  dataDir: string,
  answer?: boolean,
): Promise<Ran> {
  const [printed, told, output]: [string[], string[], string[]] = [[], [], []]
  const terminal = {
    print: (line: string) => void (printed.push(line), output.push(line)),
    tell: (line: string) => void (told.push(line), output.push(line)),
    readSecret: async () => undefined,
    confirm: async (question: string) => (told.push(question), answer),
    colours: false,
  }
  const words = [...command.name.split(' '), ...argv, '--data-dir', dataDir]
  const code = await dispatch([command], words, { HOME: dataDir }, terminal)
  return { code, printed: printed.join('\n'), told: told.join('\n'), output: output.join('\n') }
}

/** The program upon the same folder, while no command runs. */
export async function openApp(dataDir: string): Promise<App> {
  return value(await createApp(value(readConfig({ 'data-dir': dataDir }, { HOME: dataDir }))))
}
