import { describe, expect, test } from 'vitest'
import { objectReader } from '../../../../../../connectors/feeds/parse/lists/json-objects.ts'
import { collect, isAttribute, summary } from '../../../../../builders/feeds/collect-feed.ts'

const read = (columns: string, ...lines: string[]) => collect(lines.join('\n'), { format: 'jsonl', columns })

test('members of objects are named; what has no indicator is refused by name', async () => {
  const items = await read(
    'cidr=indicator,sblid=tag',
    '{"cidr":"192.0.2.0/25","sblid":"SBL1","rir":"arin"}',
    '{"type":"metadata","records":1}',
  )
  expect(items).toMatchObject([
    { entity: { attributes: { cidr: '192.0.2.0/25' }, tags: ['SBL1'] } },
    { rejected: 'no "cidr" in this object', raw: '{"type":"metadata","records":1}' },
  ])
})

test('dots lead into objects, and lists are taken value by value', async () => {
  const object = { ioc: { values: ['203.0.113.9:443', 'bad.example.com'] }, tags: ['a', 'b'], n: 2, meta: { f: 'x' } }
  const columns = 'ioc.values=indicator,tags=tag,meta.f=malware-family,n=-'
  expect(await read(columns, JSON.stringify(object))).toMatchObject([
    { entity: { attributes: { ip: '203.0.113.9', port: '443/tcp', 'malware-family': 'x' }, tags: ['a', 'b'] } },
    { entity: { attributes: { hostname: 'bad.example.com' }, tags: ['a', 'b'] } },
  ])
})

test('what is no object on its own line is refused by name', async () => {
  expect(summary(await read('a=indicator', '[{"a":"203.0.113.9"}]', '{"a":', '"x"', ''))).toEqual([
    '1: a JSON array: write one object a line (jq -c ".[]")',
    '2: not a JSON object on a line of its own',
    '3: not a JSON object on a line of its own',
  ])
  const many = JSON.stringify({ a: Array.from({ length: 257 }, () => 'x') })
  expect(summary(await read('a=indicator', many))).toEqual(['1: more than 256 values in "a"'])
})

describe('a list of members that is refused', () => {
  const cases = [
    ['cidr', '"cidr" is not <member>=<meaning>'],
    ['a=tag', 'exactly one column must be "indicator"'],
    ['a=indicator,b=colour', '"colour" is not an attribute'],
  ] as const
  for (const [list, message] of cases)
    test(list, () => expect(() => objectReader(list, isAttribute, { reputation: null, tags: [] })).toThrow(message))
})
