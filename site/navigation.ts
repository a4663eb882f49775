/** What the site of the documents is made of: its sections, their pages in order, and links between pages. Pure but for reading. */

import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Sections in the order of the navigation; each is a folder of `docs` with an index in its README. */
export const SECTIONS = ['start', 'use', 'integrate', 'operate', 'administer', 'reference', 'contribute'] as const

/** `source`: from the folder `docs`, such as `use/search.md`. `url`: from the root of the site, such as `use/search/`. */
export type Page = { source: string; url: string; title: string; section: string | null }
export type Section = { name: string; title: string; pages: Page[] }

const LINK = /\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g
const FENCE = /^ *```[\s\S]*?^ *```/gm

/** Where a page is on the site. */
export const urlOf = (source: string): string => {
  const bare = source.replace(/(?:^|(?<=\/))README\.md$/, '').replace(/\.md$/, '')
  return bare === '' || bare.endsWith('/') ? bare : `${bare}/`
}

/** A relative address from one page to another place of the site, so that the site works below any prefix. */
export function relativeTo(fromUrl: string, to: string): string {
  const path = posix.relative(fromUrl === '' ? '.' : fromUrl, to === '' ? '.' : to)
  return `${path === '' ? '.' : path}${to.endsWith('/') || to === '' ? '/' : ''}`
}

/** All pages, by their source. @param docs the folder of the documents */
export function pagesOf(docs: string): Map<string, Page> {
  const sources = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'))
  return new Map(
    sources.sort().map((source) => {
      const title = /^# (.+)$/m.exec(readFileSync(join(docs, source), 'utf8'))?.[1] ?? source
      const section = SECTIONS.find((name) => source.startsWith(`${name}/`)) ?? null
      return [source, { source, url: urlOf(source), title, section }]
    }),
  )
}

/** The page that a link of another page leads to; null: it leads out of the documents. `anchor`: '' without one. */
export function targetOf(from: string, href: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return null
  const path = href === '' ? from : posix.normalize(posix.join(posix.dirname(from), href))
  if (path.startsWith('..')) return null
  return path.endsWith('/') || path === '.' ? posix.join(path, 'README.md') : path
}

/** Links of a page outside of its blocks, as written. */
export const linksOf = (text: string): { href: string; anchor: string }[] =>
  [...text.replace(FENCE, '').matchAll(LINK)].map(([, href, anchor]) => ({ href: href!, anchor: anchor ?? '' }))

/** The sections, each with the pages that its index names, in that order. */
export function sectionsOf(docs: string, pages: ReadonlyMap<string, Page>): Section[] {
  return SECTIONS.filter((name) => pages.has(`${name}/README.md`)).map((name) => {
    const index = `${name}/README.md`
    const named = linksOf(readFileSync(join(docs, index), 'utf8')).map(({ href }) => targetOf(index, href))
    const own = [...new Set(named)].filter(
      (source) => source !== null && source !== index && source.startsWith(`${name}/`),
    )
    return {
      name,
      title: pages.get(index)!.title,
      pages: own.map((source) => pages.get(source!)).filter((page) => page !== undefined),
    }
  })
}

/** The anchor of a heading: lower case, words by hyphens, as the site and the repository's host make it. */
export const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll('`', '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

/** Anchors of a page: of its headings. */
export const anchorsOf = (text: string): Set<string> =>
  new Set([...text.replace(FENCE, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => anchorOf(heading!)))

/**
 * What is wrong with the documents as a site: links to pages or anchors that are not there, and pages that no other page
 * of their section leads to.
 */
export function faultsOf(docs: string): string[] {
  const pages = pagesOf(docs)
  const texts = new Map([...pages.keys()].map((source) => [source, readFileSync(join(docs, source), 'utf8')]))
  const reached = new Set(['README.md'])
  const broken = [...texts].flatMap(([source, text]) =>
    linksOf(text).flatMap(({ href, anchor }) => {
      const target = targetOf(source, href)
      if (target === null || !target.endsWith('.md')) return []
      const found = texts.get(target)
      if (found === undefined) return [`${source}: no page ${target}`]
      if (target !== source) reached.add(target)
      return anchor === '' || anchorsOf(found).has(anchor) ? [] : [`${source}: no heading #${anchor} in ${target}`]
    }),
  )
  const orphans = [...pages.keys()]
    .filter((source) => !reached.has(source))
    .map((source) => `${source}: no page links to it`)
  return [...broken, ...orphans]
}
