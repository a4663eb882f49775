import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { definitions } from '../../../../../schemas/intelligence/entities/catalogue.ts'
import { NORMALISERS } from '../../../../../schemas/intelligence/entities/datatypes/normalisers.ts'
import type { DataType } from '../../../../../schemas/intelligence/entities/datatypes/table.ts'
import { normalise } from '../../../../../schemas/intelligence/entities/normalise.ts'
import { isRefusal } from '../../../../../schemas/intelligence/entities/refusal.ts'
import { cases } from '../../../../builders/datatypes/cases.ts'

const short = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text)

/** The type of the catalogue that stands for each datatype here; Boolean has none yet and is read directly. */
const typeOf = new Map(definitions().map(({ type, dataType }) => [dataType as string, type]))

const read = (dataType: string, raw: string) => {
  const type = typeOf.get(dataType)
  return type === undefined ? NORMALISERS[dataType as DataType](raw) : normalise(type, raw)
}

for (const [dataType, { valid, invalid }] of Object.entries(cases)) {
  describe(dataType, () => {
    for (const [raw, normal] of valid) test(`reads ${short(raw)}`, () => expect(read(dataType, raw)).toBe(normal))
    for (const [, normal] of valid)
      test(`keeps the normal form ${short(normal)}`, () => expect(read(dataType, normal)).toBe(normal))
    for (const raw of invalid)
      test(`refuses ${short(raw)} and says why`, () => {
        expect(read(dataType, raw)).toEqual({ reason: expect.stringMatching(/^(must|is) \w/) })
      })
  })
}

test('every type of the catalogue has a datatype that is read, with an example', () => {
  expect(definitions()).toHaveLength(129)
  for (const { type, dataType } of definitions()) {
    const [raw, normal] = cases[dataType].valid[0]!
    expect(normalise(type, raw), type).toBe(normal)
  }
})

test('the ranges that an address is refused for are named', () => {
  const kinds = [
    ['10.0.0.1', 'private'],
    ['127.0.0.1', 'loopback'],
    ['169.254.0.1', 'link-local'],
    ['224.0.0.1', 'multicast'],
    ['0.0.0.0', 'unspecified'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['fd00::1', 'private'],
    ['::ffff:192.168.0.1', 'private'],
  ] as const
  for (const [address, kind] of kinds)
    expect(normalise('ip', address)).toEqual({ reason: `must be a publicly routable address; this address is ${kind}` })
})

const scalars = [
  { name: 'an integer is kept as its text', type: 'asn', raw: 13335, want: '13335' },
  { name: 'a fraction is kept as its text', type: 'latitude', raw: -37.5, want: '-37.5' },
  { name: 'a boolean is kept as its text', type: 'value', raw: true, want: 'true' },
  { name: 'a number may be the value of a text', type: 'text', raw: 42, want: '42' },
  { name: 'a large size is a float', type: 'size-in-bytes', raw: 2 ** 60, want: String(2 ** 60) },
  { name: 'minus zero is zero', type: 'asn', raw: -0, want: '0' },
] as const
for (const { name, type, raw, want } of scalars) test(name, () => expect(normalise(type, raw)).toBe(want))

const refusedScalars = [
  { name: 'a number that is not finite is refused', type: 'latitude', raw: JSON.parse('1e400'), why: /finite/ },
  { name: 'a number that lost digits on the way is refused', type: 'cc-number', raw: 2 ** 53, why: /string/ },
  { name: 'a fraction is no integer', type: 'asn', raw: 1.5, why: /integer/ },
  { name: 'a number is no address', type: 'ip', raw: 134744072, why: /IPv4/ },
  { name: 'null is no value', type: 'text', raw: null, why: /string, a number or a boolean/ },
  { name: 'an object is no value', type: 'text', raw: { toString: 1 }, why: /string, a number or a boolean/ },
  { name: 'an unknown type has no values', type: 'no-such-type', raw: 'x', why: /catalogue/ },
  { name: 'a name that objects inherit is no type', type: 'constructor', raw: 'x', why: /catalogue/ },
] as const
for (const { name, type, raw, why } of refusedScalars)
  test(name, () => expect(normalise(type, raw as string)).toEqual({ reason: expect.stringMatching(why) }))

const types = definitions().map(({ type }) => type)
const valids = Object.values(cases).flatMap(({ valid }) => valid.map(([raw]) => raw).filter((raw) => raw.length < 500))

/** Anything, and things that almost are something: valid values with a character changed. */
const almost = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(...valids),
  fc
    .tuple(fc.constantFrom(...valids), fc.nat(60), fc.string({ unit: 'grapheme', maxLength: 2 }))
    .map(([value, at, other]) => value.slice(0, at) + other + value.slice(at + 1)),
)

test('property: the normal form of a normal form is itself, whatever the type', () => {
  fc.assert(
    fc.property(fc.constantFrom(...types), almost, (type, raw) => {
      const once = normalise(type, raw)
      if (!isRefusal(once)) expect(normalise(type, once)).toBe(once)
    }),
    { numRuns: 20_000 },
  )
})

test('no value of the largest size takes a normaliser more than a moment', () => {
  const units = [
    'a',
    '1',
    '.',
    'a.',
    '-',
    ':',
    'ü',
    'ü.',
    '+',
    '0',
    ' ',
    'aa:',
    '(',
    'a;b=c;',
    '@',
    '/',
    '%',
    '1.',
    '=',
  ]
  for (const [dataType, normaliser] of Object.entries(NORMALISERS))
    for (const prefix of ['', 'http://', '+', 'text/html;', 'a@', '8.8.8.8/', '2001:'])
      for (const unit of units) {
        const raw = `${prefix}${unit.repeat(Math.floor(65_000 / Buffer.byteLength(unit)))}!`
        const began = performance.now()
        normaliser(raw)
        const took = performance.now() - began
        expect(took, `${dataType} ${prefix}${unit}...`).toBeLessThan(1_000)
      }
})
