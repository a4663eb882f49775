import { expect, test } from 'vitest'
import { entriesOf } from '../../../site/searchable.ts'

test('each heading is found with the text below it; comments of a block are no headings', () => {
  const page = { source: 'use/a.md', url: 'use/a/', title: 'A `page`', section: 'use' }
  const text =
    '# A `page`\n\nSee [how](b.md).\n\n## Take *one*\n\n```sh\n# a comment\nrun it\n```\n\n### Last\n\n| a | b |\n'
  expect(entriesOf(page, text)).toEqual([
    { u: 'use/a/', t: 'A page', h: '', x: 'See how.' },
    { u: 'use/a/#take-one', t: 'A page', h: 'Take *one*', x: 'a comment run it' },
    { u: 'use/a/#last', t: 'A page', h: 'Last', x: 'a b' },
  ])
})
