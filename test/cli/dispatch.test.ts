import { describe, expect, test } from 'bun:test'
import { type Call, type Command, EXIT, type Terminal } from '../../src/cli/command.ts'
import { dispatch } from '../../src/cli/dispatch.ts'

interface Ran {
  readonly code: number
  readonly printed: string
  readonly told: string
  readonly calls: readonly (Call & { readonly command: string })[]
}

async function run(argv: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const calls: (Call & { command: string })[] = []
  const command = (name: string, more: Partial<Command> = {}): Command => ({
    name,
    summary: `does ${name}`,
    settings: ['data-dir'],
    flags: {},
    run: (call) => {
      calls.push({ ...call, command: name })
      return Promise.resolve(EXIT.ok)
    },
    ...more,
  })
  const commands = [
    command('serve', { settings: ['data-dir', 'port'] }),
    command('user create', { flags: { email: { value: '<address>', help: 'who' }, json: { help: 'as JSON' } } }),
    command('user list'),
    command('version'),
  ] as const
  const lines: { printed: string[]; told: string[] } = { printed: [], told: [] }
  const terminal: Terminal = {
    print: (line) => void lines.printed.push(line),
    tell: (line) => void lines.told.push(line),
    readSecret: () => Promise.resolve(undefined),
    confirm: () => Promise.resolve(undefined),
    colours: false,
  }
  const code = await dispatch(commands, argv, { HOME: '/h', ...env }, terminal)
  return { code, printed: lines.printed.join('\n'), told: lines.told.join('\n'), calls }
}

describe('which command runs', () => {
  const cases: [string, string][] = [
    ['', 'serve'],
    ['serve', 'serve'],
    ['--port 0', 'serve'],
    ['user create --email a@b.example', 'user create'],
    ['user list', 'user list'],
    ['--version', 'version'],
  ]
  for (const [line, command] of cases) {
    test(`\`signalbox ${line}\` runs ${command}`, async () => {
      const { code, calls } = await run(line.split(' ').filter(Boolean))
      expect({ code, ran: calls.map((call) => call.command) }).toEqual({ code: EXIT.ok, ran: [command] })
    })
  }

  test('it gets its settings as configuration and its own flags as given', async () => {
    const { calls } = await run(['user', 'create', '--email=a@b.example', '--json', '--data-dir', '/d'])
    expect(calls[0]?.flags).toEqual({ email: 'a@b.example', json: true })
    expect(calls[0]?.config.dataDir).toBe('/d')
  })
})

for (const line of ['user --help', 'user -h', 'user help']) {
  test(`\`signalbox ${line}\` shows the commands below it, and runs none`, async () => {
    const { code, printed, calls } = await run(line.split(' '))
    expect({ code, calls }).toEqual({ code: EXIT.ok, calls: [] })
    expect(printed.split('\n')).toEqual([
      'Usage: signalbox user <command> [flags]',
      '',
      '  user create  does user create',
      '  user list    does user list',
      '',
      'signalbox <command> --help tells more.',
    ])
  })
}

describe('a usage error is one line that names what is wrong, and exit code 2', () => {
  const cases: [string, string][] = [
    ['fly', 'unknown command "fly"'],
    ['user', 'signalbox user needs one more word: user create, user list'],
    ['serve --prot 1', 'unknown flag --prot'],
    ['-x', 'unknown flag -x'],
    ['serve --no-port', 'unknown flag --no-port'],
    ['serve extra', 'unexpected argument "extra"'],
    ['serve --port', '--port needs a value: <number>'],
    ['serve --port x', '--port: "x" is not a port from 0 to 65535'],
    ['user create --json=yes', '--json takes no value'],
    ['user list --port 1', 'unknown flag --port'],
  ]
  for (const [line, message] of cases) {
    test(`\`signalbox ${line}\`: ${message}`, async () => {
      const { code, told, calls } = await run(line.split(' '))
      expect(told.split('\n')).toHaveLength(1)
      expect(told).toStartWith(`signalbox: ${message}`)
      expect({ code, calls }).toEqual({ code: EXIT.usage, calls: [] })
    })
  }

  test('a bad variable is named like a flag', async () => {
    const { code, told } = await run([], { SIGNALBOX_PORT: 'many' })
    expect({ code, told }).toEqual({ code: 2, told: 'signalbox: SIGNALBOX_PORT: "many" is not a port from 0 to 65535' })
  })
})

describe('help', () => {
  test('lists every command', async () => {
    const { code, printed } = await run(['--help'])
    expect(code).toBe(EXIT.ok)
    for (const name of ['serve', 'user create', 'user list', 'version']) expect(printed).toContain(`  ${name}`)
  })

  test('of a command lists its flags, their values and their variables, and runs nothing', async () => {
    const { printed, calls } = await run(['serve', '--port', 'x', '--help'])
    expect(printed).toContain('--port <number>')
    expect(printed).toContain('SIGNALBOX_PORT')
    expect(calls).toEqual([])
  })
})
