import { expect, test } from 'vitest'
import {
  extractionTitle,
  TEXT_COLUMNS,
  textCells,
  textJson,
  textOutcomes,
} from '../../../../../../../console/src/pages/search/lookup/extraction.ts'
import type { Decider, LookupResult } from '../../../../../../../console/src/pages/search/lookup/queries.ts'
import { extractIndicators } from '../../../../../../../schemas/intelligence/extract/extract.ts'

const entity = (id: string, type: string, reputation: number) =>
  ({
    id,
    type,
    reputation,
    accuracy: 2,
    tags: ['a'],
    lastSeen: '2026-11-27T00:00:00.000Z',
  }) as LookupResult['entities'][number]
const results = (
  found: Record<string, LookupResult['entities']>,
  requested = 100,
  deciders: Record<string, Decider> = {},
) => ({
  known: new Map(Object.entries(found).map(([value, entities]) => [value, { value, entities }])),
  deciders: new Map(Object.entries(deciders)),
  askedAbove: true,
  unrecognised: new Set<string>(),
  requested,
  failed: null,
  ms: 1,
})
const TEXT = 'unknown.com\nfrom 198.51.100.7 to good.com\nagain 198.51.100.7'

test('indicators of a text come worst first, with their lines', () => {
  const of = extractIndicators(TEXT)
  const all = textOutcomes(
    of,
    results({ 'good.com': [entity('d', 'domain', 2)], '198.51.100.7': [entity('i', 'ip', -3)] }),
  )
  expect(all.map(({ value, type, reputation, place }) => [value, type, reputation, place!.lines])).toEqual([
    ['198.51.100.7', 'ip', -3, [2, 3]],
    ['good.com', 'domain', 2, [2]],
    ['unknown.com', 'domain', null, [1]],
  ])
  expect(TEXT_COLUMNS).toHaveLength(textCells(all[0]!).length)
  expect(textCells(all[0]!).slice(-4)).toEqual(['Malicious', 2, 2, 'from 198.51.100.7 to good.com'])
  expect(JSON.parse(textJson(all))[0]).toMatchObject({
    value: '198.51.100.7',
    verdict: 'malicious',
    lines: [2, 3],
    count: 2,
  })
})

test('what is above an indicator and decides for it ranks it, and is named', () => {
  const decider = { id: 'd', type: 'domain', value: 'evil.com', reputation: -2, accuracy: 3, tags: ['above'] }
  const all = textOutcomes(
    extractIndicators('good.com a.evil.com'),
    results({ 'good.com': [entity('g', 'domain', 2)] }, 100, { 'a.evil.com': decider }),
  )
  expect(all[0]).toMatchObject({
    value: 'a.evil.com',
    state: 'below',
    id: null,
    reputation: -2,
    accuracy: 3,
    tags: ['above'],
    by: { id: 'd', type: 'domain', value: 'evil.com' },
  })
  expect(JSON.parse(textJson(all))[0]).toMatchObject({ verdict: 'malicious', by: { value: 'evil.com' } })
  expect(textCells(all[0]!)[TEXT_COLUMNS.indexOf('score from')]).toBe('evil.com')
})

test('what a refused look-up left is not called unknown', () => {
  const all = textOutcomes(extractIndicators(TEXT), results({}, 1))
  expect(JSON.parse(textJson(all)).map(({ verdict }: { verdict: string }) => verdict)).toEqual([
    'unknown',
    'unasked',
    'unasked',
  ])
})

test('the title counts', () => {
  expect(extractionTitle(extractIndicators(TEXT))).toBe('3 indicators in 3 lines')
  expect(extractionTitle(extractIndicators('a.com'))).toBe('1 indicator in 1 line')
})
