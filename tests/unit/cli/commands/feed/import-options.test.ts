import { describe, expect, test } from 'vitest'
import { type ImportFlags, importKey, readFlags } from '../../../../../cli/commands/feed/import-options.ts'

const flags: ImportFlags = {
  format: 'lines',
  feed: 'f',
  trust: 0.7,
  tag: [],
  visibleBy: [],
  marking: [],
  batch: 10_000,
}

describe('flags that are refused', () => {
  const cases: [Partial<ImportFlags>, string][] = [
    [{ format: 'xml' }, '--format xml'],
    [{ feed: 'A B' }, 'feed name "A B"'],
    [{ type: 'colour' }, '--type colour'],
    [{ columns: 'indicator' }, '--columns is only allowed with the format csv or tsv or jsonl'],
    [{ format: 'jsonl' }, '--format jsonl needs --columns'],
    [{ format: 'misp', header: true }, '--header is only allowed with the format csv or tsv'],
    [{ format: 'csv', trailingTags: true }, '--trailing-tags is only allowed with the format lines'],
    [{ format: 'stix', type: 'ip' }, '--type is only allowed with the format lines or csv or tsv or jsonl'],
    [{ visibleBy: [' '] }, '--visible-by'],
    [{ format: 'warninglist', reputation: 1 }, '--reputation'],
    [{ format: 'warninglist', visibleBy: ['team'] }, '--visible-by'],
    [{ delimiter: ';' }, '--delimiter is only allowed with the format csv'],
    [{ format: 'tsv', quote: 'none' }, '--quote is only allowed with the format csv'],
    [{ format: 'csv', delimiter: ';;' }, '--delimiter ;;: expected one character, or tab'],
    [{ format: 'csv', delimiter: 'none' }, '--delimiter none: expected one character'],
    [{ format: 'csv', delimiter: '\n' }, '--delimiter \n: expected one character'],
    [{ format: 'csv', comment: '//' }, '--comment //: expected one character, or tab, or none'],
    [{ format: 'csv', delimiter: '#' }, '--delimiter, --quote and --comment must be different'],
    [{ marking: ['red=team'] }, '--marking is only allowed with the format misp or stix'],
    [{ format: 'stix', marking: ['purple=team'] }, '--marking purple=team: expected'],
    [{ format: 'stix', marking: ['red'] }, '--marking red: expected'],
    [{ format: 'stix', marking: ['red='] }, '--marking red=: empty group name'],
    [{ format: 'stix', marking: ['red=a,,b'] }, '--marking red=a,,b: empty group name'],
    [{ format: 'stix', marking: ['red=a,public'] }, '--marking red=a,public: lines marked TLP:RED cannot be public'],
    [{ format: 'stix', marking: ['red=a', 'TLP:RED=b'] }, '--marking TLP:RED=b: red is given twice'],
  ]
  for (const [change, message] of cases) {
    test(JSON.stringify(change), () => expect(() => readFlags({ ...flags, ...change })).toThrow(message))
  }
})

test('a threat feed claims -3 in public unless told otherwise', () => {
  const { feed, parse } = readFlags(flags)
  expect({ ...feed, reputation: parse.reputation }).toEqual({
    name: 'f',
    trust: 0.7,
    groups: ['public'],
    reputation: -3,
  })
})

test('groups are sorted, public swallows the others', () => {
  expect(readFlags({ ...flags, visibleBy: ['b', 'a'] }).feed.groups).toEqual(['a', 'b'])
  expect(readFlags({ ...flags, visibleBy: ['b', 'public'] }).feed.groups).toEqual(['public'])
})

test('a CSV file may have other signs', () => {
  const signs = (change: Partial<ImportFlags>) => readFlags({ ...flags, format: 'csv', ...change }).parse.signs
  expect(signs({})).toBeUndefined()
  expect(signs({ delimiter: ';' })).toEqual({ delimiter: ';', quote: '"', comment: '#' })
  expect(signs({ delimiter: '\\t', quote: 'none', comment: ';' })).toEqual({ delimiter: '\t', quote: '', comment: ';' })
})

test('groups are given for single markings', () => {
  const { readers } = readFlags({ ...flags, format: 'misp', marking: ['tlp:amber=b, a', 'GREEN=public'] })
  expect(readers).toEqual({ clear: ['public'], green: ['public'], amber: ['a', 'b'], 'amber+strict': null, red: null })
})

test('an import is named by its bytes and their meaning, not by the size of its batches', () => {
  const key = (change: Partial<ImportFlags>, identity = 'file 1') =>
    importKey(identity, readFlags({ ...flags, ...change }))
  expect(key({ batch: 5 })).toBe(key({}))
  const others = [
    key({}),
    key({}, 'file 2'),
    key({ feed: 'g' }),
    key({ tag: ['t'] }),
    key({ reputation: -2 }),
    key({ visibleBy: ['a'] }),
    key({ trust: 0.8 }),
    key({ format: 'misp' }),
    key({ format: 'misp', marking: ['red=a'] }),
    key({ format: 'misp', marking: ['red=b'] }),
  ]
  expect(new Set(others).size).toBe(others.length)
})
