import fc from 'fast-check'
import type { StixItem } from '../../../schemas/exchange/stix/item.ts'
import { definitions } from '../../../schemas/intelligence/entities/catalogue.ts'
import type { DataType } from '../../../schemas/intelligence/entities/datatypes/table.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import { entityOf } from '../../../schemas/intelligence/entities/named.ts'
import { normalise } from '../../../schemas/intelligence/entities/normalise.ts'
import { cases } from '../datatypes/cases.ts'
import { SEEN } from './list-items.ts'

/** Longest value of a case that is taken. */
const LONGEST = 300
/** Datatypes of free texts. */
const TEXTS: readonly DataType[] = ['String', 'Case-sensitive string']

/** Values in the normal form of a type of the catalogue. */
function valuesOf(type: string, dataType: DataType): fc.Arbitrary<string> {
  const known = cases[dataType].valid.map(([, normal]) => normal).filter(({ length }) => length <= LONGEST)
  const fixed = fc.constantFrom(...known).filter((value) => entityOf(type, value).type === type)
  if (!TEXTS.includes(dataType)) return fixed.filter((value) => normalise(type, value) === value)
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).map((raw) => normalise(type, raw))
  const normal = text.filter((value) => typeof value === 'string') as fc.Arbitrary<string>
  return fc.oneof(fixed, normal).filter((value) => normalise(type, value) === value)
}

const values: ReadonlyMap<string, fc.Arbitrary<string>> = new Map(
  definitions().map(({ type, dataType }) => [type, valuesOf(type, dataType)]),
)

const types = definitions().map(({ type }) => type)

const attributesOf = (type: string): fc.Arbitrary<Record<string, string>> =>
  fc
    .subarray(
      types.filter((name) => name !== type),
      { maxLength: 3 },
    )
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, values.get(name)!]))))

/** Tags as a report leaves them. Those of the Traffic Light Protocol are markings, and not read as tags alone. */
const tags = fc.uniqueArray(fc.stringMatching(/^[a-z0-9][a-z0-9:. "'-]{0,18}[a-z0-9]$/), { maxLength: 4 })

/** Random entities of one type, as a reader may see them. */
export const itemsOf = (type: string): fc.Arbitrary<StixItem> =>
  fc
    .record({
      value: values.get(type)!,
      attributes: attributesOf(type),
      reputation: fc.integer({ min: -3, max: 3 }),
      accuracy: fc.integer({ min: 0, max: 3 }),
      tags: tags.filter((all) => all.every((tag) => !tag.startsWith('tlp'))),
      firstSeen: fc.integer({ min: 0, max: SEEN }),
      lastSeen: fc.integer({ min: 0, max: SEEN }),
      count: fc.option(fc.nat(), { nil: undefined }),
    })
    .map(({ count, ...item }) => {
      const named = Object.assign({ type, entityId: entityId(type, item.value) }, item)
      return count === undefined ? named : Object.assign(named, { count })
    })

/** Random entities of any type of the catalogue. */
export const anyItem: fc.Arbitrary<StixItem> = fc.constantFrom(...types).chain(itemsOf)
