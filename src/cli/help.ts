import { flagsOf } from './arguments.ts'
import type { Command, Flag } from './command.ts'

/** What `signalbox --help` shows. */
export function overview(commands: readonly Command[]): string {
  const usage = 'Usage: signalbox [command] [flags]     without a command: serve'
  return ['signalbox: a routing gateway for AI models', '', usage, '', ...listOf(commands)].join('\n')
}

/** What `signalbox user --help` shows, where there are `user create` and others. */
export function groupHelp(word: string, commands: readonly Command[]): string {
  return [`Usage: signalbox ${word} <command> [flags]`, '', ...listOf(commands)].join('\n')
}

function listOf(commands: readonly Command[]): readonly string[] {
  const width = Math.max(...commands.map(({ name }) => name.length))
  return [
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'signalbox <command> --help tells more.',
  ]
}

/** What `signalbox <command> --help` shows. */
export function commandHelp(command: Command): string {
  const flags = Object.entries(flagsOf(command)).map(([name, flag]): [string, string] => [
    heading(name, flag),
    flag.help,
  ])
  const width = Math.max(...flags.map(([head]) => head.length))
  return [
    `signalbox ${[command.name, command.operand].filter(Boolean).join(' ')}: ${command.summary}`,
    '',
    ...flags.map(([head, help]) => `  ${head.padEnd(width)}  ${help}`),
  ].join('\n')
}

function heading(name: string, { value }: Flag): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`
}
