import { readFileSync } from 'node:fs'
import avsc from 'avsc'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conflicts } from '../../../../connectors/registry/embedded/compatibility.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { decoder, encoder, schemaIdOf } from '../../../../schemas/log/codec.ts'
import { records } from '../../../../schemas/log/records.ts'

const { Type } = avsc

const observation: Observation = {
  id: '01990000-0000-7000-8000-000000000001',
  submissionId: '01990000-0000-7000-8000-000000000002',
  entityId: 'ip-aa',
  type: 'ip',
  value: '8.8.8.8',
  attributes: { country: 'France' },
  reputation: -3,
  tags: ['c2'],
  links: [{ mode: 'association', entityId: 'domain-bb', relationship: 'resolves-to' }],
  audience: ['public'],
  userId: 'u',
  source: 's',
  sourceKind: 'user',
  trust: 0.6,
  kind: 'report',
  observedAt: 1_800_000_000_000,
  covers: false,
  retracted: null,
  verdict: null,
  covered: true,
}

const encode = encoder<Observation>(records.observation, 7)
const decode = decoder<Observation>(records.observation, (id) => (id === 7 ? records.observation : undefined))
const framed = encode(observation)

test('an observation comes back as it was', () => {
  const decoded = decode(framed)
  expect(decoded.ok && { ...decoded.record, links: decoded.record.links.map((link) => ({ ...link })) }).toEqual(
    observation,
  )
})

/** The schema of observations as it was before marks could cover. */
const older = (() => {
  const schema = JSON.parse(readFileSync('schemas/log/avro/observation.avsc', 'utf8'))
  schema.fields = schema.fields.filter((field: { name: string }) => field.name !== 'covers')
  const kind = schema.fields.find((field: { name: string }) => field.name === 'kind')
  kind.type.symbols = kind.type.symbols.filter((symbol: string) => symbol !== 'covered')
  return Type.forSchema(schema)
})()

test('observations of before marks could cover are read as ones that do not', () => {
  const { covers, ...before } = observation
  const read = decoder<Observation>(records.observation, () => older)
  expect(read(encoder(older, 3)(before))).toMatchObject({ ok: true, record: { covers: false, value: '8.8.8.8' } })
  expect(conflicts('FULL_TRANSITIVE', records.observation, [older])).toEqual([])
})

test('an older reader takes a covered record for a report to nobody, which it refuses', () => {
  const covered: Observation = { ...observation, kind: 'covered', audience: [] }
  const read = decoder<Observation>(older, () => records.observation)
  expect(read(encode(covered))).toMatchObject({ ok: true, record: { kind: 'report', audience: [] } })
})

test('a record is framed with a zero and the schema id', () => {
  expect(framed.subarray(0, 5)).toEqual(Buffer.from([0, 0, 0, 0, 7]))
  expect(schemaIdOf(framed)).toBe(7)
})

test('a record larger than any before it is encoded whole', () => {
  const large = encode({ ...observation, attributes: { text: 'x'.repeat(100_000) } })
  const decoded = decode(large)
  expect(decoded.ok && decoded.record.attributes.text?.length).toBe(100_000)
})

test('two records do not share bytes', () => {
  const first = encode(observation)
  encode({ ...observation, value: '9.9.9.9' })
  expect(first).toEqual(framed)
})

test('a record that does not fit names the field', () => {
  expect(() => encode({ ...observation, trust: 'much' as unknown as number })).toThrow(/trust/)
})

describe('bytes that cannot be used come back with a reason', () => {
  const ints = Type.forSchema({
    type: 'record',
    name: 'R',
    fields: [{ name: 'xs', type: { type: 'array', items: 'int' } }],
  })
  const decodeInts = decoder(ints, () => ints)
  // 2^31 items claimed by a record of a few bytes.
  const forged = Buffer.from([0, 0, 0, 0, 1, 0x80, 0x80, 0x80, 0x80, 0x10, 2, 4])
  const cases = [
    { name: 'nothing', bytes: Buffer.alloc(0), want: /too short/ },
    { name: 'a header cut short', bytes: framed.subarray(0, 4), want: /too short/ },
    { name: 'a wrong magic byte', bytes: Buffer.from([1, ...framed.subarray(1)]), want: /magic byte 1/ },
    { name: 'an unknown id', bytes: Buffer.from([0, 0, 0, 0, 9, 2]), want: /schema 9 is not an Avro schema/ },
    { name: 'a body cut short', bytes: framed.subarray(0, -1), want: /truncated/ },
    { name: 'no body', bytes: framed.subarray(0, 5), want: /truncated/ },
    { name: 'trailing bytes', bytes: Buffer.concat([framed, Buffer.from([1, 2])]), want: /2 trailing bytes/ },
  ]
  for (const { name, bytes, want } of cases)
    test(name, () => {
      const decoded = decode(bytes)
      expect(decoded.ok).toBe(false)
      expect(decoded.ok || decoded.reason).toMatch(want)
    })

  test('every cut of a record is refused', () => {
    for (let length = 0; length < framed.length; length++) expect(decode(framed.subarray(0, length)).ok).toBe(false)
  })

  test('a forged count costs nothing', () => {
    expect(decodeInts(forged)).toEqual({ ok: false, reason: 'truncated or malformed record of schema 1' })
  })

  test('nesting without end is refused', () => {
    const level = Buffer.from([2, 0, 2, 0x61, 0])
    const deep = Buffer.concat([framedSubmission().subarray(0, -1), ...Array(10_000).fill(level), Buffer.alloc(10_001)])
    expect(decoder(records.submission, () => records.submission)(deep)).toEqual({
      ok: false,
      reason: 'the record of schema 1 is nested deeper than 128 levels',
    })
  })
})

function framedSubmission(): Buffer {
  const submission = {
    feed: 'f',
    observedAt: null,
    visibleBy: null,
    type: 'ip',
    attributes: { ip: '8.8.8.8' },
    reputation: null,
    tags: [],
    correlate: [],
    associations: [],
  }
  return encoder(records.submission, 1)(submission)
}

test('an older schema is read with the defaults of the newer one', () => {
  const older = Type.forSchema({ type: 'record', name: 'R', fields: [{ name: 'a', type: 'int' }] })
  const newer = Type.forSchema({
    type: 'record',
    name: 'R',
    fields: [
      { name: 'a', type: 'int' },
      { name: 'b', type: 'string', default: 'none' },
    ],
  })
  const decoded = decoder<{ a: number; b: string }>(newer, () => older)(encoder(older, 1)({ a: 5 }))
  expect(decoded.ok && { ...decoded.record }).toEqual({ a: 5, b: 'none' })
})

test('a schema that cannot be resolved is a reason, not a throw', () => {
  const decoded = decoder(records.observation, () => records.feed)(framed)
  expect(decoded).toMatchObject({ ok: false, reason: expect.stringContaining('schema 7: cannot be decoded as') })
})

test('an id that becomes known later is decoded then', () => {
  let known = false
  const later = decoder(records.observation, () => (known ? records.observation : undefined))
  expect(later(framed).ok).toBe(false)
  known = true
  expect(later(framed).ok).toBe(true)
})

describe('texts that are not UTF-8', () => {
  const type = avsc.Type.forSchema({
    type: 'record',
    name: 'Texts',
    fields: [
      { name: 'raw', type: 'bytes' },
      { name: 'text', type: 'string' },
      { name: 'map', type: { type: 'map', values: 'string' } },
    ],
  } as avsc.Schema)
  const read = decoder(type, () => type)
  const framed = encoder<{ raw: Buffer; text: string; map: Record<string, string> }>(type, 3)
  const PLACE = 'PLACE'
  const bytesOf = (wrong: Buffer, field: 'raw' | 'text' | 'value' | 'name') => {
    const text = (name: string) => (name === field ? `${PLACE}${'-'.repeat(wrong.length)}` : 'fine \u00fc')
    const record = { raw: Buffer.from(text('raw')), text: text('text'), map: { [text('name')]: text('value') } }
    const bytes = framed(record)
    wrong.copy(bytes, bytes.indexOf(PLACE) + PLACE.length)
    return bytes
  }

  test.each(['ff', 'c3', 'c328', 'eda080', 'f8888080', 'c080'])(
    '%s is refused in texts and names, not in bytes',
    (hex) => {
      const wrong = Buffer.from(hex, 'hex')
      for (const field of ['text', 'value', 'name'] as const)
        expect(read(bytesOf(wrong, field))).toEqual({
          ok: false,
          reason: 'a text in the record of schema 3 is not UTF-8',
        })
      expect(read(bytesOf(wrong, 'raw')).ok).toBe(true)
    },
  )

  test('any text that is one comes back as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.uint8Array(), (text, raw) => {
        const record = { raw: Buffer.from(raw), text, map: { [text]: text } }
        const back = read(framed(record))
        expect(back.ok && { ...(back.record as object) }).toMatchObject({ text })
      }),
    )
  })
})
