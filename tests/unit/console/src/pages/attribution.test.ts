import { expect, test } from 'vitest'
import { dimensions, entitiesAt, nameOf } from '../../../../../console/src/pages/attribution/dimensions.ts'
import { exportName, exportRows } from '../../../../../console/src/pages/attribution/export.ts'
import { attributionOf, locatedSearch } from '../../../../../console/src/pages/attribution/figures.ts'
import { codeOf, nameOfCode } from '../../../../../console/src/pages/attribution/map/countries.ts'
import { placedOf } from '../../../../../console/src/pages/attribution/map/placed.ts'
import { BEYOND, HEIGHT, project, WIDTH } from '../../../../../console/src/pages/attribution/map/projection.ts'
import { shadeOf, shortCount } from '../../../../../console/src/pages/attribution/map/shades.ts'
import { SHAPES } from '../../../../../console/src/pages/attribution/map/shapes.ts'
import { firstDay } from '../../../../../console/src/pages/attribution/period.ts'
import { worldOutline } from '../../../../../infra/world/outline.ts'
import countries from '../../../../../schemas/intelligence/entities/countries.json' with { type: 'json' }

const ALL = { malicious: false, since: null }
const lists = {
  country: [{ key: 'Bolivia', count: 3 }],
  asn: [{ key: '64500', count: 2, organisation: '=HYPERLINK("x")' }],
}

test('a row for each line is exported, systems with their organisations', () => {
  expect(exportRows(lists, 4, { malicious: true, since: '2026-11-21' })).toEqual([
    ['country', 'Bolivia', '', 3, '0.7500', 'true', '2026-11-21'],
    ['asn', '64500', '=HYPERLINK("x")', 2, '0.5000', 'true', '2026-11-21'],
  ])
  expect(exportRows(lists, null, ALL).map((row) => [row[4], row[6]])).toEqual([
    ['', ''],
    ['', ''],
  ])
})

test('its name has the day', () => {
  expect(exportName(true, Date.UTC(2026, 10, 22, 23, 59))).toBe('harrier-attribution-malicious-2026-11-22.csv')
})

test('a line counts what is located there, malicious or not, in a period or at any time', () => {
  const [country, asn] = dimensions
  const which = { malicious: true, since: '2026-11-21' }
  expect(entitiesAt(country!, 'Chile', which)).toEqual({
    types: ['ip', 'cidr'],
    malicious: true,
    seen: { from: '2026-11-21' },
    country: 'Chile',
  })
  expect(entitiesAt(asn!, '64500', ALL)).toEqual({ types: ['ip', 'cidr'], asn: '64500' })
})

test('a system and its organisation are one line', () => {
  const [country, asn] = dimensions
  expect(nameOf(asn!, { key: '64500', count: 1, organisation: 'Example Net' })).toBe('AS 64500, Example Net')
  expect(nameOf(asn!, { key: '64500', count: 1 })).toBe('AS 64500')
  expect(nameOf(country!, { key: 'Chile', count: 1 })).toBe('Chile')
})

test('a period ends with today, in UTC', () => {
  const now = Date.UTC(2026, 10, 27, 23, 59)
  expect(firstDay('7', now)).toBe('2026-11-21')
  expect(firstDay('90', Date.UTC(2026, 2, 1))).toBe('2025-12-02')
  expect(firstDay('all', now)).toBe(null)
})

test('without a period the counters are shown at once, and organisations when the search has answered', () => {
  const counted = {
    by_country: [{ key: 'Chile', count: 9 }],
    by_asn: [
      { key: '64500', count: 8 },
      { key: '64501', count: 1 },
    ],
    by_aso: [],
    malicious_only: false,
  }
  const found = {
    items: 12,
    aggregations: {
      country: { buckets: [{ key: 'Peru', doc_count: 2 }] },
      asn: { buckets: [{ key: 64500, doc_count: 2, aso: { buckets: [{ key: 'example net', doc_count: 2 }] } }] },
    },
  }
  expect(attributionOf(null, undefined, found)).toBe(null)
  expect(attributionOf(null, counted, undefined)?.asn.map(({ organisation }) => organisation)).toEqual(['', ''])
  expect(attributionOf(null, counted, found)).toEqual({
    country: [{ key: 'Chile', count: 9 }],
    asn: [
      { key: '64500', count: 8, organisation: 'example net' },
      { key: '64501', count: 1, organisation: '' },
    ],
  })
  expect(attributionOf('2026-11-21', counted, undefined)).toBe(null)
  expect(attributionOf('2026-11-21', undefined, found)).toEqual({
    country: [{ key: 'Peru', count: 2 }],
    asn: [{ key: '64500', count: 2, organisation: 'example net' }],
  })
  expect(attributionOf('2026-11-21', undefined, { items: 0, aggregations: null })).toEqual({ country: [], asn: [] })
  expect(locatedSearch({ malicious: false, since: '2026-11-21' }).query?.filter).toContainEqual({
    range: { lastSeen: { gte: '2026-11-21' } },
  })
})

/** The corners of a path of rings, each `M x y l dx dy … z`. */
function pointsOf(path: string): [number, number][] {
  return path.split('z').flatMap((ring) => {
    const [x0, y0, ...steps] = [...ring.matchAll(/-?\d+/g)].map(([number]) => Number(number))
    if (x0 === undefined || y0 === undefined) return []
    let [x, y] = [x0, y0]
    const points: [number, number][] = [[x, y]]
    for (let i = 0; i < steps.length; i += 2) {
      ;[x, y] = [x + steps[i]!, y + steps[i + 1]!]
      points.push([x, y])
    }
    return points
  })
}

test('the outline is the one of the atlas', () => {
  expect(SHAPES).toEqual(worldOutline())
})

test('the outline has known countries once each, within the picture, and where they are', () => {
  const codes = SHAPES.flatMap(({ code }) => (code === null ? [] : [code]))
  expect(codes.filter((code) => !(code in countries))).toEqual([])
  expect(new Set(codes).size).toBe(codes.length)
  expect(codes.length).toBeGreaterThan(170)
  for (const { path } of SHAPES)
    for (const [i, [x, y]] of pointsOf(path).entries()) {
      expect(x).toBeGreaterThanOrEqual(-1)
      expect(x).toBeLessThanOrEqual(WIDTH + BEYOND)
      expect(y).toBeGreaterThanOrEqual(0)
      expect(y).toBeLessThanOrEqual(HEIGHT)
      expect(Number.isInteger(x + y), `${path.slice(0, 20)} ${i}`).toBe(true)
    }
  // No line runs across the picture where land crosses the 180th meridian.
  for (const { path } of SHAPES)
    for (const ring of path.split('z').filter((one) => one !== '')) {
      const xs = pointsOf(ring).map(([x]) => x)
      for (const [i, x] of xs.entries()) if (i > 0) expect(Math.abs(x - xs[i - 1]!)).toBeLessThan(WIDTH / 5)
    }
  const middle = (code: string) => SHAPES.find((shape) => shape.code === code)!
  for (const [code, place] of Object.entries({ DE: [10, 51], BR: [-54, -15], AU: [134, -26], JP: [138, 37] })) {
    const [x, y] = project(place)
    expect(Math.hypot(middle(code).x - x, middle(code).y - y), code).toBeLessThan(30)
  }
})

test('the projection has the proportions of its authors', () => {
  const [[left, equator], [right]] = [project([-180, 0]), project([180, 0])]
  expect([left, right]).toEqual([0, WIDTH])
  const pole = (project([0, 90])[1] - equator) / (right - left)
  expect(-pole * 2 * 2.706629).toBeCloseTo(1.317363, 5)
})

test('countries with a number are placed by code, with the search that explains it', () => {
  const buckets = [
    { key: 'Germany', count: 1_200 },
    { key: 'Singapore', count: 3 },
    { key: 'Atlantis', count: 9 },
  ]
  const placed = placedOf(buckets, true, (country) => `/search?${country}`)
  expect([...placed.keys()]).toEqual(['DE', 'SG'])
  expect(placed.get('DE')).toMatchObject({ count: 1_200, title: 'Germany: 1,200 entities', link: '/search?Germany' })
})

test('countries are found by the names of the platform', () => {
  for (const [code, name] of Object.entries(countries)) expect([codeOf(name), nameOfCode(code)]).toEqual([code, name])
  expect([codeOf('Atlantis'), nameOfCode('??')]).toEqual([undefined, '??'])
})

test('more is darker, and a number on the map has at most four characters', () => {
  expect([1, 9, 99, 999, 10_000].map((n) => shadeOf(n, 10_000))).toEqual([0, 1, 2, 3, 4])
  expect(shadeOf(1, 1)).toBe(4)
  const counts = [7, 999, 1_000, 1_449, 9_949, 9_950, 999_499, 999_500, 2e6, 7.4e8, 3e9, 1e15]
  const shown = counts.map(shortCount)
  expect(shown).toEqual(['7', '999', '1k', '1.4k', '9.9k', '10k', '999k', '1M', '2M', '740M', '3G', '>1T'])
  for (const text of shown) expect(text.length).toBeLessThanOrEqual(4)
})
