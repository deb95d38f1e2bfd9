/**
 * `bun run build:web [--if-stale]`: the dashboard as files in dist/web/, which the server serves from source and the executable
 * carries: two pages, split and minified scripts, style sheets, fonts, each under a name that holds its content's hash and beside
 * its compressed variants, the documentation, and a manifest of all of it. `--if-stale` does nothing while no source is newer.
 */
import tailwind from 'bun-plugin-tailwind'
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Manifest } from '../src/web/serve.ts'
import { type DocsPage, renderDocs } from './render-docs.ts'

const ROOT = join(import.meta.dir, '..')
const OUT = join(ROOT, 'dist', 'web')
const MANIFEST = join(OUT, 'manifest.json')
const DOCS = join(ROOT, 'docs')
/** The frame of every page of the documentation; not a page itself. */
const DOCS_TEMPLATE = 'docs.html'
const PAGES = ['src/web/index.html', 'src/web/door.html', `src/web/${DOCS_TEMPLATE}`]
const FONTS = ['hanken-grotesk', 'geist-mono'].flatMap((family) =>
  ['latin', 'latin-ext'].map((subset) =>
    join(ROOT, 'node_modules/@fontsource-variable', family, 'files', `${family}-${subset}-wght-normal.woff2`),
  ),
)
/** Fetched before the style sheet asks for it: every page's first words are set in it. */
const FIRST_FONT = 'hanken-grotesk-latin-wght-normal'
/** To put a build in the place of another: far more builds than anybody runs at once. */
const ATTEMPTS_MAX = 20
/** Fonts are compressed already. */
const COMPRESSIBLE = /\.(js|css|svg)$/

interface Output {
  readonly name: string
  readonly bytes: Uint8Array
}

if (import.meta.main && !(process.argv.includes('--if-stale') && isFresh())) {
  const startedMs = performance.now()
  await buildWeb()
  console.log(`dist/web built in ${Math.round(performance.now() - startedMs)} ms`)
}

/** Builds dist/web/ where a source is newer. Throws as `buildWeb` does; returns its path. */
export async function freshWeb(): Promise<string> {
  return isFresh() ? OUT : buildWeb()
}

/** Replaces dist/web/. Throws when a source does not compile or a page of the documentation is wrong. Returns its path. */
async function buildWeb(): Promise<string> {
  const outputs = withFonts(withoutEmptyScripts(await bundle()), await Promise.all(FONTS.map(hashed)))
  const template = outputs.find(({ name }) => name === DOCS_TEMPLATE)?.bytes
  const pictures = await docsPictures()
  const addresses = new Map(pictures.map(({ file, output }) => [file, `/assets/${output.name}`]))
  const docs = await renderDocs(DOCS, new TextDecoder().decode(template), addresses)
  const served = outputs.filter(({ name }) => name !== DOCS_TEMPLATE)
  await write([...served, ...pictures.map(({ output }) => output)], docs)
  return OUT
}

async function bundle(): Promise<Output[]> {
  const built = await Bun.build({
    entrypoints: PAGES.map((page) => join(ROOT, page)),
    plugins: [tailwind],
    target: 'browser',
    splitting: true,
    minify: true,
    publicPath: '/assets/',
    external: ['/assets/*'],
    naming: { entry: '[name].[ext]', chunk: '[name]-[hash].[ext]', asset: '[name]-[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  if (!built.success) throw new AggregateError(built.logs, 'the dashboard does not compile')
  return Promise.all(
    built.outputs.map(async (output) => ({
      name: basename(output.path),
      bytes: new Uint8Array(await output.arrayBuffer()),
    })),
  )
}

/** The bundler gives every page a script, also the one that has none. */
function withoutEmptyScripts(outputs: readonly Output[]): Output[] {
  const empty = outputs.filter(({ name, bytes }) => name.endsWith('.js') && bytes.length === 0).map(({ name }) => name)
  const isNamed = (tag: string): boolean => empty.some((name) => tag.includes(`/${name}"`))
  return outputs
    .filter(({ name }) => !empty.includes(name))
    .map((output) => {
      if (!output.name.endsWith('.html')) return output
      const { name, text } = textOf(output)
      const kept = text.replaceAll(/<script[^>]*><\/script>/g, (tag) => (isNamed(tag) ? '' : tag))
      return { name, bytes: encode(kept) }
    })
}

/** The style sheet and the pages name fonts as they are in their package; afterwards they name the hashed files. */
function withFonts(outputs: readonly Output[], fonts: readonly Output[]): Output[] {
  let texts = outputs.filter(({ name }) => /\.(css|html)$/.test(name)).map(textOf)
  for (const font of fonts) {
    const plain = font.name.replace(/-[^-]+\.woff2$/, '.woff2')
    texts = texts.map(({ name, text }) => ({ name, text: text.replaceAll(plain, font.name) }))
  }
  const sheets = texts.filter(({ name }) => name.endsWith('.css')).map(renamed)
  const first = fonts.find(({ name }) => name.startsWith(FIRST_FONT))?.name ?? ''
  const preload = `<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/${first}">`
  const pages = texts
    .filter(({ name }) => name.endsWith('.html'))
    .map(({ name, text }) => {
      const linked = sheets.reduce((page, { before, name }) => page.replaceAll(before, name), text)
      return { name, text: linked.replace('</title>', `</title>${preload}`) }
    })
  const others = outputs.filter(({ name }) => !/\.(css|html)$/.test(name))
  return [...others, ...fonts, ...[...sheets, ...pages].map(({ name, text }) => ({ name, bytes: encode(text) }))]
}

function textOf({ name, bytes }: Output): { name: string; text: string } {
  return { name, text: new TextDecoder().decode(bytes) }
}

/** A style sheet whose text has changed since it was hashed. */
function renamed({ name, text }: { name: string; text: string }): { before: string; name: string; text: string } {
  return { before: name, name: name.replace(/-[^-]+\.css$/, `-${hashOf(encode(text))}.css`), text }
}

async function docsPictures(): Promise<{ file: string; output: Output }[]> {
  const files = [...new Bun.Glob('*.png').scanSync({ cwd: join(DOCS, 'pictures') })]
  return Promise.all(files.map(async (file) => ({ file, output: await hashed(join(DOCS, 'pictures', file)) })))
}

async function hashed(path: string): Promise<Output> {
  const bytes = await Bun.file(path).bytes()
  return { name: basename(path).replace(/\.(\w+)$/, `-${hashOf(bytes)}.$1`), bytes }
}

function hashOf(bytes: Uint8Array): string {
  return Bun.hash(bytes).toString(36).slice(0, 8)
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

async function write(outputs: readonly Output[], docs: readonly DocsPage[]): Promise<void> {
  const folder = `${OUT}-${process.pid}`
  mkdirSync(join(folder, 'assets'), { recursive: true })
  const manifest: Manifest = {
    pages: await pagePaths(),
    assets: outputs
      .map(({ name }) => name)
      .filter((name) => !name.endsWith('.html'))
      .sort(),
    docs: docs.map(({ name }) => name),
  }
  await Promise.all(outputs.map((output) => writeOutput(folder, output)))
  await Promise.all(docs.map(({ name, html }) => Bun.write(join(folder, 'docs', `${name}.html`), html)))
  await Bun.write(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2))
  putInPlace(folder)
}

/** Complete or not there: other processes may be starting from it, or be putting theirs in its place. */
function putInPlace(folder: string): void {
  for (let attempt = 1; ; attempt++) {
    rmSync(OUT, { recursive: true, force: true })
    try {
      return renameSync(folder, OUT)
    } catch (error) {
      if (attempt === ATTEMPTS_MAX) throw error
      // Another one was faster between the two lines above.
    }
  }
}

async function writeOutput(folder: string, { name, bytes }: Output): Promise<void> {
  if (name.endsWith('.html')) return void (await Bun.write(join(folder, name), bytes))
  const path = join(folder, 'assets', name)
  await Bun.write(path, bytes)
  if (!COMPRESSIBLE.test(name)) return
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  await Promise.all([Bun.write(`${path}.br`, br), Bun.write(`${path}.gz`, gz)])
}

interface PageRoutes {
  readonly routes: readonly { readonly path: string }[]
}

/** The addresses of pages, `$name` standing for one segment. */
async function pagePaths(): Promise<string[]> {
  // By a computed name: the pages are browser code, which the type checker sees under their own configuration.
  const { PAGES }: { PAGES: readonly PageRoutes[] } = await import(join(ROOT, 'src/web/pages/index.ts'))
  return PAGES.flatMap(({ routes }) => routes.map(({ path }) => path)).sort()
}

function isFresh(): boolean {
  if (!existsSync(MANIFEST)) return false
  const builtMs = statSync(MANIFEST).mtimeMs
  const watched = ['src/web', 'src/core', 'docs'] // what pages share with the server, but for types, is in core
  const inside = watched.flatMap((folder) => [
    ...new Bun.Glob(`${folder}/**`).scanSync({ cwd: ROOT, onlyFiles: false }),
  ])
  const sources = [...watched, ...inside, 'scripts/build-web.ts', 'scripts/render-docs.ts', 'bun.lock']
  return sources.every((source) => statSync(join(ROOT, source)).mtimeMs < builtMs)
}
