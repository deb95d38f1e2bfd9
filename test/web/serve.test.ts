import { beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { freshWeb } from '../../scripts/build-web.ts'
import { type Dashboard, openDashboard } from '../../src/web/serve.ts'

const ROOT = join(import.meta.dir, '../..')
const SCRIPT_BYTES_MAX = { door: 90 * 1024, app: 180 * 1024 }
const STYLE_BYTES_MAX = 20 * 1024
const FONT_BYTES_MAX = 60 * 1024

let dashboard: Dashboard

beforeAll(async () => {
  await freshWeb()
  dashboard = openDashboard(ROOT)
}, 60_000)

function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Response | undefined {
  return dashboard.serve(new Request(`http://gateway.test${path}`, { method, headers }))
}

async function found(path: string, headers?: Record<string, string>): Promise<Response> {
  const response = get(path, headers)
  if (response === undefined) throw new Error(`${path} is not served`)
  return response
}

/** The addresses that a page names, by what names them. */
async function linksOf(page: string): Promise<{ scripts: string[]; styles: string[]; fonts: string[] }> {
  const html = await (await found(page)).text()
  const all = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map((match) => match[1] ?? '')
  const ending = (suffix: string): string[] => all.filter((link) => link.endsWith(suffix))
  return { scripts: ending('.js'), styles: ending('.css'), fonts: ending('.woff2') }
}

async function compressedBytes(links: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    links.map(async (link) => gzipSync(new Uint8Array(await (await found(link)).arrayBuffer())).length),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

describe('a page', () => {
  test('comes with a policy that admits nothing but its own files, and is not kept', async () => {
    for (const path of ['/', '/profile', '/sign-in', '/setup']) {
      const { status, headers } = await found(path)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
          "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
      )
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.has('strict-transport-security')).toBe(false)
    }
  })

  test('over HTTPS asks to be reached that way from then on', () => {
    const response = dashboard.serve(new Request('https://gateway.test/sign-in'))
    expect(response?.headers.get('strict-transport-security')).toStartWith('max-age=')
  })

  test('holds no script and no style of its own', async () => {
    for (const path of ['/', '/sign-in']) {
      const html = await (await found(path)).text()
      expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/)
      expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/)
    }
  })

  test('has the theme of its cookie, and only a theme', async () => {
    expect(await (await found('/', { cookie: 'a=b; theme=dark' })).text()).toContain(
      '<html lang="en" data-theme="dark"',
    )
    expect(await (await found('/', { cookie: 'theme=light' })).text()).toContain('data-theme="light"')
    expect(await (await found('/', { cookie: 'theme="><script>' })).text()).not.toContain('data-theme')
    expect(await (await found('/', { cookie: 'mytheme=dark' })).text()).not.toContain('data-theme')
  })

  test('is answered to GET and HEAD alone', async () => {
    expect(get('/', {}, 'POST')).toBeUndefined()
    expect(await get('/', {}, 'HEAD')?.text()).toBe('')
  })

  test('that does not exist is 404 for a reader and nobody’s business for a program', () => {
    expect(get('/nowhere', { accept: 'text/html,*/*' })?.status).toBe(404)
    expect(get('/nowhere')).toBeUndefined()
    expect(get('/v1/nowhere', { accept: 'text/html' })).toBeUndefined()
    expect(get('/assets/nowhere.js', { accept: 'text/html' })).toBeUndefined()
    expect(get('/assets/../manifest.json')).toBeUndefined()
  })
})

describe('an asset', () => {
  test('is kept for good under a name that holds its hash, compressed as the browser likes', async () => {
    const { scripts, styles } = await linksOf('/')
    for (const link of [...scripts, ...styles]) {
      const plain = await found(link)
      expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(plain.headers.get('vary')).toBe('accept-encoding')
      const zipped = await found(link, { 'accept-encoding': 'gzip, deflate' })
      expect(zipped.headers.get('content-encoding')).toBe('gzip')
      expect(gunzipSync(await zipped.arrayBuffer())).toEqual(Buffer.from(await plain.arrayBuffer()))
      expect((await found(link, { 'accept-encoding': 'gzip, br' })).headers.get('content-encoding')).toBe('br')
    }
  })

  test('stays within the budget of a first visit', async () => {
    const [door, app] = [await linksOf('/sign-in'), await linksOf('/')]
    expect(await compressedBytes(door.scripts)).toBeLessThan(SCRIPT_BYTES_MAX.door)
    expect(await compressedBytes(app.scripts)).toBeLessThan(SCRIPT_BYTES_MAX.app)
    expect(await compressedBytes(app.styles)).toBeLessThan(STYLE_BYTES_MAX)
    expect(await compressedBytes(app.fonts)).toBeLessThan(FONT_BYTES_MAX)
  })
})

test('without a build, pages say what to run', async () => {
  const unbuilt = openDashboard(mkdtempSync(join(tmpdir(), 'signalbox-unbuilt-')))
  const response = unbuilt.serve(new Request('http://gateway.test/'))
  expect(response?.status).toBe(503)
  expect(await response?.text()).toContain('bun run build:web')
  expect(unbuilt.serve(new Request('http://gateway.test/v1/keys'))).toBeUndefined()
})
