import { describe, expect, test } from 'vitest'
import { rowReader } from '../../../../../connectors/feeds/parse/columns.ts'
import { collect, isAttribute, summary } from '../../../../builders/feeds/collect-feed.ts'

const COLUMNS = 'indicator,category,malware-family,tag,tag,reputation'

describe('columns', () => {
  test('become attributes, tags and reputation; placeholders count as empty', async () => {
    const items = await collect('evil.example\tmalware\temotet\tA\tB\t-2\n8.8.8.8\t.\t-\t\tC\t\n', {
      format: 'tsv',
      columns: COLUMNS,
    })
    expect(items).toEqual([
      {
        line: 1,
        entity: {
          type: 'domain',
          attributes: { domain: 'evil.example', category: 'malware', 'malware-family': 'emotet' },
          reputation: -2,
          tags: ['A', 'B'],
        },
      },
      { line: 2, entity: { type: 'ip', attributes: { ip: '8.8.8.8' }, reputation: -3, tags: ['C'] } },
    ])
  })

  const wrong = [
    ['a list without an indicator', 'category,tag', 'exactly one column must be "indicator"'],
    ['a list with two indicators', 'indicator,indicator', 'exactly one column must be "indicator"'],
    ['an unknown attribute', 'indicator,colour', '"colour" is not an attribute'],
    ['an attribute twice', 'indicator,category,category', '"category" is given twice'],
  ] as const
  for (const [name, columns, message] of wrong) {
    test(`${name} is refused`, () => {
      expect(() => rowReader(columns, isAttribute, { reputation: null, tags: [] })).toThrow(message)
    })
  }
})

describe('tab-separated rows', () => {
  test('short rows, comments and blank lines are taken as they come', async () => {
    const text = '#heading\n\n8.8.8.8\nevil.example\tmalware\textra\tmore'
    expect(summary(await collect(text, { format: 'tsv', columns: 'indicator,category' }))).toEqual([
      '3: ip 8.8.8.8',
      '4: domain evil.example',
    ])
  })

  test('a reputation that is none rejects its row', async () => {
    const items = await collect('8.8.8.8\thigh\n9.9.9.9\t4\n', { format: 'tsv', columns: 'indicator,reputation' })
    expect(summary(items)).toEqual(['1: reputation is not an integer -3..3', '2: reputation is not an integer -3..3'])
  })

  test('the indicator may stand in any column', async () => {
    const items = await collect('x\ty\t8.8.8.8', { format: 'tsv', columns: '-,tag,indicator' })
    expect(items).toMatchObject([{ entity: { attributes: { ip: '8.8.8.8' }, tags: ['y'] } }])
  })
})

describe('comma-separated rows', () => {
  test('quotes, commas and line ends inside quotes are undone, lines are counted', async () => {
    const text = 'Indicator,Note\r\n# comment\r\n"8.8.8.8","a, ""b""\nc"\r\n9.9.9.9,d\r\n'
    const items = await collect(text, { format: 'csv', columns: 'indicator,text', header: true })
    expect(items).toMatchObject([
      { line: 4, entity: { attributes: { ip: '8.8.8.8', text: 'a, "b"\nc' } } },
      { line: 5, entity: { attributes: { ip: '9.9.9.9', text: 'd' } } },
    ])
  })

  test('other signs separate, quote and comment', async () => {
    const text = "; none\n8.8.8.8|'a|b'\n9.9.9.9|\"c#\n"
    const signs = { delimiter: '|', quote: "'", comment: ';' }
    const items = await collect(text, { format: 'csv', columns: 'indicator,text', signs })
    expect(items).toMatchObject([
      { line: 2, entity: { attributes: { ip: '8.8.8.8', text: 'a|b' } } },
      { line: 3, entity: { attributes: { ip: '9.9.9.9', text: '"c#' } } },
    ])
  })

  test('without a quote and a comment every character is text', async () => {
    const signs = { delimiter: '\t', quote: '', comment: '' }
    const items = await collect('8.8.8.8\t"a\n9.9.9.9\t#b', { format: 'csv', columns: 'indicator,text', signs })
    expect(items).toMatchObject([
      { entity: { attributes: { text: '"a' } } },
      { entity: { attributes: { text: '#b' } } },
    ])
  })

  test('the heading of a tab-separated file is left out', async () => {
    const items = await collect('ioc\tkind\n8.8.8.8\ta', { format: 'tsv', columns: 'indicator,-', header: true })
    expect(summary(items)).toEqual(['2: ip 8.8.8.8'])
  })

  test('a quote that is never closed is an error, not a huge value', async () => {
    await expect(collect(`8.8.8.8,"a\n${'9.9.9.9,b\n'.repeat(20_000)}`, { format: 'csv' })).rejects.toThrow(/^CSV: /)
  })
})
