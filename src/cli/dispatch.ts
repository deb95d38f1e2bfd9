import { type Environment, readConfig } from '../config.ts'
import { parseArguments } from './arguments.ts'
import { type Command, EXIT, type ExitCode, type Terminal } from './command.ts'
import { commandHelp, overview } from './help.ts'

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
  const [first] = argv
  if (first === '--help' || first === '-h' || first === 'help') return show(terminal, overview(commands))
  const found = findCommand(commands, first === '--version' ? ['version', ...argv.slice(1)] : argv)
  if (found === undefined) return refuse(terminal, unknownCommand(commands, first ?? ''))
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

function unknownCommand(commands: readonly Command[], first: string): string {
  const below = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name)
  if (below.length > 0) return `signalbox ${first} needs one more word: ${below.join(', ')}`
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
