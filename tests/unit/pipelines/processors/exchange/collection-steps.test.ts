import { expect, test } from 'vitest'
import { collectionSteps, type StepsOptions } from '../../../../../pipelines/processors/exchange/collection-steps.ts'
import { objectsOf } from '../../../../../schemas/exchange/stix/objects.ts'
import type { FeedItem } from '../../../../../schemas/feeds-out/formats/format.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'

const NOW = 1_800_000_000_000
const ID = entityId('ip', '192.0.2.1')

const item = (given: Partial<FeedItem> = {}): FeedItem => ({
  entityId: ID,
  type: 'ip',
  value: '192.0.2.1',
  reputation: -3,
  accuracy: 2,
  tags: [],
  firstSeen: NOW - 10_000,
  lastSeen: NOW - 5_000,
  ...given,
})

/** What is known is carried from one portion to the next, as the store does. */
function collection() {
  const memory: Pick<StepsOptions, 'entities' | 'plain' | 'texts'> = {
    entities: new Map(),
    plain: new Map(),
    texts: new Map(),
  }
  const facts = { id: '5c6f3a51-0000-4000-8000-000000000009', isPublic: true }
  let last = 0
  return (now: number, act: (steps: ReturnType<typeof collectionSteps>) => void) => {
    const steps = collectionSteps({ facts, write: objectsOf, last, now, ...memory })
    act(steps)
    last = steps.last()
    return steps.rows()
  }
}

const said = (rows: ReturnType<ReturnType<typeof collection>>) =>
  rows.map(({ object }) =>
    object === null ? null : `${object.type}${object.text.includes('"revoked":true') ? ' revoked' : ''}`,
  )

test('what comes is said, what stays the same is not, what changes is a new version, what goes is revoked', () => {
  const at = collection()
  const first = at(NOW, (steps) => steps.put(item(), 0))
  expect(said(first)).toEqual(['ipv4-addr', 'indicator', 'relationship', 'sighting'])
  expect(at(NOW + 1, (steps) => steps.put(item({ lastSeen: NOW }), 0))).toEqual([])
  const changed = at(NOW + 2, (steps) => steps.put(item({ accuracy: 3 }), 0))
  expect(said(changed)).toEqual(['indicator', 'relationship', 'sighting'])
  expect(changed.map(({ supersedes }) => supersedes)).toEqual(first.slice(1).map(({ added }) => added))
  const gone = at(NOW + 3, (steps) => steps.remove(ID))
  expect(said(gone)).toEqual(['indicator revoked', 'relationship revoked', 'sighting revoked'])
  expect(at(NOW + 4, (steps) => steps.remove(ID))).toEqual([])
  const again = at(NOW + 5, (steps) => steps.put(item(), 0))
  expect(said(again)).toEqual(['indicator', 'relationship', 'sighting'])
  expect(again[0]!.object!.id).not.toBe(first[1]!.object!.id)
  expect(again.map(({ supersedes }) => supersedes)).toEqual([0, 0, 0])
})

test('moments rise strictly, also when the clock is set back, and versions rise with them', () => {
  const at = collection()
  const rows = [
    ...at(NOW, (steps) => steps.put(item(), 0)),
    ...at(NOW - 60_000, (steps) => steps.put(item({ reputation: -2 }), 0)),
    ...at(NOW - 60_000, (steps) => steps.remove(ID)),
  ]
  const dates = rows.map(({ added }) => added)
  expect(dates).toEqual([...new Set(dates)].sort((a, b) => a - b))
  const versions = rows.flatMap(({ object }) => (object?.type === 'indicator' ? [object.version] : []))
  expect(versions).toEqual([NOW * 1_000, (NOW + 1) * 1_000, (NOW + 2) * 1_000])
})

test('what is no claim any more takes its indicator back, though it stays in the list', () => {
  const at = collection()
  at(NOW, (steps) => steps.put(item(), 0))
  const rows = at(NOW + 1, (steps) => steps.put(item({ reputation: 1 }), 0))
  expect(said(rows)).toEqual(['observed-data', 'indicator revoked', 'relationship revoked', 'sighting revoked'])
})

test('a claim is renewed as a new version that ends later, and one that nobody spoke of is looked at later', () => {
  const at = collection()
  at(NOW, (steps) => steps.put(item(), NOW + 3_600_000))
  const renewed = at(NOW + 1_800_000, (steps) => steps.put(item(), NOW + 5_400_000, true))
  expect(renewed[0]!.object!.text).toContain('"valid_until":"2027-01-15T09:30:00.000Z"')
  const postponed = at(NOW + 3_600_000, (steps) => steps.postpone(ID))
  expect(said(postponed)).toEqual([null])
  expect(postponed[0]!.entity!.lookAt).toBe(NOW + 4_500_000)
})
