import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freshWeb } from '../../scripts/build-web.ts'
import { renderDocs } from '../../scripts/render-docs.ts'
import { accessOf } from '../../src/resources/access.ts'
import { type Dashboard, openDashboard } from '../../src/web/serve.ts'
import { axeFindings, closeCleanly, describeInBrowser, startDashboard } from '../support/browser.ts'

const ROOT = join(import.meta.dir, '../..')
const SOURCES = readdirSync(join(ROOT, 'docs')).filter((file) => file.endsWith('.md'))
const ADDRESSES = SOURCES.map((file) => (file === 'README.md' ? '/docs' : `/docs/${file.slice(0, -'.md'.length)}`))

const PICTURES_MAX = 6
const PICTURE_BYTES_MAX = 60_000

let dashboard: Dashboard

beforeAll(async () => {
  await freshWeb()
  dashboard = openDashboard(ROOT)
}, 60_000)

function get(path: string, headers: Record<string, string> = {}): Response {
  const response = dashboard.serve(new Request(`http://gateway.test${path}`, { headers }))
  if (response === undefined) throw new Error(`${path} is not served`)
  return response
}

function attributes(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map((match) => match[1] ?? '')
}

describe('every page of the documentation', () => {
  test('is served to anybody, under the policy of all pages, and is not kept', () => {
    for (const address of ADDRESSES) {
      const { status, headers } = get(address)
      expect([address, status]).toEqual([address, 200])
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(headers.get('content-security-policy')).toContain(
        "default-src 'none'; script-src 'self'; style-src 'self'",
      )
      expect(headers.get('cache-control')).toBe('no-store')
      expect(accessOf('GET', `http://gateway.test${address}`)).toBe('public')
    }
  })

  test('is linked from the index and from every other page', async () => {
    for (const address of ADDRESSES) {
      const links = attributes(await get(address).text(), 'href')
      expect(ADDRESSES.filter((other) => !links.includes(other))).toEqual([])
    }
  })

  test('links to nothing that is not there', async () => {
    const ids = new Map<string, string[]>()
    for (const address of ADDRESSES) ids.set(address, attributes(await get(address).text(), 'id'))
    for (const address of ADDRESSES) {
      for (const link of attributes(await get(address).text(), 'href')) {
        const [path, fragment] = link.split('#')
        if (link.startsWith('/docs') || link.startsWith('#')) {
          const target = ids.get(path === '' ? address : (path ?? ''))
          expect([address, link, target !== undefined]).toEqual([address, link, true])
          if (fragment !== undefined) expect(target).toContain(fragment)
        } else if (link.startsWith('/assets/')) expect(get(link).status).toBe(200)
      }
      for (const picture of attributes(await get(address).text(), 'src')) {
        expect(get(picture).headers.get('content-type')).toBe('image/png')
      }
    }
  })

  test('holds text, one first heading, ids that are its own, and no script or style', async () => {
    for (const address of ADDRESSES) {
      const html = await get(address).text()
      expect(html.match(/<h1[ >]/g)).toHaveLength(1)
      expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=|javascript:/)
      const ids = attributes(html, 'id')
      expect(new Set(ids).size).toBe(ids.length)
      expect(html).not.toContain('[[')
    }
  })

  test('has the theme of the dashboard', async () => {
    expect(await get('/docs/keys', { cookie: 'theme=dark' }).text()).toContain('data-theme="dark"')
  })
})

test('an address that is no page of the documentation shows the index', async () => {
  const lost = get('/docs/nowhere')
  expect(lost.status).toBe(404)
  expect(await lost.text()).toBe(await get('/docs').text())
})

test('before there is an owner the documentation waits like everything else', async () => {
  const empty = await startDashboard({ owner: false })
  try {
    expect((await fetch(`${empty.url}/docs`)).status).toBe(503)
  } finally {
    await empty.stop()
  }
})

describeInBrowser('the documentation', (stage) => {
  for (const theme of ['light', 'dark'] as const) {
    for (const width of [390, 1440]) {
      test(`reads well at ${width} px in ${theme}`, async () => {
        for (const address of ['/docs', '/docs/own-provider', '/docs/architecture']) {
          const tab = await stage.open(address, { theme, width })
          await tab.page.getByRole('navigation', { name: 'Documentation' }).waitFor()
          expect(await axeFindings(tab)).toEqual([])
          expect(await tab.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
          await closeCleanly(tab)
        }
      })
    }
  }
})

test('every page of the dashboard that names a page of the documentation names one that exists', () => {
  const sources = [...new Bun.Glob('src/web/**/*.tsx').scanSync({ cwd: ROOT })]
  const named = sources.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    return [...text.matchAll(/\bdocs="([^"]+)"|["'`]\/docs\/([\w-]+)/g)].map((match) => match[1] ?? match[2])
  })
  expect(named.filter((name) => !ADDRESSES.includes(`/docs/${name}`))).toEqual([])
})

test('pictures are few and small, and each is shown', () => {
  const files = readdirSync(join(ROOT, 'docs/pictures'))
  expect(files.length).toBeLessThanOrEqual(PICTURES_MAX)
  const text = SOURCES.map((file) => readFileSync(join(ROOT, 'docs', file), 'utf8')).join()
  for (const file of files) {
    expect(statSync(join(ROOT, 'docs/pictures', file)).size).toBeLessThan(PICTURE_BYTES_MAX)
    expect(text).toContain(`](pictures/${file})`)
  }
})

test('no markdown of the repository links to a file that is not there', () => {
  const files = ['*.md', 'docs/**/*.md', 'src/**/*.md'].flatMap((glob) => [
    ...new Bun.Glob(glob).scanSync({ cwd: ROOT }),
  ])
  const dead = files.flatMap((file) => {
    const links = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)]
    return links
      .map((match) => match[1] ?? '')
      .filter((link) => !existsSync(join(ROOT, dirname(file), link)))
      .map((link) => `${file} → ${link}`)
  })
  expect(dead).toEqual([])
})

describe('rendering', () => {
  const TEMPLATE = '<title>[[title]]</title><ul>[[nav]]</ul>[[article]]'

  /** Renders an index and one more page, and returns the latter. */
  async function rendered(markdown: string, index = '# Index\n\n[Page](page.md)\n'): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-docs-'))
    writeFileSync(join(folder, 'README.md'), index)
    writeFileSync(join(folder, 'page.md'), markdown)
    const pages = await renderDocs(folder, TEMPLATE, new Map([['there.png', '/assets/there-1.png']]))
    return pages.find(({ name }) => name === 'page')?.html ?? ''
  }

  test('shows HTML as text', async () => {
    const html = await rendered('# A & <b>B</b>\n\n<script>alert(1)</script>\n\nsome <img src=x onerror=y> text\n')
    expect(html).toContain('&lt;script&gt;')
    expect(html).toContain('&lt;img src=x onerror=y&gt;')
    expect(html).toContain('<title>A &amp; &lt;b&gt;B&lt;/b&gt;</title>')
    expect(html).not.toMatch(/<(script|img|b)\b/)
  })

  test('leads to other pages and to the outside', async () => {
    const html = await rendered(
      '# Page\n\n[a](README.md) [b](page.md#page) [c](https://example.org) [d](mailto:a@example.org)\n',
    )
    expect(attributes(html, 'href')).toEqual([
      '/docs/page',
      '#page',
      '/docs',
      '/docs/page#page',
      'https://example.org',
      'mailto:a@example.org',
    ])
    expect(html).toContain('<li><a href="/docs/page" aria-current="page">Page</a></li>')
  })

  test('shows pictures under the names that they are served by', async () => {
    const html = await rendered('# Page\n\n![What it shows](pictures/there.png)\n')
    expect(html).toContain('<img src="/assets/there-1.png" alt="What it shows"')
  })

  const REFUSED: readonly (readonly [string, string, string])[] = [
    ['a script behind a link', '# P\n\n[x](javascript:alert(1))', 'may not link to javascript:alert(1)'],
    ['a link to data', '# P\n\n[x](data:text/html,x)', 'may not link to'],
    ['a link to any other scheme', '# P\n\n[x](file:///etc/passwd)', 'may not link to'],
    ['a link to another host without its scheme', '# P\n\n[x](//example.org)', 'may not link to'],
    ['a link out of the folder', '# P\n\n[x](../README.md)', 'may not link to'],
    ['a link to a page that does not exist', '# P\n\n[x](gone.md)', 'links to gone.md'],
    ['a picture that is not there', '# P\n\n![x](pictures/gone.png)', 'there is no picture'],
    ['a picture from elsewhere', '# P\n\n![x](https://example.org/there.png)', 'there is no picture'],
    ['a page without a heading', 'text', 'has no heading'],
  ]
  for (const [what, markdown, message] of REFUSED) {
    test(`fails at ${what}`, () => expect(rendered(markdown)).rejects.toThrow(message))
  }

  test('fails at a page that the index does not link', () => {
    expect(rendered('# P', '# Index')).rejects.toThrow('the index does not link it')
  })
})
