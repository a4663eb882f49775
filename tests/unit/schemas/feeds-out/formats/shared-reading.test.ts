import { expect, test } from 'vitest'
import { FORMATS } from '../../../../../schemas/feeds-out/formats/format-table.ts'
import { together } from '../../../../../schemas/feeds-out/formats/shared-reading.ts'

const groups = (items: number): string[][] =>
  Object.values(Object.groupBy(FORMATS, (format) => together(format, items))).map((of) => of!.map(({ name }) => name))

test('a list is read at most four times for all formats, and quick ones wait for no slow one', () => {
  const quick = groups(1_000_000).find((names) => names.includes('text'))!
  expect(groups(1_000_000)).toEqual([quick, ['parquet'], ['mmdb', 'misp'], ['stix']])
})

test('of a very long list at most one format at a time holds the items', () => {
  const holding = ['nft', 'mmdb', 'dnsmasq', 'unbound', 'rpz']
  const long = groups(10_000_000)
  for (const names of long) expect(names.filter((name) => holding.includes(name)).length).toBeLessThanOrEqual(1)
  for (const name of holding) expect(long).toContainEqual([name])
  expect(long.flat().length).toBe(FORMATS.length)
})
