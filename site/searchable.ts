/** What the search of the site looks through: each heading of a page with the text below it. Pure. */

import { anchorOf, type Page } from './navigation.ts'

/** `u`: address from the root of the site; `t`: page; `h`: heading, '' of the page itself; `x`: text. */
export type Entry = { u: string; t: string; h: string; x: string }

const words = (markdown: string): string =>
  markdown
    .replace(/^ *```.*$/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*|>#]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The entries of a page. Lines of a block that begin with `#` are no headings. */
export function entriesOf(page: Page, markdown: string): Entry[] {
  const title = page.title.replaceAll('`', '')
  const parts: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }]
  let isBlock = false
  for (const line of markdown.split('\n')) {
    if (/^ *```/.test(line)) isBlock = !isBlock
    const heading = isBlock ? null : /^#{2,4} (.+)$/.exec(line)
    if (heading !== null) parts.push({ heading: heading[1]!, lines: [] })
    else if (isBlock || !line.startsWith('# ')) parts.at(-1)!.lines.push(line)
  }
  return parts.map(({ heading, lines }) => ({
    u: heading === '' ? page.url : `${page.url}#${anchorOf(heading)}`,
    t: title,
    h: heading.replaceAll('`', ''),
    x: words(lines.join('\n')),
  }))
}
