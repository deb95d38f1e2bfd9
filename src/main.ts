/**
 * Process entry. Options for the runtime that somebody left in the environment have worked when a process starts: it replaces
 * itself by one without them. Then the command line takes over.
 */
import type { Environment } from './config.ts'

/** They would put arguments before ours, or load code into us. */
const RUNTIME_OPTIONS = ['BUN_OPTIONS', 'NODE_OPTIONS'] as const
const HOLD_MS = 3_600_000

void start()

async function start(): Promise<void> {
  const options = RUNTIME_OPTIONS.filter((name) => process.env[name] !== undefined)
  if (options.length > 0) await startAgain(options)
  // The program's own timers hold nothing: without this one the process could end in the middle of a drain.
  setInterval(() => {}, HOLD_MS)
  // Loaded only now: the first of the two processes has no use for the program.
  const { main } = await import('./cli/index.ts')
  const code = await main(process.argv.slice(2), process.env)
  // Ends here although something may still hold the event loop, but not before the last line is out.
  process.stdout.write('', () => process.exit(code))
}

/** Never returns: the process is replaced, or waits for its successor where the system cannot replace it. */
async function startAgain(dropped: readonly string[]): Promise<never> {
  process.stderr.write(`signalbox: ${dropped.join(' and ')} ignored\n`)
  const env = without(process.env, dropped)
  const command = [process.execPath, ...ownArguments()]
  if (process.execve !== undefined && process.platform !== 'win32') process.execve(process.execPath, command, env)
  process.exit(await runChild(command, env))
}

/** What follows the program: from source that is the script too, in an executable the script is inside. */
function ownArguments(): readonly string[] {
  return process.argv.slice(Bun.isStandaloneExecutable ? 2 : 1)
}

function without(env: Environment, names: readonly string[]): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)))
}

async function runChild(command: string[], env: Environment): Promise<number> {
  const child = Bun.spawn(command, { env: { ...env }, stdin: 'inherit', stdout: 'inherit', stderr: 'inherit' })
  // The child decides when it has drained; a signal to both must not leave it behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return child.exited
}
