/**
 * The dashboard's files as answers. The only file of this folder that runs in the server; everything else runs in a browser and
 * knows the server through its REST API alone. Invariant: whatever leaves here carries the content security policy, under which
 * no script or style runs that is not one of these files.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What scripts/build-web.ts has built. */
export interface Manifest {
  /** Addresses of pages, `$name` standing for one segment. */
  readonly pages: readonly string[]
  readonly assets: readonly string[]
  /** Names of the documentation's pages; `index` is /docs itself. */
  readonly docs: readonly string[]
}

export interface Dashboard {
  /** The answer to a GET or HEAD of a page or an asset; undefined for whatever is not the dashboard's. */
  serve(request: Request): Response | undefined
}

interface Asset {
  readonly type: string
  readonly identity: Uint8Array<ArrayBuffer>
  readonly br: Uint8Array<ArrayBuffer> | undefined
  readonly gzip: Uint8Array<ArrayBuffer> | undefined
}

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ')

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
} as const

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
}
const ASSET_PREFIX = '/assets/'
/** Sign-in and set-up are a page of their own: they load a third of what the others need. */
const DOOR_PATHS: ReadonlySet<string> = new Set(['/sign-in', '/setup'])
/** The documentation's index; its pages are below. Anybody may read it. */
const DOCS_PATH = '/docs'
/** What belongs to programs answers a mistaken address in its own words. */
const API_PREFIX = /^\/(v1|v1beta|api|skills|health)(\/|$)/
const UNBUILT = 'The dashboard is not built. Run: bun run build:web\n'

/**
 * Reads every file once. `assetsDir` holds `dist/web` in a working tree and `web` inside the executable; with neither, pages
 * answer 503 and say what to run.
 */
export function openDashboard(assetsDir: string): Dashboard {
  const folder = [join(assetsDir, 'dist', 'web'), join(assetsDir, 'web')].find((path) =>
    existsSync(join(path, 'manifest.json')),
  )
  return folder === undefined ? unbuilt : built(folder)
}

const unbuilt: Dashboard = {
  serve: (request) => {
    const { pathname } = new URL(request.url)
    const isPage = pathname === '/' || DOOR_PATHS.has(pathname)
    return isPage ? new Response(UNBUILT, { status: 503, headers: { 'cache-control': 'no-store' } }) : undefined
  },
}

function built(folder: string): Dashboard {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest // our own build wrote it
  const assets = new Map(manifest.assets.map((name) => [name, readAsset(join(folder, 'assets', name))]))
  const html = {
    app: readFileSync(join(folder, 'index.html'), 'utf8'),
    door: readFileSync(join(folder, 'door.html'), 'utf8'),
  }
  const docs = readDocs(folder, manifest)
  const isPage = matcherOf(manifest.pages)
  return {
    serve(request) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
      const { pathname } = new URL(request.url)
      if (pathname.startsWith(ASSET_PREFIX)) {
        const asset = assets.get(pathname.slice(ASSET_PREFIX.length))
        return asset && answerAsset(asset, request)
      }
      if (DOOR_PATHS.has(pathname)) return answerPage(html.door, 200, request)
      if (isPage(pathname)) return answerPage(html.app, 200, request)
      const document = docs.get(pathname)
      if (document !== undefined) return answerPage(document, 200, request)
      if (pathname.startsWith(`${DOCS_PATH}/`)) return answerPage(docs.get(DOCS_PATH) ?? html.app, 404, request)
      return isLostReader(request, pathname) ? answerPage(html.app, 404, request) : undefined
    },
  }
}

/** The documentation's pages by address. */
function readDocs(folder: string, { docs }: Manifest): ReadonlyMap<string, string> {
  const addressOf = (name: string): string => (name === 'index' ? DOCS_PATH : `${DOCS_PATH}/${name}`)
  return new Map(docs.map((name) => [addressOf(name), readFileSync(join(folder, 'docs', `${name}.html`), 'utf8')]))
}

function readAsset(path: string): Asset {
  const variant = (suffix: string) =>
    existsSync(path + suffix) ? new Uint8Array(readFileSync(path + suffix)) : undefined
  return {
    type: TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    identity: new Uint8Array(readFileSync(path)),
    br: variant('.br'),
    gzip: variant('.gz'),
  }
}

function matcherOf(pages: readonly string[]): (path: string) => boolean {
  const patterns = pages.map((page) => new RegExp(`^${page.replaceAll(/\$\w+/g, '[^/]+')}$`))
  return (path) => patterns.some((pattern) => pattern.test(path))
}

/** A person who follows an old link gets the dashboard's own page for it; a program gets the API's answer. */
function isLostReader(request: Request, path: string): boolean {
  return !API_PREFIX.test(path) && request.headers.get('accept')?.includes('text/html') === true
}

/** Names hold the hash of the content, so a file never changes under its name. */
function answerAsset(asset: Asset, request: Request): Response {
  const accepted = request.headers.get('accept-encoding') ?? ''
  const encoding =
    /\bbr\b/.test(accepted) && asset.br ? 'br' : /\bgzip\b/.test(accepted) && asset.gzip ? 'gzip' : undefined
  const headers = new Headers({
    ...HEADERS,
    'content-type': asset.type,
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  })
  if (encoding !== undefined) headers.set('content-encoding', encoding)
  const bytes = (encoding === undefined ? undefined : asset[encoding]) ?? asset.identity
  return new Response(request.method === 'HEAD' ? null : bytes, { headers })
}

/** The theme comes from a cookie that carries nothing else, so that the first paint has it without an inline script. */
function answerPage(html: string, status: number, request: Request): Response {
  const theme = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(request.headers.get('cookie') ?? '')?.[1]
  const page = theme === undefined ? html : html.replace('<html lang="en"', `<html lang="en" data-theme="${theme}"`)
  const headers = new Headers({ ...HEADERS, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  if (request.url.startsWith('https:')) headers.set('strict-transport-security', 'max-age=31536000')
  return new Response(request.method === 'HEAD' ? null : page, { status, headers })
}
