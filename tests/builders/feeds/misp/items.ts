import fc from 'fast-check'
import { misp } from '../../../../schemas/feeds-out/formats/exchange/misp.ts'
import type { FeedItem } from '../../../../schemas/feeds-out/formats/format.ts'
import { definitionOf } from '../../../../schemas/intelligence/entities/catalogue.ts'
import { entityOf } from '../../../../schemas/intelligence/entities/named.ts'
import { normalise } from '../../../../schemas/intelligence/entities/normalise.ts'
import { cases } from '../../datatypes/cases.ts'
import { listItem, SEEN } from '../list-items.ts'
import { randomItems } from '../random-items.ts'

const TYPES = misp.types as readonly string[]
const DAY = 86_400_000

/** Values in normal form of each type that MISP has an attribute for: those of the datatype's cases, and random ones. */
const VALUES: readonly (readonly [type: string, value: string])[] = TYPES.flatMap((type) => {
  const random = randomItems(2_000, 7).filter((item) => item.type === type)
  const given = [
    ...cases[definitionOf(type)!.dataType].valid.map(([, value]) => value),
    ...random.map((one) => one.value),
  ]
  const values = given.map((value) => normalise(type, value)).filter((value) => typeof value === 'string')
  const own = values.filter((value) => entityOf(type, value).type === type)
  return [...new Set(own)].map((value) => [type, value] as const)
})

const tag = fc.constantFrom(
  'c2',
  'tlp:green',
  'misp-galaxy:threat-actor="apt 29"',
  'ünïcode \u{1f986}',
  "o'neil\\ & co",
)

/** Items that `items.misp` carries, each entity once. */
export const mispItems: fc.Arbitrary<FeedItem[]> = fc.uniqueArray(
  fc
    .record({
      which: fc.constantFrom(...VALUES),
      reputation: fc.integer({ min: -3, max: 3 }),
      accuracy: fc.nat(3),
      tags: fc.uniqueArray(tag, { maxLength: 4 }),
      age: fc.nat(1_000 * DAY),
      length: fc.nat(DAY),
    })
    .map(({ which: [type, value], age, length, tags, ...rest }) =>
      listItem(type, value, {
        ...rest,
        tags: tags.sort(),
        firstSeen: SEEN - age,
        lastSeen: SEEN - age + length,
      }),
    ),
  { maxLength: 60, selector: ({ entityId }) => entityId },
)

/** The types of the items above, all of which have values. */
export const mispTypes: readonly string[] = [...new Set(VALUES.map(([type]) => type))]
