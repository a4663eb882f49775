import { expect, test } from 'vitest'
import { automaticScans } from '../../../../../pipelines/processors/scans/automatic-scan.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { changesOf } from '../../../../builders/accounts/casework/alerts-job.ts'

const matched: Partial<Observation> = {
  kind: 'match',
  reputation: null,
  trust: 0,
  source: 'c1',
  sourceKind: 'customer',
  audience: ['blue'],
}
const scanned = (...all: Partial<Observation>[]) =>
  changesOf(...all).map((change) => automaticScans(change, { allowPrivate: false }).map(({ audience }) => audience))

test('what a report is new to is scanned, and what a match alone is new to is not', () => {
  expect(scanned({}, { audience: ['blue'] })).toEqual([[['public']], [['blue']]])
  expect(scanned({}, matched)).toEqual([[['public']], []])
  const again = { audience: ['blue'], reputation: -1 }
  expect(scanned({}, matched, { audience: ['blue'] }, again).slice(2)).toEqual([[['blue']], []])
})
