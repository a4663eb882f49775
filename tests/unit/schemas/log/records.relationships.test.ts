import { readFileSync } from 'node:fs'
import avsc, { type Type } from 'avsc'
import { describe, expect, test } from 'vitest'
import { conflicts } from '../../../../connectors/registry/embedded/compatibility.ts'
import { decoder, encoder } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'
import { observation } from '../../../builders/intelligence/observation.ts'

/** The schema as it was before links had relationship types. */
function before(name: string, of: 'Link' | 'Association'): Type {
  const without = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(without)
    if (typeof node !== 'object' || node === null) return node
    const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, without(value)]))
    if (copy.name === of)
      copy.fields = (copy.fields as { name: string }[]).filter((field) => field.name !== 'relationship')
    return copy
  }
  const schema = without(JSON.parse(readFileSync(`schemas/log/avro/${name}.avsc`, 'utf8')))
  return avsc.Type.forSchema(schema as avsc.Schema)
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const entityId = `domain-${'b'.repeat(64)}`
const link = { mode: 'association' as const, entityId }

const child = { mode: 'association', type: 'domain', attributes: { domain: 'a.test' } }
const submission = (associations: readonly object[]) => ({
  feed: 'f',
  observedAt: null,
  visibleBy: null,
  type: 'ip',
  attributes: { ip: '192.0.2.1' },
  reputation: null,
  tags: [],
  correlate: [],
  associations,
})

const change = (links: readonly object[]) => ({
  id: 'c',
  observationId: 'o',
  cause: 'report',
  entityId,
  type: 'domain',
  value: 'a.test',
  sourceKind: 'feed',
  observedAt: 1,
  partition: 0,
  offset: 7,
  audience: ['public'],
  links,
  wide: false,
  foldedBy: null,
  rows: [],
})

const cases = [
  {
    name: 'observation',
    type: records.observation,
    older: before('observation', 'Link'),
    was: { ...observation({}), links: [link] },
    is: (relationship: string | null) => ({ ...observation({}), links: [{ ...link, relationship }] }),
  },
  {
    name: 'change',
    type: records.change,
    older: before('change', 'Link'),
    was: change([link]),
    is: (relationship: string | null) => change([{ ...link, relationship }]),
  },
  {
    name: 'submission',
    type: records.submission,
    older: before('submission', 'Association'),
    was: submission([{ ...child, associations: [{ ...child, associations: [] }] }]),
    is: (relationship: string | null) =>
      submission([{ ...child, relationship, associations: [{ ...child, relationship, associations: [] }] }]),
  },
]

describe.each(cases)('relationship types in $name', ({ type, older, was, is }) => {
  test('bytes of the former schema are read as links without a type', () => {
    const read = decoder(type, () => older)(encoder(older, 3)(was))
    expect(read.ok && plain(read.record)).toEqual(plain(is(null)))
  })

  test('a former reader reads new bytes, without the type', () => {
    const read = decoder(older, () => type)(encoder(type, 4)(is('resolves-to')))
    expect(read.ok && plain(read.record)).toEqual(plain(was))
  })

  test('new bytes come back with the type', () => {
    const read = decoder(type, () => type)(encoder(type, 4)(is('resolves-to')))
    expect(read.ok && plain(read.record)).toEqual(plain(is('resolves-to')))
  })

  test('the registry takes it, whichever way compatibility is asked for', () => {
    expect(conflicts('BACKWARD', type, [older])).toEqual([])
    expect(conflicts('FULL_TRANSITIVE', type, [older])).toEqual([])
  })
})
