import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { definitions } from '../../../../../schemas/intelligence/entities/catalogue.ts'
import { DefinitionList, EntityBody, WellKnownBody } from '../../../../../schemas/intelligence/ingest/schema.ts'
import type { SubmittedEntity } from '../../../../../schemas/intelligence/observations/observation.ts'
import { expanded } from '../../../../builders/intelligence/submission.ts'

const entity = Compile(EntityBody)
const wellKnown = Compile(WellKnownBody)

const root = { type: 'ip', attributes: { ip: '8.8.8.8' } }
const child = { mode: 'association', type: 'domain', attributes: { domain: 'a.com' } }

const accepted: readonly { name: string; body: unknown }[] = [
  { name: 'the least', body: root },
  { name: 'numbers and booleans as values', body: { type: 'ip', attributes: { ip: '8.8.8.8', asn: 1, value: true } } },
  { name: 'no main attribute: expansion names it', body: { type: 'ip', attributes: {} } },
  {
    name: 'null for nothing',
    body: { ...root, reputation: null, visibleBy: null, associations: [{ ...child, relationship: null }] },
  },
  {
    name: 'everything',
    body: {
      ...root,
      reputation: -3,
      tags: ['c2'],
      correlate: ['ip'],
      visibleBy: ['public'],
      associations: [{ ...child, associations: [{ ...child, mode: 'aggregation', relationship: 'x-1' }] }],
    },
  },
]
const refused: readonly { name: string; body: unknown }[] = [
  { name: 'null', body: null },
  { name: 'a list', body: [root] },
  { name: 'no type', body: { attributes: root.attributes } },
  { name: 'no attributes', body: { type: 'ip' } },
  { name: 'attributes as a list', body: { type: 'ip', attributes: ['8.8.8.8'] } },
  { name: 'a nested value', body: { type: 'ip', attributes: { ip: { v: 1 } } } },
  { name: 'null as a value', body: { type: 'ip', attributes: { ip: null } } },
  { name: 'a list under __proto__', body: JSON.parse('{"type":"ip","attributes":{"ip":"8.8.8.8","__proto__":[1]}}') },
  { name: 'an unknown field', body: { ...root, colour: 'red' } },
  { name: 'a reputation of 4', body: { ...root, reputation: 4 } },
  { name: 'a fraction', body: { ...root, reputation: 0.5 } },
  { name: 'a tag that is no string', body: { ...root, tags: [1] } },
  { name: 'an association without a mode', body: { ...root, associations: [{ type: 'ip', attributes: {} }] } },
  { name: 'an empty relationship type', body: { ...root, associations: [{ ...child, relationship: '' }] } },
  { name: 'a relationship in capitals', body: { ...root, associations: [{ ...child, relationship: 'USES' }] } },
  {
    name: 'a relationship type without end',
    body: { ...root, associations: [{ ...child, relationship: 'a'.repeat(101) }] },
  },
  { name: 'an association of another mode', body: { ...root, associations: [{ ...child, mode: 'x' }] } },
  { name: 'an association with a reputation', body: { ...root, associations: [{ ...child, reputation: -1 }] } },
  {
    name: 'an unknown field two levels down',
    body: { ...root, associations: [{ ...child, associations: [{ ...child, tags: [] }] }] },
  },
]
describe('the body of an entity', () => {
  for (const { name, body } of accepted) test(`may be ${name}`, () => expect(entity.Check(body)).toBe(true))
  for (const { name, body } of refused) test(`may not be or have ${name}`, () => expect(entity.Check(body)).toBe(false))
})

test('the body of a well-known entity is its type and attributes, nothing else', () => {
  expect(wellKnown.Check(root)).toBe(true)
  for (const field of ['reputation', 'tags', 'correlate', 'visibleBy', 'associations'])
    expect(wellKnown.Check({ ...root, [field]: [] }), field).toBe(false)
})

test('the definitions have the shape that is promised', () => {
  expect(Compile(DefinitionList).Check(definitions())).toBe(true)
})

const types = definitions().map(({ type }) => type)
const name = fc.oneof(
  fc.constantFrom(...types),
  fc.constantFrom('__proto__', 'toString', ''),
  fc.string({ maxLength: 6 }),
)
const value = fc.oneof(
  fc.constantFrom('8.8.8.8', 'a.com', '80/tcp', '1', 'x', '10.0.0.1'),
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.boolean(),
)
const attributes = fc.dictionary(name, value, { maxKeys: 4, noNullPrototype: true })
/** Few types and few values, so that repetitions and links to oneself happen. */
const main = fc.constantFrom(
  { type: 'ip', attributes: { ip: '8.8.8.8' } },
  { type: 'ip', attributes: { ip: '::ffff:8.8.8.8', port: '80/tcp' } },
  { type: 'domain', attributes: { domain: 'A.com', text: 'x', asn: 1 } },
  { type: 'malware', attributes: { malware: 'emotet', 'malware-type': 'loader' } },
)
const wild = fc.record({ type: name, attributes }, { noNullPrototype: true })
const mode = fc.constantFrom('aggregation', 'association')

type Entities = fc.Arbitrary<{ type: string; attributes: object }>

const below = (entities: Entities, levels: number): fc.Arbitrary<object[]> =>
  levels === 0
    ? fc.constant([])
    : fc.array(
        fc.tuple(entities, mode, below(entities, levels - 1)).map(([given, as, associations]) => ({
          ...given,
          mode: as,
          associations,
        })),
        { maxLength: 3 },
      )

/** A submission whose entities come from `entities`. */
const submission = (entities: Entities) => {
  const rest = fc.record(
    {
      associations: below(entities, 3),
      reputation: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(null)),
      correlate: fc.subarray(['malware-type', 'ip', 'text', 'toString'], { maxLength: 1 }),
      tags: fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 2 }),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  return fc.tuple(entities, rest).map(([given, more]) => ({ ...given, ...more }))
}

test('property: what passes the schema is expanded or refused with a named parameter, never thrown', () => {
  let taken = 0
  fc.assert(
    fc.property(fc.oneof(submission(wild), submission(main)), (given) => {
      fc.pre(entity.Check(given))
      const result = expanded(given as SubmittedEntity)
      if (!result.ok) {
        expect(result.param).not.toBe('')
        expect(result.message.startsWith(result.param) || result.message.startsWith('a submission')).toBe(true)
        return
      }
      taken++
      expect(result.observations[0]!.entityId).toBe(result.entityId)
      expect(new Set(result.observations.map(({ id }) => id)).size).toBe(result.observations.length)
      for (const seen of result.observations) {
        expect(Object.keys(seen.attributes)).not.toContain(seen.type)
        for (const { entityId } of seen.links) {
          expect(entityId).not.toBe(seen.entityId)
          expect(result.observations.some((other) => other.entityId === entityId)).toBe(true)
        }
      }
    }),
    { numRuns: 3_000 },
  )
  expect(taken).toBeGreaterThan(100)
})
