import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { openList } from '../../../../connectors/edge-list/list.ts'
import type { EdgeChange, EdgeItem, EdgeList } from '../../../../connectors/edge-list/port.ts'
import type { Prefix } from '../../../../edge/answers/port.ts'
import { edgeItem } from '../../../builders/edge/item-list.ts'
import { longer } from '../../../builders/platform/longer.ts'
import { during } from '../../../builders/suite/during.ts'
import { ownFolder } from '../../../builders/suite/own-folder.ts'

/** What stands below a name and inside a network, against a look through all items. */

const folder = ownFolder('edge-listed')
const list = during<EdgeList>(() => openList(mkdtempSync(join(folder, 'list-')), 64 * 1024 * 1024, null))
const AT = { feed: 'f', cursor: 'c', sequence: 1, complete: true }

/** Makes the list have these items, by changes. */
async function become(items: readonly EdgeItem[]): Promise<void> {
  const kept = new Set(items.map(({ type, value }) => `${type} ${value}`))
  const gone = [...list.all()].filter(({ type, value }) => !kept.has(`${type} ${value}`))
  const changes: EdgeChange[] = [
    ...gone.map((item) => ({ item, gone: true })),
    ...items.map((item) => ({ item, gone: false })),
  ]
  await list.apply(changes, AT)
}

const reputation = fc.constantFrom(-3, -1, 0, 1)
const label = fc.constantFrom('a', 'aa', 'b', 'example', 'com', 'x-1')
const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'))
const named = fc
  .tuple(fc.constantFrom('domain', 'hostname', 'url', 'email-address'), name, reputation)
  .map(([type, host, reputation]) => {
    const value = type === 'url' ? `http://${host}/` : type === 'email-address' ? `x@${host}` : host
    return edgeItem(type, value, { reputation })
  })

const few = (length: number) => fc.array(fc.constantFrom(0, 1, 128, 255), { minLength: length, maxLength: length })
/** Bytes that are often near each other. IPv4 written as IPv6 is no network of its own. */
const address = fc.oneof(
  few(4).map((bytes) => Uint8Array.from(bytes)),
  few(3).map((bytes) => Uint8Array.from([0x20, 1, 0xd, 0xb8, ...Array<number>(9).fill(0), ...bytes])),
)
const prefix: fc.Arbitrary<Prefix> = address.chain((bytes) =>
  fc.integer({ min: 0, max: bytes.length * 8 }).map((bits) => ({
    bytes: bytes.map((byte, i) => byte & (0xff << (8 - Math.min(8, Math.max(0, bits - 8 * i))))),
    bits,
  })),
)
const textOf = (bytes: Uint8Array): string => ipaddr.fromByteArray([...bytes]).toString()
const placed = fc
  .tuple(prefix, reputation)
  .map(([{ bytes, bits }, reputation]) =>
    bits === bytes.length * 8
      ? { ...edgeItem('ip', textOf(bytes), { reputation }), prefix: { bytes, bits } }
      : { ...edgeItem('cidr', `${textOf(bytes)}/${bits}`, { reputation }), prefix: { bytes, bits } },
  )

const bit = (bytes: Uint8Array, at: number): number => (bytes[at >> 3]! >> (7 - (at % 8))) & 1
function share(a: Prefix, b: Prefix): boolean {
  if (a.bytes.length !== b.bytes.length) return false
  for (let at = 0; at < Math.min(a.bits, b.bits); at++) if (bit(a.bytes, at) !== bit(b.bytes, at)) return false
  return true
}

const only = <T extends EdgeItem>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [`${item.type} ${item.value}`, item])).values(),
]

describe('below a name', () => {
  test('something is listed when a name with a negative reputation ends with it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(named, { maxLength: 8 }), fc.array(name, { minLength: 3 }), async (given, asked) => {
        const items = only(given)
        await become(items)
        const names = items.filter(
          ({ type, reputation }) => reputation < 0 && (type === 'domain' || type === 'hostname'),
        )
        for (const one of [...asked, ...names.map(({ value }) => value)]) {
          const expected = names.some(({ value }) => value.endsWith(`.${one}`))
          expect([one, list.isAboveListed(one)]).toEqual([one, expected])
        }
        expect(list.isAboveListed('')).toBe(names.length > 0)
      }),
      { numRuns: longer(60) },
    )
  })

  test('of two types of one name, one that is not negative takes nothing away', async () => {
    const [domain, hostname] = ['domain', 'hostname'].map((type) => edgeItem(type, 'a.b.example'))
    await become([domain!, hostname!])
    await list.apply([{ item: { ...domain!, reputation: 0 }, gone: false }], AT)
    expect(list.isAboveListed('b.example')).toBe(true)
    await list.apply([{ item: hostname!, gone: true }], AT)
    expect(list.isAboveListed('b.example')).toBe(false)
  })

  test('the whole zone has something as soon as an address is listed', async () => {
    await become([edgeItem('url', 'http://a.example/'), edgeItem('ip', '203.0.113.9', { reputation: 0 })])
    expect(list.isAboveListed('')).toBe(false)
    await become([edgeItem('ip', '203.0.113.9')])
    expect([list.isAboveListed(''), list.isAboveListed('example')]).toEqual([true, false])
  })
})

describe('of a network', () => {
  test('something is listed when a negative address or network shares its bits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(placed, { maxLength: 8 }), fc.array(prefix, { minLength: 5 }), async (given, asked) => {
        const items = only(given)
        await become(items)
        const negative = items.filter(({ reputation }) => reputation < 0)
        for (const one of [...asked, ...items.map(({ prefix }) => prefix)]) {
          const expected = negative.some(({ prefix }) => share(one, prefix))
          expect([textOf(one.bytes), one.bits, list.holdsListed(one)]).toEqual([textOf(one.bytes), one.bits, expected])
        }
      }),
      { numRuns: longer(80) },
    )
  })

  test('the networks around any address are those that hold it, the narrowest first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(placed, { maxLength: 12 }), address, async (given, bytes) => {
        const items = only(given)
        await become(items)
        const inner = { bytes, bits: bytes.length * 8 }
        const expected = items
          .filter(({ type, prefix }) => type === 'cidr' && share(prefix, inner))
          .sort((a, b) => b.prefix.bits - a.prefix.bits)
        expect(list.around({ type: 'ip', value: textOf(bytes) })).toEqual(expected.map(({ value }) => value))
      }),
      { numRuns: longer(80) },
    )
  })
})
