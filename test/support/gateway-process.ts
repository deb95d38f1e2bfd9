/**
 * The program as its own process, started from an executable as a person would: what it prints, where it listens, how it ends.
 * The environment is empty unless a test fills it, so nothing of this machine leaks in.
 */
const READY_MS_MAX = 15_000

export interface GatewayOptions {
  readonly executable: readonly [string, ...string[]]
  readonly dataDir: string
  readonly workingDir?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export interface GatewayProcess {
  readonly url: string
  readonly pid: number
  /** Undefined once there is an owner. */
  readonly setupToken: string | undefined
  /** Everything printed so far. */
  output(): string
  signal(signal: 'SIGTERM' | 'SIGKILL' | 'SIGINT'): void
  readonly exited: Promise<number>
}

interface Event {
  readonly msg: string
  readonly url: string
}

/** Resolves when it accepts requests; rejects with what it printed when it ends before, or takes too long. */
export async function startGateway(options: GatewayOptions): Promise<GatewayProcess> {
  const { executable, dataDir, workingDir = dataDir, args = [], env = {} } = options
  const child = Bun.spawn(
    [...executable, 'serve', '--port', '0', '--data-dir', dataDir, '--log-format', 'json', ...args],
    {
      cwd: workingDir,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const printed: string[] = []
  const ready = Promise.withResolvers<Event>()
  const setUp = Promise.withResolvers<Event>()
  void readLines(child.stderr, (line) => void printed.push(line))
  void readLines(child.stdout, (line) => {
    printed.push(line)
    if (line.includes('"msg":"listening"')) ready.resolve(JSON.parse(line))
    if (line.includes('"msg":"set-up"')) setUp.resolve(JSON.parse(line))
  })
  const tooLate = setTimeout(() => child.kill('SIGKILL'), READY_MS_MAX)
  const ended = child.exited.then((code): never => {
    throw new Error(`the gateway ended with ${code} before it was ready:\n${printed.join('\n')}`)
  })
  const { url } = await Promise.race([ready.promise, ended]).finally(() => clearTimeout(tooLate))
  // From here on its end is nothing unexpected.
  ended.catch(() => {})
  return {
    url,
    pid: child.pid,
    setupToken: (await isSetUpNeeded(url)) ? tokenOf((await setUp.promise).url) : undefined,
    output: () => printed.join('\n'),
    signal: (signal) => child.kill(signal),
    exited: child.exited,
  }
}

async function isSetUpNeeded(url: string): Promise<boolean> {
  const answer = (await (await fetch(`${url}/v1/auth/setup`)).json()) as { data: { needed: boolean } }
  return answer.data.needed
}

function tokenOf(link: string): string {
  return new URL(link).hash.slice('#token='.length)
}

async function readLines(stream: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  }
  if (rest !== '') take(rest)
}
