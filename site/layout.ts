/** The page around the text of a document: navigation, search, contents. All addresses are relative. Pure. */

import { type Page, relativeTo, type Section } from './navigation.ts'

const TITLE = 'Harrier'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const plain = (title: string): string => escaped(title.replaceAll('`', ''))

/** Headings of the second and third order, with their anchors. */
const contentsOf = (html: string): string[] =>
  [...html.matchAll(/<h([23]) id="([^"]+)"[^>]*>(.*?)<\/h\1>/gs)].map(
    ([, level, id, heading]) => `<li class="h${level}"><a href="#${id}">${heading!.replace(/<[^>]+>/g, '')}</a></li>`,
  )

/** The open section shows its pages, the others their title. */
function navigation(page: Page, sections: readonly Section[]): string {
  const link = (to: string, title: string, isHere: boolean) =>
    `<a href="${relativeTo(page.url, to)}"${isHere ? ' aria-current="page"' : ''}>${plain(title)}</a>`
  return sections
    .map(({ name, title, pages }) => {
      const own = pages.map((one) => `<li>${link(one.url, one.title, one.url === page.url)}</li>`).join('')
      const isOpen = page.section === name
      return `<li>${link(`${name}/`, title, page.url === `${name}/`)}${isOpen && own !== '' ? `<ul>${own}</ul>` : ''}</li>`
    })
    .join('')
}

/** The pages before and after this one in its section. */
function neighbours(page: Page, sections: readonly Section[]): string {
  const pages = sections.find(({ name }) => name === page.section)?.pages ?? []
  const at = pages.findIndex(({ url }) => url === page.url)
  const link = (to: Page | undefined, rel: string) =>
    to === undefined ? '' : `<a rel="${rel}" href="${relativeTo(page.url, to.url)}">${plain(to.title)}</a>`
  const [before, after] = [link(at > 0 ? pages[at - 1] : undefined, 'prev'), link(pages[at + 1], 'next')]
  return at < 0 || `${before}${after}` === ''
    ? ''
    : `<nav class="near" aria-label="Nearby pages">${before}${after}</nav>`
}

/**
 * A whole page.
 * @param html the text of the document
 */
export function layoutOf(page: Page, html: string, sections: readonly Section[]): string {
  const root = relativeTo(page.url, '')
  const contents = contentsOf(html)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.url === '' ? `${TITLE} documentation` : `${plain(page.title)} · ${TITLE}`}</title>
<link rel="stylesheet" href="${root}assets/site.css">
<link rel="icon" href="data:,">
<script type="module" src="${root}assets/search.js"></script>
</head>
<body data-root="${root}">
<a class="skip" href="#text">Skip to the text</a>
<header>
<a class="name" href="${root}">${TITLE}</a>
<form role="search"><input type="search" name="q" placeholder="Search" aria-label="Search the documentation" autocomplete="off" aria-controls="found" aria-expanded="false"><ul id="found" hidden></ul></form>
<a href="${root}../">Console</a>
<a href="${root}../docs">API</a>
</header>
<div class="columns">
<nav class="pages" aria-label="Pages"><ul>${navigation(page, sections)}</ul></nav>
<main id="text">${html}${neighbours(page, sections)}</main>
<nav class="contents" aria-label="On this page">${contents.length > 1 ? `<p>On this page</p><ul>${contents.join('')}</ul>` : ''}</nav>
</div>
</body>
</html>
`
}

/** In the page for an address without one, where the way to the root of the site belongs: it depends on the address. */
export const ROOT_MARK = '@ROOT@/'

/** The page that is sent for an address without a page. */
export function missingPage(sections: readonly Section[]): string {
  const page: Page = { source: '', url: 'a/b/', title: 'Page not found', section: null }
  const text = `<h1>Page not found</h1><p>There is no page at this address. Search for it above, or start at the <a href="../../">first page</a>.</p>`
  return layoutOf(page, text, sections).replaceAll('"../../', `"${ROOT_MARK}`)
}
