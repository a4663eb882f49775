import { describe, expect, test } from 'vitest'
import { rowReader } from '../../../../../../connectors/feeds/parse/lists/columns.ts'
import { collect, isAttribute, summary } from '../../../../../builders/feeds/collect-feed.ts'

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

describe('tables as they are exported', () => {
  test('a blank between the comma and the quote is no part of a cell', async () => {
    const text = [
      '################',
      '# "first_seen","ioc_id","ioc_value","ioc_type","malware"',
      '"2026-11-28 09:23:26", "1", "c2.example.com", "domain", "Unknown, RAT"',
      '"2026-11-28 09:15:16", "2", "203.0.113.137:4433", "ip:port", "Example \\"RAT\\""',
      '"2026-11-28 09:10:16" , "3" , "http://203.0.113.138:8080/a, b.bin" , "url" , "None"',
    ].join('\n')
    expect(await collect(text, { format: 'csv', columns: '-,-,indicator,-,tag' })).toMatchObject([
      { line: 3, entity: { attributes: { hostname: 'c2.example.com' }, tags: ['Unknown, RAT'] } },
      { line: 4, entity: { attributes: { ip: '203.0.113.137', port: '4433/tcp' }, tags: ['Example "RAT"'] } },
      { line: 5, entity: { type: 'url', tags: ['None'] } },
    ])
  })

  test('a tab separates, though it is a blank', async () => {
    const signs = { delimiter: '\t', quote: '"', comment: '#' }
    const items = await collect('203.0.113.9\t\t "a\tb"\n', { format: 'csv', columns: 'indicator,tag,text', signs })
    expect(items).toMatchObject([{ entity: { attributes: { ip: '203.0.113.9', text: 'a\tb' } } }])
  })

  test('a label or a port beside an address is none of the value, with a type too', async () => {
    for (const type of [undefined, 'ip']) {
      const options = { format: 'csv', columns: 'indicator,-', ...(type === undefined ? {} : { type }) } as const
      const items = await collect('203.0.113.27:4443,a\n203.0.113.28 (DC01),b\n143.404.146.87:8080,c\n', options)
      expect(items).toMatchObject([
        { entity: { attributes: { ip: '203.0.113.27', port: '4443/tcp' } } },
        { entity: { attributes: { ip: '203.0.113.28' } } },
        { rejected: expect.stringContaining('not an address of IPv4'), raw: '143.404.146.87:8080' },
      ])
    }
  })

  test('a cell with bytes that are no UTF-8 refuses its row', async () => {
    const items = await collect(Buffer.from('203.0.113.9,m\u00fcll\n', 'latin1'), {
      format: 'csv',
      columns: 'indicator,tag',
    })
    expect(summary(items)).toEqual([expect.stringContaining('1: has bytes that are not UTF-8')])
  })
})

describe('cells that the list does not name', () => {
  test('are not left out where the list names the indicator alone', async () => {
    expect(summary(await collect('203.0.113.9\t\n203.0.113.9\tc2', { format: 'tsv' }))).toEqual([
      '1: ip 203.0.113.9',
      '2: the row has 2 cells and --columns names one; name the others, or - to skip them',
    ])
  })

  test('refuse the row of an address when they may be the end of a range', async () => {
    const items = await collect('a\t192.0.2.0\t192.0.2.255', { format: 'tsv', columns: 'tag,indicator' })
    expect(items).toEqual([
      {
        line: 1,
        rejected: expect.stringContaining('"192.0.2.255" next to the address may be the end of a range'),
        raw: 'a\t192.0.2.0\t192.0.2.255',
      },
    ])
  })
})
