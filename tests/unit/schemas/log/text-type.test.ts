import avsc, { type Schema, type Type } from 'avsc'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textTypes } from '../../../../schemas/log/text-type.ts'

const schema: Schema = {
  type: 'record',
  name: 'R',
  fields: [
    { name: 'a', type: 'string' },
    { name: 'tags', type: { type: 'array', items: 'string' } },
    { name: 'more', type: { type: 'map', values: 'string' } },
    { name: 'maybe', type: ['null', 'string'] },
  ],
}
const theirs = avsc.Type.forSchema(schema)
const ours = avsc.Type.forSchema(schema, { typeHook: textTypes as (given: Schema) => Type })

const text = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'b',
    'malware',
    'x'.repeat(63),
    'x'.repeat(64),
    'x'.repeat(65),
    'ü'.repeat(40),
    '\u{1f980}',
    '\ud800',
  ),
  fc.string({ maxLength: 90 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const record = fc.record({
  a: text,
  tags: fc.array(text, { maxLength: 4 }),
  more: fc.dictionary(text, text, { maxKeys: 3, noNullPrototype: true }),
  maybe: fc.option(text),
})

test('the bytes are those of avsc, and so are the texts, whatever was read before', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 60 }), (all) => {
      for (const one of all) {
        const bytes = theirs.toBuffer(one)
        expect(ours.toBuffer(one)).toEqual(bytes)
        expect(ours.fromBuffer(bytes)).toEqual(theirs.fromBuffer(bytes))
        // The memory is used again by the next record.
        bytes.fill(0x7a)
      }
    }),
    { numRuns: 300 },
  )
})

test('fields of many texts and of one are read right for thousands of records', () => {
  for (let i = 0; i < 25_000; i++) {
    const one = { a: `value ${i % 11_000}`, tags: ['malware', `f${i % 40}`], more: { port: String(i) }, maybe: 'same' }
    const bytes = theirs.toBuffer(one)
    const read = ours.fromBuffer(bytes)
    if (read.a !== one.a || read.tags[1] !== one.tags[1] || read.maybe !== 'same') expect(read).toEqual(one)
  }
})

test('a place that lacks room says how much, as avsc does', () => {
  const one = { a: 'x'.repeat(50), tags: ['ü'], more: {}, maybe: 'short' }
  for (let room = 0; room < 70; room++)
    expect(ours.encode(one, Buffer.alloc(room), 0)).toBe(theirs.encode(one, Buffer.alloc(room), 0))
})

test('bytes that are cut are refused wherever they end', () => {
  const bytes = theirs.toBuffer({ a: 'malware', tags: ['malware', 'b'], more: { a: 'b' }, maybe: 'x' })
  ours.fromBuffer(bytes)
  for (let end = 0; end < bytes.length; end++) expect(() => ours.fromBuffer(bytes.subarray(0, end))).toThrow()
})

test('what is no text is refused by its field', () => {
  expect(() => ours.toBuffer({ a: 1, tags: [], more: {}, maybe: null })).toThrow('invalid "string": 1')
})

test('a record of another schema is read the same', () => {
  const older = avsc.Type.forSchema({
    type: 'record',
    name: 'R',
    fields: [
      { name: 'maybe', type: ['null', 'string'] },
      { name: 'a', type: 'string' },
      { name: 'tags', type: { type: 'array', items: 'string' } },
      { name: 'more', type: { type: 'map', values: 'string' } },
    ],
  })
  const resolver = ours.createResolver(older)
  const one = { maybe: 'x', a: 'malware', tags: ['b', 'malware'], more: { c: 'd' } }
  for (let i = 0; i < 3; i++) expect(ours.fromBuffer(older.toBuffer(one), resolver)).toEqual(one)
})
