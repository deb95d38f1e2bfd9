import { type Environment, readConfig } from '../config.ts'
import { parseArguments } from './arguments.ts'
import { type Command, EXIT, type ExitCode, type Terminal } from './command.ts'
import { commandHelp, groupHelp, overview } from './help.ts'

/**
 * Runs what `argv`, without program and script, asks for; the first of `commands` when it names none. A usage error is one
 * line that says what is wrong.
 */
export async function dispatch(
  commands: readonly [Command, ...Command[]],
  argv: readonly string[],
  env: Environment,
  terminal: Terminal,
): Promise<ExitCode> {
  const [first = '', second] = argv
  if (asksForHelp(first)) return show(terminal, overview(commands))
  const group = commandsBelow(commands, first)
  if (group.length > 0 && asksForHelp(second)) return show(terminal, groupHelp(first, group))
  const found = findCommand(commands, first === '--version' ? ['version', ...argv.slice(1)] : argv)
  if (found === undefined) return refuse(terminal, unknownCommand(group, first))
  const { command, rest } = found
  const parsed = parseArguments(command, rest)
  if (!parsed.ok) return refuse(terminal, `${parsed.error.message} (see signalbox ${command.name} --help)`)
  if (parsed.value.help) return show(terminal, commandHelp(command))
  const config = readConfig(parsed.value.settings, env)
  if (!config.ok) return refuse(terminal, config.error.message)
  const { flags, operand } = parsed.value
  return command.run({ config: config.value, flags, operand, terminal })
}

interface Found {
  readonly command: Command
  readonly rest: readonly string[]
}

function findCommand(commands: readonly [Command, ...Command[]], argv: readonly string[]): Found | undefined {
  if (argv[0] === undefined || argv[0].startsWith('-')) return { command: commands[0], rest: argv }
  for (const words of [2, 1]) {
    const command = commands.find(({ name }) => name === argv.slice(0, words).join(' '))
    if (command !== undefined) return { command, rest: argv.slice(words) }
  }
  return undefined
}

function asksForHelp(word: string | undefined): boolean {
  return word === '--help' || word === '-h' || word === 'help'
}

function commandsBelow(commands: readonly Command[], word: string): readonly Command[] {
  return commands.filter(({ name }) => name.startsWith(`${word} `))
}

function unknownCommand(group: readonly Command[], first: string): string {
  if (group.length > 0) return `signalbox ${first} needs one more word: ${group.map(({ name }) => name).join(', ')}`
  return `unknown command ${JSON.stringify(first)} (see signalbox --help)`
}

function refuse(terminal: Terminal, message: string): ExitCode {
  terminal.tell(`signalbox: ${message}`)
  return EXIT.usage
}

function show(terminal: Terminal, text: string): ExitCode {
  terminal.print(text)
  return EXIT.ok
}
