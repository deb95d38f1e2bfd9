/**
 * `bun run build [--all]`: the program and everything it needs as one executable. dist/signalbox for this machine, or one for
 * every system in TARGETS with SHA256SUMS beside them. The same commit gives the same bytes.
 */
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { freshWeb } from './build-web.ts'

const ROOT = join(import.meta.dir, '..')
const DIST = join(ROOT, 'dist')

/** Where the process begins, and the workers that it starts by address. */
const ENTRIES = [
  'src/main.ts',
  'src/db/flush-worker.ts',
  'src/db/reader-worker.ts',
  'src/ledger/keeping/keeper-worker.ts',
]

const TARGETS = {
  'linux-x64': 'bun-linux-x64',
  'linux-arm64': 'bun-linux-arm64',
  'linux-x64-musl': 'bun-linux-x64-musl',
  'linux-arm64-musl': 'bun-linux-arm64-musl',
  'darwin-x64': 'bun-darwin-x64',
  'darwin-arm64': 'bun-darwin-arm64',
  'windows-x64': 'bun-windows-x64',
} as const satisfies Record<string, Bun.Build.CompileTarget>

if (import.meta.main) await main(process.argv.slice(2))

async function main(argv: readonly string[]): Promise<void> {
  mkdirSync(DIST, { recursive: true })
  if (!argv.includes('--all')) return void console.log(await build(join(DIST, 'signalbox')))
  const paths: string[] = []
  for (const [name, target] of Object.entries(TARGETS)) {
    const path = await build(join(DIST, `signalbox-${name}${name.startsWith('windows') ? '.exe' : ''}`), target)
    paths.push(path)
    console.log(path)
  }
  await writeSums(paths)
}

/** Compiles for `target`, this machine when absent; returns the path of the executable. Throws when it does not compile. */
export async function build(outfile: string, target?: Bun.Build.CompileTarget): Promise<string> {
  rmSync(outfile, { force: true })
  const web = await freshWeb()
  const built = await Bun.build({
    entrypoints: ENTRIES.map((entry) => join(ROOT, entry)),
    root: join(ROOT, 'src'),
    target: 'bun',
    // Bytecode as CommonJS would freeze this machine's paths into `import.meta`: the executable would look here for its worker.
    format: 'esm',
    bytecode: true,
    minify: true,
    sourcemap: 'linked',
    define: { SIGNALBOX_COMMIT: JSON.stringify(commit()) },
    compile: {
      outfile,
      assets: [join(ROOT, 'drizzle'), web],
      // Whatever lies in the folder it is started in is none of its business.
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...(target === undefined ? {} : { target }),
    },
  })
  if (!built.success) throw new AggregateError(built.logs, `${basename(outfile)} does not compile`)
  chmodSync(outfile, 0o755)
  return outfile
}

/** Marked when the tree differs from it; `unknown` outside a repository. */
function commit(): string {
  const described = Bun.spawnSync(['git', 'describe', '--always', '--dirty', '--exclude=*'], { cwd: ROOT })
  return described.success ? described.stdout.toString().trim() : 'unknown'
}

/** In the form that `sha256sum --check` reads. */
async function writeSums(paths: readonly string[]): Promise<void> {
  const lines = await Promise.all(
    paths.map(async (path) => {
      const digest = new Bun.CryptoHasher('sha256').update(await Bun.file(path).bytes()).digest('hex')
      return `${digest}  ${basename(path)}\n`
    }),
  )
  await Bun.write(join(DIST, 'SHA256SUMS'), lines.join(''))
}
