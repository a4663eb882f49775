import { describe, expect, test } from 'vitest'
import { definitionOf, definitions } from '../../../../../schemas/intelligence/entities/catalogue.ts'
import { NORMALISERS } from '../../../../../schemas/intelligence/entities/datatypes/normalisers.ts'
import { COUNTRY_ALIASES, country, countryName } from '../../../../../schemas/intelligence/entities/datatypes/place.ts'
import { halfLifeDays } from '../../../../../schemas/intelligence/entities/half-life.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { accuracyLabel, reputationLabel } from '../../../../../schemas/intelligence/entities/labels.ts'

describe('entity id', () => {
  test('8.8.8.8 has the id that the contract names', () => {
    expect(entityId('ip', '8.8.8.8')).toBe('ip-ba7fa36bff8d58ee45b973615e83d9aaeb921f1cc477d9c156e8a9cae8cca16e')
  })
  test('published ids are met', () => {
    expect(entityId('domain', 'www.garrett.kz')).toMatch(/^domain-a26df02a[0-9a-f]{56}$/)
    expect(entityId('threat', 'expansion on 123@123.com')).toMatch(/^threat-d8257cec[0-9a-f]{56}$/)
  })
})

describe('catalogue', () => {
  test('types are distinct, and every datatype has a normaliser', () => {
    expect(new Set(definitions().map(({ type }) => type)).size).toBe(129)
    for (const { dataType, type } of definitions()) expect(Object.hasOwn(NORMALISERS, dataType), type).toBe(true)
  })
  test('attributes of a type are types of the catalogue', () => {
    for (const { type, attributes } of definitions())
      for (const name of attributes) expect(definitionOf(name), `${type}.${name}`).toBeDefined()
  })
  test('a definition has exactly the fields of the contract, and nobody can change it', () => {
    for (const definition of definitions()) {
      expect(Object.keys(definition)).toEqual(['type', 'description', 'attributes', 'label', 'dataType'])
      expect(Object.isFrozen(definition) && Object.isFrozen(definition.attributes)).toBe(true)
    }
  })
  test('names that objects inherit are no types', () => {
    for (const name of ['__proto__', 'constructor', 'toString', '']) expect(definitionOf(name)).toBeUndefined()
  })
})

describe('country names', () => {
  const codes = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((a) => [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((b) => a + b))
  const known = codes.filter((code) => countryName(code) !== undefined)
  test('every name is read from itself, from its code and in any case', () => {
    expect(known).toHaveLength(250)
    for (const code of known) {
      const name = countryName(code)!
      for (const spelling of [name, code, code.toLowerCase(), name.toUpperCase(), name.toLowerCase()])
        expect(country(spelling), spelling).toBe(name)
    }
  })
  test('the names that ICU uses today are read', () => {
    const icu = new Intl.DisplayNames('en', { type: 'region' })
    for (const code of known) expect(country(icu.of(code)!), code).toBe(countryName(code))
  })
  test('every alias stands for a code that exists and hides no other country', () => {
    for (const [alias, code] of Object.entries(COUNTRY_ALIASES)) expect(country(alias), alias).toBe(countryName(code))
    expect(country('Guinea')).toBe('Guinea')
    expect(country('Niger')).toBe('Niger')
    expect(country('Dominica')).toBe('Dominica')
  })
})

test('scores have the words of the contract', () => {
  expect([-3, -2, -1, 0, 1, 2, 3].map(reputationLabel)).toEqual([
    'Alarming',
    'Bad',
    'Poor',
    'Indefinable',
    'Normal',
    'Good',
    'Excellent',
  ])
  expect([0, 1, 2, 3].map(accuracyLabel)).toEqual(['None', 'Low', 'Medium', 'High'])
  for (const wrong of [-4, 4, 0.5, Number.NaN]) expect(() => reputationLabel(wrong)).toThrow(RangeError)
  for (const wrong of [-1, 4, 0.5]) expect(() => accuracyLabel(wrong)).toThrow(RangeError)
})

const halfLives = [
  { types: ['ip', 'url'], days: 7 },
  { types: ['domain', 'hostname', 'email', 'email-address'], days: 14 },
  { types: ['cidr'], days: 30 },
  { types: ['file', 'md5', 'sha256', 'sha3-512', 'sha512-256'], days: 180 },
  { types: ['cve', 'text', 'adversary', 'never-heard-of', 'constructor'], days: 30 },
]
for (const { types, days } of halfLives)
  test(`claims about ${types.join(', ')} halve in ${days} days`, () => {
    for (const type of types) expect(halfLifeDays(type)).toBe(days)
  })
test('every digest of the catalogue has the half-life of hashes, fingerprints of TLS clients apart', () => {
  for (const { type, dataType } of definitions())
    if (/^(MD5|SHA)/.test(dataType) && type !== 'ja3-fingerprint') expect(halfLifeDays(type), type).toBe(180)
})
