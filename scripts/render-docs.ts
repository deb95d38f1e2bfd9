/**
 * docs/*.md as the pages that the server shows under /docs. Text, links and pictures alone: HTML in a source is shown as text, and
 * a link that leads elsewhere than to the web, to a mailbox or to another page fails the build. Whatever else is wrong with a page does
 * too: a page that the index does not link, or one without a heading.
 */
import { basename, join } from 'node:path'

export interface DocsPage {
  /** `index`, or the name behind /docs/. */
  readonly name: string
  readonly html: string
}

/** Where each file of pictures/ is served. */
export type Pictures = ReadonlyMap<string, string>

/** A page before it stands in the frame that all share. */
interface Source {
  readonly name: string
  readonly title: string
  readonly body: string
  /** Names of the pages that it links to, in the order of the text. */
  readonly links: readonly string[]
}

const INDEX = 'README'
const OUTSIDE = /^(https?:\/\/|mailto:)/
const BESIDE = /^(?:\.\/)?([a-z0-9-]+)\.md(#[\w-]+)?$/i
const WITHIN = /^#[\w-]+$/
const PICTURE = /^pictures\/([a-z0-9-]+\.png)$/

/**
 * Every page of `folder`, in the frame of `template`, where `[[title]]`, `[[nav]]` and `[[article]]` stand for what differs.
 * Throws with the page's name at the first mistake.
 */
export async function renderDocs(folder: string, template: string, pictures: Pictures): Promise<DocsPage[]> {
  const files = [...new Bun.Glob('*.md').scanSync({ cwd: folder })].sort()
  const sources = await Promise.all(
    files.map(async (file) => readSource(file, await Bun.file(join(folder, file)).text(), pictures)),
  )
  const listed = inOrderOfIndex(sources)
  return sources.map((source) => ({ name: addressName(source.name), html: framed(source, listed, template) }))
}

function readSource(file: string, markdown: string, pictures: Pictures): Source {
  const name = basename(file, '.md')
  const html = Bun.markdown.html(markdown, { noHtmlBlocks: true, noHtmlSpans: true, headings: true })
  const links: string[] = []
  const body = new HTMLRewriter()
    .on('a', {
      element(link) {
        const href = link.getAttribute('href') ?? ''
        const page = BESIDE.exec(href)?.[1]
        if (page !== undefined) links.push(page)
        link.setAttribute('href', addressOf(name, href))
      },
    })
    .on('img', {
      element(image) {
        const src = image.getAttribute('src') ?? ''
        const served = pictures.get(PICTURE.exec(src)?.[1] ?? '')
        image.setAttribute('src', served ?? refuse(name, `there is no picture ${src}`))
      },
    })
    // What scrolls sideways can be reached with the keyboard.
    .on('pre', { element: (block) => void block.setAttribute('tabindex', '0') })
    .on('table', {
      element(table) {
        table.before('<div class="wide" role="group" aria-label="Table" tabindex="0">', { html: true })
        table.after('</div>', { html: true })
      },
    })
    .transform(html)
  return { name, title: titleOf(name, markdown), body, links }
}

function titleOf(name: string, markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? refuse(name, 'it has no heading')
}

function addressOf(page: string, href: string): string {
  if (OUTSIDE.test(href) || WITHIN.test(href)) return href
  const [, name, fragment = ''] = BESIDE.exec(href) ?? refuse(page, `it may not link to ${href}`)
  return (name === INDEX ? '/docs' : `/docs/${name}`) + fragment
}

function addressName(name: string): string {
  return name === INDEX ? 'index' : name
}

/** All pages but the index, as the index links them first. */
function inOrderOfIndex(sources: readonly Source[]): readonly Source[] {
  const index = sources.find(({ name }) => name === INDEX) ?? refuse(INDEX, 'it is missing')
  const names = new Set(sources.map(({ name }) => name))
  for (const { name, links } of sources) {
    const dead = links.find((link) => !names.has(link))
    if (dead !== undefined) refuse(name, `it links to ${dead}.md, which does not exist`)
    if (name !== INDEX && !index.links.includes(name)) refuse(name, 'the index does not link it')
  }
  return sources
    .filter(({ name }) => name !== INDEX)
    .sort((a, b) => index.links.indexOf(a.name) - index.links.indexOf(b.name))
}

function framed(page: Source, listed: readonly Source[], template: string): string {
  const entries = listed.map(({ name, title }) => {
    const current = name === page.name ? ' aria-current="page"' : ''
    return `<li><a href="/docs/${name}"${current}>${Bun.escapeHTML(title)}</a></li>`
  })
  const parts = { title: Bun.escapeHTML(page.title), nav: entries.join(''), article: page.body }
  return Object.entries(parts).reduce((html, [name, part]) => html.replace(`[[${name}]]`, () => part), template)
}

function refuse(page: string, why: string): never {
  throw new Error(`docs/${page}.md: ${why}`)
}
