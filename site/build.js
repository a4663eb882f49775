// Plain JavaScript for any Node that npm runs on: builds the site of the documents when a file of it is newer than the
// site, or into the folder that is named.
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const here = import.meta.dirname
const root = join(here, '..')
const docs = join(root, 'docs')
const named = process.argv[2]
const out = named ?? join(here, 'dist')
const draft = `${out}.draft`
const eleventy = join(root, 'node_modules/@11ty/eleventy/package.json')

/** Milliseconds of the newest file below `folder`. */
const newest = (folder) =>
  Math.max(...readdirSync(folder, { recursive: true }).map((name) => statSync(join(folder, name)).mtimeMs))

const sources = () =>
  Math.max(
    newest(docs),
    newest(join(here, 'assets')),
    ...readdirSync(here)
      .filter((name) => /\.(?:ts|js)$/.test(name))
      .map((name) => statSync(join(here, name)).mtimeMs),
  )

/** Reads TypeScript; an older Node serves what is there. */
const [major, minor] = process.versions.node.split('.').map(Number)
const isNew = major > 24 || (major === 24 && minor >= 21)
const mark = join(out, 'index.html')
if (
  isNew &&
  existsSync(eleventy) &&
  existsSync(docs) &&
  !(named === undefined && existsSync(mark) && statSync(mark).mtimeMs > sources())
) {
  process.chdir(root)
  const { default: Eleventy } = await import('@11ty/eleventy')
  const { pagesOf, sectionsOf } = await import('./navigation.ts')
  const { missingPage } = await import('./layout.ts')
  const { entriesOf } = await import('./searchable.ts')
  rmSync(draft, { recursive: true, force: true })
  const site = new Eleventy('docs', draft, { quietMode: true, configPath: 'site/eleventy.config.ts' })
  site.disableLogger()
  await site.write()
  const pages = [...pagesOf(docs).values()]
  // The text of each page, for `harrier guide`.
  for (const { source, url } of pages) copyFileSync(join(docs, source), join(draft, url, 'index.md'))
  cpSync(join(docs, 'images'), join(draft, 'images'), { recursive: true })
  const assets = join(draft, 'assets')
  cpSync(join(here, 'assets'), assets, { recursive: true })
  copyFileSync(join(root, 'node_modules/minisearch/dist/es/index.js'), join(assets, 'minisearch.js'))
  const searched = pages.filter(({ source }) => !source.startsWith('contribute/adr/archive/'))
  const entries = searched.flatMap((page) => entriesOf(page, readFileSync(join(docs, page.source), 'utf8')))
  writeFileSync(join(assets, 'entries.json'), JSON.stringify(entries))
  writeFileSync(join(draft, '404.html'), missingPage(sectionsOf(docs, pagesOf(docs))))
  rmSync(out, { recursive: true, force: true })
  renameSync(draft, out)
}
