import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { anchorOf, faultsOf, pagesOf, relativeTo, sectionsOf, targetOf, urlOf } from '../../../site/navigation.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'

const folder = ownFolder('site')
const written = (name: string, pages: Record<string, string>): string => {
  const docs = join(folder, name)
  for (const [path, text] of Object.entries(pages)) {
    mkdirSync(dirname(join(docs, path)), { recursive: true })
    writeFileSync(join(docs, path), text)
  }
  return docs
}

test('the documents have no broken link, no missing heading and no page without a link to it', () => {
  expect(faultsOf('docs')).toEqual([])
})

test.each([
  ['README.md', ''],
  ['use/README.md', 'use/'],
  ['use/search.md', 'use/search/'],
  ['operate/runbooks/README.md', 'operate/runbooks/'],
])('the page of %s is at %j', (source, url) => expect(urlOf(source)).toBe(url))

test.each([
  ['', 'use/', 'use/'],
  ['use/search/', '', '../../'],
  ['use/search/', 'use/triage/', '../triage/'],
  ['use/search/', 'use/search/', './'],
  ['operate/runbooks/lag/', 'images/a.png', '../../../images/a.png'],
])('from %j the way to %j is %s', (from, to, way) => expect(relativeTo(from, to)).toBe(way))

test.each([
  ['use/search.md', '../start/demo.md', 'start/demo.md'],
  ['use/search.md', '', 'use/search.md'],
  ['README.md', 'use/', 'use/README.md'],
  ['use/search.md', '../../examples/a.py', null],
  ['use/search.md', 'https://example.com/', null],
])('of %s, %j leads to %s', (from, href, target) => expect(targetOf(from, href)).toBe(target))

test.each([
  ['`harrier init`, and more', 'harrier-init-and-more'],
  ['Größe [of](x.md) a list', 'größe-of-a-list'],
])('the anchor of %s is %s', (heading, anchor) => expect(anchorOf(heading)).toBe(anchor))

test('a section has the pages that its index names, in that order', () => {
  const docs = written('sections', {
    'use/README.md': '# Use\n- [B](b.md)\n- [A](a.md)\n- [Start](../start/x.md)\n',
    'use/a.md': '# `A` page\n',
    'use/b.md': '# B page\n',
    'start/x.md': '# X\n',
  })
  expect(sectionsOf(docs, pagesOf(docs))).toMatchObject([
    {
      name: 'use',
      title: 'Use',
      pages: [
        { url: 'use/b/', title: 'B page' },
        { url: 'use/a/', title: '`A` page' },
      ],
    },
  ])
})

test('broken links, missing headings and pages that nothing leads to are faults; blocks have no links', () => {
  const docs = written('faults', {
    'README.md': '# Home\n[a](use/a.md#there) [b](use/a.md#gone) [c](use/none.md)\n```\n[d](none.md)\n```\n',
    'use/a.md': '# A\n## There\n```sh\n# Gone\n```\n',
    'use/lost.md': '# Lost\n[self](lost.md)\n',
  })
  expect(faultsOf(docs)).toEqual([
    'README.md: no heading #gone in use/a.md',
    'README.md: no page use/none.md',
    'use/lost.md: no page links to it',
  ])
})
