import { describe, expect, test } from 'vitest'
import { FORMATS, formatNamed } from '../../../../../../schemas/feeds-out/formats/format-table.ts'
import { FACTS, listItem, writtenOf } from '../../../../../builders/feeds/list-items.ts'
import { READERS } from '../../../../../builders/feeds/readers.ts'

const ITEMS = [-3, -1, 0, 1, 3].map((reputation) =>
  listItem('domain', `r${reputation + 3}.example.com`, { reputation }),
)
const values = (most: number) => ITEMS.filter(({ reputation }) => reputation <= most).map(({ value }) => value)

const BLOCKING = ['hosts', 'dnsmasq', 'unbound', 'rpz']

function saidBy(name: string, mayHoldWellKnown?: boolean) {
  const facts = mayHoldWellKnown === undefined ? FACTS : { ...FACTS, mayHoldWellKnown }
  const { bytes, skipped } = writtenOf(formatNamed(name)!, ITEMS, facts)
  return { said: READERS[name]!(bytes), skipped }
}

describe.each(BLOCKING)('%s', (name) => {
  test('says no name of a reputation above 0, and counts it as skipped', () => {
    expect(saidBy(name, false)).toEqual({ said: values(0), skipped: 2 })
  })

  test('says no name of 0 in a list that may hold well-known ones, nor where that is not said', () => {
    for (const may of [true, undefined]) expect(saidBy(name, may)).toEqual({ said: values(-1), skipped: 3 })
  })
})

test('formats of names for which the device decides say good names too', () => {
  for (const { name } of FORMATS.filter(({ types }) => types !== 'any' && types.includes('hostname'))) {
    if (BLOCKING.includes(name) || name === 'stix' || name === 'misp') continue
    expect([name, saidBy(name, true).skipped]).toEqual([name, 0])
  }
})
