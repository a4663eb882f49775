import { expect, test } from 'vitest'
import { stepOf } from '../../../../../pipelines/processors/feeds-out/step.ts'
import { compileSelector } from '../../../../../schemas/intelligence/selectors/compile.ts'
import { readSelector } from '../../../../../schemas/intelligence/selectors/read.ts'
import type { ChangedView } from '../../../../../schemas/intelligence/state/changed-view.ts'
import type { ViewChange } from '../../../../../schemas/intelligence/state/view-change.ts'

const HOUR = 3_600_000
const NOW = 1_000 * HOUR

const selectorOf = (body: object) => {
  const read = readSelector(body)
  if (!read.ok) throw new Error(read.message)
  return compileSelector(read.selector)
}
const bad = selectorOf({ reputation: { lte: -2 }, seenWithin: '24h' })

const view = (given: Partial<ChangedView> = {}): ChangedView => ({
  entityId: 'ip-1',
  type: 'ip',
  value: '192.0.2.1',
  reputation: -3,
  accuracy: 1,
  wellKnown: false,
  covered: false,
  tags: [],
  country: '',
  asn: 0,
  firstSeen: NOW,
  lastSeen: NOW,
  retracted: false,
  ...given,
})
const change = (before: Partial<ChangedView> | null, after: Partial<ChangedView>, given: Partial<ViewChange> = {}) => ({
  kinds: [],
  reason: 'reported' as const,
  before: before && view(before),
  after: view(after),
  links: [],
  linksAlone: false,
  ...given,
})
const step = (of: ReturnType<typeof change>, time = NOW) => stepOf(bad, of, time, 7)

test('a view that comes in, stays and leaves is a step; one that is never in is none', () => {
  expect(step(change(null, {}))).toMatchObject({
    before: null,
    after: { reputation: -3 },
    at: 7,
    leavesAt: NOW + 24 * HOUR,
  })
  expect(step(change({}, { reputation: -2 }))).toMatchObject({ before: { reputation: -3 }, after: { reputation: -2 } })
  expect(step(change({}, { reputation: -1 }, { reason: 'faded' }))).toMatchObject({ after: null, reason: 'faded' })
  expect(step(change({}, { wellKnown: true }, { reason: 'marked' }))).toMatchObject({ after: null, reason: 'marked' })
  expect(step(change({}, { retracted: true }, { reason: 'retracted' }))).toMatchObject({ after: null })
  expect(step(change({ reputation: 0 }, { reputation: -1 }))).toBeNull()
})

test('what was seen too long ago is not in, and had left at its hour when it is seen again', () => {
  const old = { lastSeen: NOW - 24 * HOUR }
  expect(step(change(null, old))).toBeNull()
  expect(step(change(old, {}))).toMatchObject({ leftAt: NOW, after: { lastSeen: NOW } })
  expect(step(change(old, {}), NOW - 1)).toMatchObject({ leftAt: null })
  // Of a record that changes its score once it had left.
  expect(step(change(old, { ...old, reputation: -2 }))).toMatchObject({ leftAt: NOW, after: null, reason: 'aged' })
})
