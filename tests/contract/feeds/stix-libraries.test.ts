import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { OBSERVABLES } from '../../../schemas/exchange/stix/forms/observables.ts'
import type { StixItem } from '../../../schemas/exchange/stix/item.ts'
import { definitions } from '../../../schemas/intelligence/entities/catalogue.ts'
import { itemsOf } from '../../builders/feeds/catalogue-items.ts'
import { bundleOf, expectedOf, FIRST, readBack } from '../../builders/feeds/read-back.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'
import { PREPARED_MS } from '../../clients/once.ts'
import { orSkip, readStix, type StixDocument } from '../../clients/prepare.ts'

/** Random entities of every type as STIX 2.1, read by the library and the validator of its committee (decisions 15.3). */

/** Of each type, so that the validator looks at all of them. */
const EACH = 1

const items = definitions().flatMap(({ type }) => fc.sample(itemsOf(type), { numRuns: EACH, seed: 224 }))

/** The items, each once, every other one related to the one before it. */
function related(): StixItem[] {
  const once = [...new Map(items.map((item) => [item.value.toLowerCase(), item])).values()]
  return once.map((item, at) => {
    const other = once[at - 1]
    if (other === undefined || at % 2 === 0) return item
    const relation = { other, relationship: at % 3 === 0 ? null : 'communicates-with', isIncoming: at % 4 === 1 }
    return Object.assign({}, item, { relations: [relation] })
  })
}

const folder = ownFolder('stix')
const DOCUMENTS = {
  plain: bundleOf(items),
  related: bundleOf(related()),
  revoked: bundleOf(
    items.filter((_, at) => at % 4 === 0),
    { ...FIRST, life: 2, validUntil: FIRST.modified - 1, revoked: true },
  ),
}

let found: Record<keyof typeof DOCUMENTS, StixDocument>
let missing: string | null = null
beforeAll(async () => {
  const names = Object.keys(DOCUMENTS) as (keyof typeof DOCUMENTS)[]
  for (const name of names) writeFileSync(join(folder, name), DOCUMENTS[name])
  const read = await orSkip(readStix(), (why) => {
    missing = why
    throw new Error(why)
  }).catch((error: Error) => {
    if (missing === null) throw error
    return null
  })
  if (read === null) return
  const documents = await read(...names.map((name) => join(folder, name)))
  found = Object.fromEntries(names.map((name, at) => [name, documents[at]!])) as typeof found
}, PREPARED_MS)

test.each(Object.keys(DOCUMENTS) as (keyof typeof DOCUMENTS)[])(
  '%s: nothing is refused, and ids are those of the standard',
  (name) => {
    if (missing !== null) return
    expect(found[name]).toMatchObject({ other_ids: [], refused: [] })
  },
)

test('what the library writes again is read back equal', ({ skip }) => {
  if (missing !== null) return skip(missing)
  const byName = new Map(readBack(found.plain.written).map((one) => [`${one.type} ${one.value}`, one]))
  for (const item of once(items)) expect(byName.get(`${item.type} ${item.value}`)).toEqual(expectedOf(item))
})

test('every observable of the table was there', ({ skip }) => {
  if (missing !== null) return skip(missing)
  const kinds = Object.entries(OBSERVABLES)
  expect(kinds.length).toBeGreaterThan(20)
  expect(new Set(found.plain.types).size).toBeGreaterThan(18)
})

/** Of several that are one entity, or one observable, none. */
function once(all: readonly StixItem[]): StixItem[] {
  const counts = Map.groupBy(all, ({ value }) => value.toLowerCase())
  return all.filter(({ value }) => counts.get(value.toLowerCase())!.length === 1)
}
