/**
 * The site of the documents, made by Eleventy of `docs`: pages with relative links, so that it works below any prefix,
 * and without scripts but the search (ADR 286). `npx eleventy --config=site/eleventy.config.ts --output=site/dist --serve` shows it while
 * pages are written.
 */

import anchors from 'markdown-it-anchor'
import { anchorOf, pagesOf, relativeTo, sectionsOf, targetOf, urlOf } from './navigation.ts'

type Token = {
  type: string
  children: Token[] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}
type Page = { page: { inputPath: string } }
type Markdown = {
  set(options: object): Markdown
  use(plugin: unknown, options: object): Markdown
  core: { ruler: { push(name: string, rule: (state: { tokens: Token[]; env: Page }) => void): void } }
}
type Config = {
  setTemplateFormats(formats: string[]): void
  addGlobalData(name: string, value: unknown): void
  amendLibrary(name: string, change: (markdown: Markdown) => void): void
}

const sourceOf = (page: Page['page']): string => page.inputPath.replace(/^(?:\.\/)?docs\//, '')

/** Links to pages become addresses of the site. A file of the repository is no page: its link becomes its path. */
function siteLinks(source: string, tokens: readonly Token[]): void {
  for (const token of tokens) {
    if (token.children !== null) siteLinks(source, token.children)
    const name = token.type === 'link_open' ? 'href' : token.type === 'image' ? 'src' : null
    const written = name === null ? null : token.attrGet(name)
    if (name === null || written === null || /^[a-z][a-z0-9+.-]*:/i.test(written)) continue
    const [href = '', anchor] = written.split('#')
    const target = targetOf(source, href)
    if (target === null) {
      token.attrSet('class', 'file')
      token.attrSet(name, '#')
      continue
    }
    const path = href === '' ? '' : relativeTo(urlOf(source), target.endsWith('.md') ? urlOf(target) : target)
    token.attrSet(name, anchor === undefined ? path : `${path}#${anchor}`)
  }
}

export default function site(config: Config) {
  const pages = pagesOf('docs')
  const sections = sectionsOf('docs', pages)
  config.setTemplateFormats(['md'])
  config.addGlobalData('site', { pages, sections, sourceOf })
  config.addGlobalData('layout', 'page.11ty.js')
  config.addGlobalData('permalink', () => (data: Page) => `${urlOf(sourceOf(data.page))}index.html`)
  config.amendLibrary('md', (markdown) => {
    markdown.set({ html: false })
    markdown.use(anchors, { slugify: anchorOf, tabIndex: false })
    markdown.core.ruler.push('site_links', ({ tokens, env }) => siteLinks(sourceOf(env.page), tokens))
  })
  return { markdownTemplateEngine: false, dir: { input: 'docs', layouts: '../site' } }
}
