import { describe, expect, test } from 'vitest'
import { packagedGeo } from '../../../../connectors/geo/packaged.ts'

describe('the packaged address database', () => {
  const geo = packagedGeo()
  const google = { country: 'United States', asn: 15169, aso: 'Google LLC' }
  const nowhere = { country: '', asn: 0, aso: '' }
  const cases = [
    ['an IPv4 address', '8.8.8.8', google],
    ['an IPv6 address', '2001:4860:4860::8888', google],
    ['a mapped IPv4 address', '::ffff:8.8.8.8', google],
    ['an IPv4 block, by its network address', '8.8.8.0/24', google],
    ['an IPv6 block, by its network address', '2001:4860::/32', google],
    ['an address that nobody announces', '240.0.0.1', nowhere],
    ['an IPv6 address outside every range', '4000::1', nowhere],
    ['text', 'example.com', nowhere],
    ['text with colons', 'a:b:c', nowhere],
    ['nothing', '', nowhere],
  ] as const
  for (const [name, address, want] of cases) {
    test(`locates ${name}`, () => expect(geo.locate(address)).toEqual(want))
  }

  test('names countries in English', () => expect(geo.locate('193.0.6.139').country).toBe('Netherlands'))
  test('knows its day', () => expect(geo.date).toMatch(/^20\d\d-\d\d-\d\d$/))
})

test('a missing file is named', () => {
  expect(() => packagedGeo({ countryPath: '/nowhere/country.mmdb' })).toThrow('/nowhere/country.mmdb')
})
