import { describe, expect, test } from 'vitest'
import {
  COUNTRY_NAMES,
  countriesFault,
  fitsCountry,
  readCountries,
  readCountry,
} from '../../../../../../console/src/parts/form/countries.ts'
import { countriesByCode } from '../../../../../../schemas/intelligence/entities/datatypes/place.ts'

describe('a country as people type it', () => {
  test.each(['Germany', 'germany', 'GERMANY', ' Germany ', 'DE', 'de', 'De'])('%j is Germany', (text) => {
    expect(readCountry(text)).toEqual({ name: 'Germany' })
  })

  test.each([
    ['usa', 'US'],
    ['uk', 'GB'],
    ['holland', 'NL'],
    ["cote d'ivoire", 'CI'],
    ['ivory coast', 'CI'],
  ])('%s is that of %s', (text, code) => {
    expect(readCountry(text)).toEqual({ name: new Map(countriesByCode()).get(code) })
  })

  test('every code and every name is read, and gives a name that is read as itself', () => {
    for (const [code, name] of countriesByCode())
      for (const text of [code, code.toLowerCase(), name, name.toUpperCase()])
        expect([text, readCountry(text)]).toEqual([text, { name }])
    expect(COUNTRY_NAMES.length).toBe(countriesByCode().length)
  })

  test('what is none says so, with those that begin alike', () => {
    expect(readCountry('Germny')).toEqual({ fault: expect.stringContaining('Did you mean Germany?') })
    for (const text of ['', 'x', 'ZZ', 'Atlantis', '49', 'a'.repeat(10_000)])
      expect(readCountry(text)).toEqual({ fault: expect.stringContaining('is no country') })
  })

  test('of several, the good ones are named once, and the first bad one is told', () => {
    expect(readCountries(['de', 'Germany', 'Atlantis'])).toEqual(['Germany', 'Atlantis'])
    expect(countriesFault(['Germany', 'Atlantis', 'Utopia'])).toContain('“Atlantis”')
    expect(countriesFault(['de', 'France'])).toBeNull()
  })

  test('is suggested by a part of its name and by its code', () => {
    expect(['man', 'DE', 'de'].map((typed) => fitsCountry('Germany', typed))).toEqual([true, true, true])
    expect(fitsCountry('Germany', 'fr')).toBe(false)
  })
})
