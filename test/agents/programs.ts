/**
 * The agents' own programs, from npm in exact versions, in a cache folder outside the repository. Only the package of this
 * platform is fetched and no script of it is run: what is started is the binary inside it.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export interface Programs {
  readonly claude: string
  readonly codex: string
  readonly opencode: string
}

interface Release {
  /** What npm is asked for, version included. */
  readonly wanted: (platform: string) => string
  /** The program inside the package. */
  readonly path: (triple: string) => string
}

/** Raised by hand, together with what the tests expect of them. */
const RELEASES: Readonly<Record<keyof Programs, Release>> = {
  claude: { wanted: (platform) => `@anthropic-ai/claude-code-${platform}@2.1.330`, path: () => 'claude' },
  codex: { wanted: (platform) => `@openai/codex@0.169.0-${platform}`, path: (triple) => `vendor/${triple}/bin/codex` },
  opencode: { wanted: (platform) => `opencode-${platform}@1.18.33`, path: () => 'bin/opencode' },
}

const TRIPLES: Readonly<Record<string, string>> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
}

/** Where the programs are kept between runs: about 600 MB. */
const CACHE = process.env['SIGNALBOX_AGENTS_DIR'] ?? join(homedir(), '.cache', 'signalbox-agents')

/** Fetches what is missing, which takes a minute or two the first time. Throws where npm has no program for this platform. */
export async function installPrograms(): Promise<Programs> {
  const platform = `${process.platform}-${process.arch}`
  const triple = TRIPLES[platform]
  if (triple === undefined) throw new Error(`there are no agents for ${platform}`)
  const [claude, codex, opencode] = await Promise.all([
    install('claude', platform, triple),
    install('codex', platform, triple),
    install('opencode', platform, triple),
  ])
  return { claude, codex, opencode }
}

async function install(name: keyof Programs, platform: string, triple: string): Promise<string> {
  const { path } = RELEASES[name]
  const wanted = RELEASES[name].wanted(platform)
  const home = join(CACHE, wanted.replaceAll(/[^\w.-]+/g, '_'))
  const program = join(home, 'node_modules', packageFolder(wanted), path(triple))
  if (existsSync(program)) return program
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), '{"private": true}\n')
  const npm = Bun.spawn(['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', wanted], {
    cwd: home,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if ((await npm.exited) !== 0 || !existsSync(program)) throw new Error(`npm could not install ${wanted}`)
  return program
}

/** `@scope/name` of `@scope/name@version`. */
function packageFolder(wanted: string): string {
  return wanted.slice(0, wanted.lastIndexOf('@'))
}
