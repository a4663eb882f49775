import { describe, expect, test } from 'vitest'
import type { FeedItem } from '../../../../../schemas/feeds-out/formats/format.ts'
import { FORMATS } from '../../../../../schemas/feeds-out/formats/format-table.ts'
import { definitionOf } from '../../../../../schemas/intelligence/entities/catalogue.ts'
import { highestNames, widestNetworks } from '../../../../builders/feeds/covered.ts'
import { HOSTILE } from '../../../../builders/feeds/hostile-items.ts'
import { carriedBy, listItem, writtenOf } from '../../../../builders/feeds/list-items.ts'
import { randomItems } from '../../../../builders/feeds/random-items.ts'
import { READERS, saidAs } from '../../../../builders/feeds/readers.ts'

const COVERING = ['dnsmasq', 'unbound', 'rpz']
/** Types of entity that may have one observable in STIX: a name, or a digest and its file. */
const SHARING = [
  ['domain', 'hostname'],
  ['file', 'md5', 'sha3-256'],
]

/** Whether the observable of each item was there before. */
function again(items: readonly FeedItem[]): boolean[] {
  const seen = new Set<string>()
  return items.map(({ type, value }) => {
    const sharing = SHARING.findIndex((types) => types.includes(type))
    const key = `${sharing} ${value}`
    // A name with an underscore has no observable.
    const known = sharing >= 0 && !value.includes('_') && seen.has(key)
    seen.add(key)
    return known
  })
}

/** What a reader must find: what each carried item says alone, less what the format says once or not again. */
function expected(format: string, carried: readonly FeedItem[]): string[] {
  const values = carried.map((item) => saidAs(format, item))
  if (COVERING.includes(format)) return highestNames(values)
  if (format === 'nft') return widestNetworks(values)
  if (format !== 'stix') return values
  const repeated = again(carried)
  return values.filter((_, at) => !repeated[at])
}

const texts = FORMATS.filter(({ write, name }) => write !== null && name !== 'mmdb')

describe.each(texts)('$name', (format) => {
  const read = READERS[format.name]!
  const lists = {
    'hostile values': HOSTILE,
    'random items': randomItems(400, 11),
    both: [...randomItems(200, 5), ...HOSTILE],
  }

  test.each(Object.entries(lists))('says exactly what it carries: %s', (_, items) => {
    const { bytes, skipped } = writtenOf(format, items)
    const carried = carriedBy(format, items)
    expect(skipped).toBe(items.length - carried.length)
    const said = read(bytes)
    const wanted = expected(format.name, carried)
    if (format.name === 'nft') expect(said.sort()).toEqual(wanted.sort())
    else expect(said).toEqual(wanted)
  })

  test('carries something of every type that it takes', () => {
    const items = [...HOSTILE, ...randomItems(2000, 3), listItem('certificate-fingerprint', 'a'.repeat(40))]
    const types = new Set(carriedBy(format, items).map(({ type }) => type))
    const known = new Set(items.map(({ type }) => type))
    expect(
      [...known]
        .filter((type) => format.types === 'any' || format.types.includes(type))
        // Only what the catalogue has is something in STIX.
        .filter((type) => format.name !== 'stix' || definitionOf(type) !== undefined)
        .filter((type) => !types.has(type)),
    ).toEqual([])
  })

  test('no item changes what is said of the others', () => {
    const good = carriedBy(format, randomItems(8, 7)).filter(({ type }) => type !== 'cidr')
    const alone = new Set(read(writtenOf(format, good).bytes))
    for (const hostile of HOSTILE) {
      if (hostile.type === 'cidr' || hostile.value.length > 1000) continue
      const said = read(writtenOf(format, [hostile, ...good]).bytes)
      const more = said.filter((value) => !alone.has(value))
      expect(more.length).toBeLessThanOrEqual(1)
    }
  })
})
