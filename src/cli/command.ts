/**
 * Command line: one file per command, listed in index.ts. Commands read no environment and open no connection; they get a
 * Config, talk to a Terminal and return the exit code. What a build does not have is not listed.
 */
import type { Config, SettingName } from '../config.ts'

export const EXIT = { ok: 0, failure: 1, usage: 2, locked: 3 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

export interface Command {
  /** The words that name it, as typed. */
  readonly name: string
  readonly summary: string
  /** The settings that it takes as flags; their variables count everywhere. */
  readonly settings: readonly SettingName[]
  readonly flags: Readonly<Record<string, Flag>>
  /** What stands for the one argument that is not a flag, and is then needed. */
  readonly operand?: string
  run(call: Call): Promise<ExitCode>
}

export interface Flag {
  /** What stands for the value in the help; absent for a switch. */
  readonly value?: string
  readonly help: string
}

export interface Call {
  readonly config: Config
  /** What was given, without settings. */
  readonly flags: FlagValues
  /** Of a command that takes one; empty otherwise. */
  readonly operand: string
  readonly terminal: Terminal
}

/** A switch that was given is `true`. */
export type FlagValues = Readonly<Record<string, string | true>>

/** The streams of the process. Lines are written whole and come without their line end. */
export interface Terminal {
  /** Data and the ready line. */
  print(line: string): void
  /** What a person should know: errors, hints, questions. */
  tell(line: string): void
  /** Asks without showing what is typed, or takes the next line of a pipe; undefined when input has ended. */
  readSecret(question: string): Promise<string | undefined>
  /** Asks a person at a terminal; undefined when nobody is there to answer. */
  confirm(question: string): Promise<boolean | undefined>
  /** Colours are understood. */
  readonly colours: boolean
}

export const JSON_FLAG: Flag = { help: 'write data as JSON' }

/** A flag's text; undefined when it was not given. */
export function textFlag(flags: FlagValues, name: string): string | undefined {
  const value = flags[name]
  return value === true ? undefined : value
}
