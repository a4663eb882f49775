import { Reader } from 'mmdb-lib'
import { expect, test } from 'vitest'
import type { FeedItem } from '../../../../../../schemas/feeds-out/formats/format.ts'
import { formatNamed } from '../../../../../../schemas/feeds-out/formats/format-table.ts'
import { narrowest } from '../../../../../builders/feeds/covered.ts'
import { HOSTILE } from '../../../../../builders/feeds/hostile-items.ts'
import { carriedBy, GOLDEN, listItem, SEEN, writtenOf } from '../../../../../builders/feeds/list-items.ts'
import { numbers, randomItems } from '../../../../../builders/feeds/random-items.ts'

const mmdb = formatNamed('mmdb')!

type Shown = { id: string; reputation: number; accuracy: number; tags: string[] }

/** Read by the library that reads the databases of places. */
const readerOf = (items: readonly FeedItem[]): Reader<never> => new Reader<never>(writtenOf(mmdb, items).bytes)
const found = (reader: Reader<never>, address: string): Shown | null => reader.get(address) as Shown | null

const shown = (item: FeedItem | null): Shown | null =>
  item && { id: item.entityId, reputation: item.reputation, accuracy: item.accuracy, tags: [...item.tags] }

test('an address is found with the record of the narrowest network', () => {
  const reader = readerOf(GOLDEN)
  expect(found(reader, '203.0.113.9')).toEqual(shown(GOLDEN[0]!))
  expect(found(reader, '203.0.113.10')).toEqual(shown(GOLDEN[1]!))
  expect(found(reader, '2001:db8::9')).toEqual(shown(GOLDEN[2]!))
  expect(found(reader, '2001:db8:ffff::1')).toEqual(shown(GOLDEN[3]!))
  for (const other of ['203.0.112.255', '203.0.114.0', '2001:db8::8', '2001:db9::', '::1', '1.2.3.4'])
    expect(found(reader, other)).toBeNull()
})

test('the narrowest network wins, in whichever order the networks come', () => {
  const values = ['8.0.0.0/8', '8.8.0.0/16', '8.8.8.0/24', '8.8.8.8/32', '2a00::/12', '2a00:1::/32', '2a00:1::1/128']
  const items = values.map((value, at) => listItem('cidr', value, { tags: [`t${at}`] }))
  const orders = [items, items.toReversed(), items.toSorted((a, b) => (a.entityId < b.entityId ? -1 : 1))]
  for (const order of orders) {
    const reader = readerOf(order)
    const addresses = ['8.1.1.1', '8.8.1.1', '8.8.8.1', '8.8.8.8', '2a01::', '2a00:1::2', '2a00:1::1', '9.0.0.0']
    for (const address of addresses) expect(found(reader, address)).toEqual(shown(narrowest(items, address)))
  }
})

test('every address of random and hostile items is found, and those beside them are not', () => {
  const items = [...randomItems(500, 9), ...HOSTILE]
  const carried = carriedBy(mmdb, items)
  const { bytes, skipped } = writtenOf(mmdb, items)
  expect(skipped).toBe(items.length - carried.length)
  const reader = new Reader<never>(bytes)
  const below = numbers(4)
  const inside = carried.map(({ value }) => value.split('/')[0]!)
  const beside = Array.from({ length: 200 }, () => [1 + below(220), below(256), below(256), below(256)].join('.'))
  for (const address of [...inside, ...beside])
    expect(found(reader, address)).toEqual(shown(narrowest(carried, address)))
})

test('of an address and the network of this one address, the first is kept', () => {
  const items = [listItem('cidr', '8.8.8.8/32'), listItem('ip', '8.8.8.8', { reputation: 1 })]
  expect(found(readerOf(items), '8.8.8.8')).toEqual(shown(items[0]!))
  expect(writtenOf(mmdb, items).skipped).toBe(0)
})

test('long lists of tags, and lists that come again, are read back', () => {
  const long = Array.from({ length: 100 }, (_, at) => `${at}${'ü'.repeat(120)}`)
  const lists = [long, [], ['a'.repeat(28)], ['a'.repeat(29)], ['a'.repeat(256)], long, []]
  const items = lists.map((tags, at) => listItem('ip', `8.8.8.${at}`, { tags, reputation: at - 3, accuracy: at % 4 }))
  const reader = readerOf(items)
  for (const item of items) expect(found(reader, item.value)).toEqual(shown(item))
})

test('the database says what it is, and its time is that of what was seen last', () => {
  const { metadata } = readerOf(GOLDEN)
  expect(metadata).toMatchObject({
    ipVersion: 6,
    recordSize: 32,
    binaryFormatMajorVersion: 2,
    databaseType: 'Harrier-Feed',
  })
  expect(metadata.description).toEqual({ en: 'Block "list", all of it' })
  expect(metadata.buildEpoch.getTime()).toBe(Math.floor((SEEN + 60_000) / 1000) * 1000)
})

test('an empty list is a database in which nothing is found', () => {
  expect(found(readerOf([]), '8.8.8.8')).toBeNull()
  expect(found(readerOf([]), '2a00::1')).toBeNull()
})
