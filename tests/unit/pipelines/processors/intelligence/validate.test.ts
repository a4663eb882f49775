import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coveredRecord } from '../../../../../pipelines/processors/intelligence/marks/covered-record.ts'
import { faultOf, placeFault } from '../../../../../pipelines/processors/intelligence/validate.ts'
import { MAX_TAGS, normaliseTags } from '../../../../../schemas/intelligence/ingest/tags.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { NOW, observation } from '../../../../builders/intelligence/observation.ts'

const MARK = { type: 'cidr', value: '8.8.8.0/24' }
const record = (given: Partial<Observation> = {}): Observation => ({
  ...coveredRecord({ type: 'ip', value: '8.8.8.8' }, MARK, NOW),
  ...given,
})

test('the record that the job makes is taken, and is another at another moment, as an entity may be covered again', () => {
  expect(faultOf(record(), NOW)).toBeNull()
  const later = coveredRecord({ type: 'ip', value: '8.8.8.8' }, MARK, NOW + 1)
  expect(later.id).not.toBe(record().id)
  expect(later.submissionId).not.toBe(record().submissionId)
})

const silent = 'a covered record must contain only its entity'
const refused: { given: Partial<Observation>; fault: string }[] = [
  { given: { audience: ['public'] }, fault: 'a covered record must not have an audience' },
  { given: { reputation: -3 }, fault: silent },
  { given: { tags: ['a'] }, fault: silent },
  { given: { attributes: { country: 'France' } }, fault: silent },
  { given: { links: [{ mode: 'association', entityId: `ip-${'a'.repeat(64)}`, relationship: null }] }, fault: silent },
  { given: { covers: true }, fault: silent },
  { given: { kind: 'report' }, fault: 'audience is empty' },
]
for (const { given, fault } of refused)
  test(`a covered record with ${JSON.stringify(given)} is refused`, () =>
    expect(faultOf(record(given), NOW)).toBe(fault))

test('a link is stated with a relationship type, or with none', () => {
  const of = (relationship: string | null) =>
    faultOf(observation({ links: [{ mode: 'association', entityId: `ip-${'a'.repeat(64)}`, relationship }] }), NOW)
  for (const good of [null, 'uses', 'a'.repeat(100)]) expect(of(good)).toBeNull()
  for (const bad of ['', 'Uses', 'a b', 'a'.repeat(101)])
    expect(of(bad)).toMatch(/^the relationship of a link must be 1 to 100 lower-case/)
})

test('only a public well-known mark of a cidr or a domain may cover', () => {
  const mark: Partial<Observation> = { ...MARK, kind: 'well_known', reputation: null, covers: true }
  const fault = 'covers is only allowed in public well-known marks of cidr and domain'
  expect(faultOf(observation(mark), NOW)).toBeNull()
  expect(faultOf(observation({ ...mark, type: 'domain', value: 'example.com' }), NOW)).toBeNull()
  expect(faultOf(observation({ ...mark, kind: 'report' }), NOW)).toBe(fault)
  expect(faultOf(observation({ ...mark, type: 'ip', value: '8.8.8.8' }), NOW)).toBe(fault)
  expect(faultOf(observation({ ...mark, audience: ['blue'] }), NOW)).toBe(fault)
})

test('tags that passed are judged the same again, in any order and number', () => {
  const word = fc.constantFrom('a', 'b', 'c', 'B', ' b', '', 'a\u0001b')
  fc.assert(
    fc.property(fc.array(fc.array(word, { maxLength: 4 }), { minLength: 1, maxLength: 20 }), (lists) => {
      for (const tags of lists) {
        const normal = normaliseTags(tags)
        const good = normal.ok && normal.tags.join('\n') === tags.join('\n')
        expect(faultOf(observation({ tags }), NOW) === null).toBe(good)
      }
    }),
  )
  const many = Array.from({ length: MAX_TAGS + 1 }, (_, i) => `t${1000 + i}`)
  expect(faultOf(observation({ tags: many.slice(1) }), NOW)).toBeNull()
  expect(faultOf(observation({ tags: many.slice(0, -1) }), NOW)).toBeNull()
  expect(faultOf(observation({ tags: many }), NOW)).toMatch(/at most/)
})

test('a record stands under the id of its entity, byte by byte', () => {
  const o = observation()
  expect(placeFault(o, Buffer.from(o.entityId), 1, 1)).toBeNull()
  expect(placeFault(o, Buffer.from(o.entityId), 1, 2)).toMatch(/partition 2, not 1/)
  const keys = [null, '', o.entityId.slice(1), `${o.entityId}0`, `${o.entityId.slice(0, -1)}g`]
  for (const key of keys)
    expect(placeFault(o, key === null ? null : Buffer.from(key), 1, 1)).toBe(
      'the key of the record differs from entityId',
    )
})
