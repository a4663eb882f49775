import { expect, test } from 'vitest'
import { dimensions, entitiesAt, nameOf } from '../../../../../console/src/pages/attribution/dimensions.ts'
import { exportName, exportRows } from '../../../../../console/src/pages/attribution/export.ts'

const answer = {
  by_country: [{ key: 'Bolivia, Plurinational State of', count: 3 }],
  by_asn: [{ key: '64500', count: 2 }],
  by_aso: [{ key: '=HYPERLINK("x")', count: 1 }],
  malicious_only: true,
}

test('a row for each bar is exported', () => {
  expect(exportRows(answer, 4)).toEqual([
    ['country', 'Bolivia, Plurinational State of', 3, '0.7500', 'true'],
    ['asn', '64500', 2, '0.5000', 'true'],
    ['aso', '=HYPERLINK("x")', 1, '0.2500', 'true'],
  ])
  expect(exportRows(answer, null).map(([, , , share]) => share)).toEqual(['', '', ''])
})

test('its name has the day', () => {
  expect(exportName(true, Date.UTC(2026, 10, 22, 23, 59))).toBe('harrier-attribution-malicious-2026-11-22.csv')
})

test('a bar counts what is located there, malicious or not', () => {
  const [country, asn] = dimensions
  expect(entitiesAt(country!, 'Chile', true)).toEqual({ types: ['ip', 'cidr'], malicious: true, country: 'Chile' })
  expect(entitiesAt(asn!, '64500', false)).toEqual({ types: ['ip', 'cidr'], asn: '64500' })
  expect([nameOf(asn!, '64500'), nameOf(country!, 'Chile')]).toEqual(['AS64500', 'Chile'])
})
