import { describe, expect, test } from 'vitest'
import {
  MOST_COUNTED,
  NOTHING_WAITS,
  SHOWN,
  waitingText,
  withWaiting,
} from '../../../../../../console/src/pages/overview/live-changes.ts'
import type { Item } from '../../../../../../console/src/pages/triage/feed.ts'
import {
  MOST_UPDATES,
  marksOf,
  mergedList,
  withChanges,
  withUpdates,
} from '../../../../../../console/src/pages/triage/live-list.ts'
import type { ChangeEvent } from '../../../../../../console/src/parts/live/events.ts'

const NOW = Date.parse('2026-11-22T12:00:00.000Z')
const malicious = { hours: 24, malicious: true }

const change = (
  id: string,
  { kinds = ['scored'], ...entity }: Partial<ChangeEvent['entity']> & { kinds?: ChangeEvent['kinds'] } = {},
): ChangeEvent => ({
  id: `change of ${id} ${JSON.stringify(entity)}`,
  kinds,
  reason: 'reported',
  at: '2026-11-22T12:00:00.000Z',
  entity: {
    id,
    type: 'ip',
    value: id,
    reputation: -2,
    previousReputation: -1,
    accuracy: 2,
    tags: [],
    wellKnown: false,
    firstSeen: '2026-11-22T10:00:00.000Z',
    lastSeen: '2026-11-22T12:00:00.000Z',
    ...entity,
  },
})
const item = (id: string, last_seen = '2026-11-22T11:00:00.000Z'): Item => ({
  id,
  type: 'ip',
  value: id,
  reputation: -1,
  reputation_label: 'Suspicious',
  accuracy: 2,
  accuracy_label: 'Medium',
  tags: [],
  first_seen: '2026-11-22T00:00:00.000Z',
  last_seen,
})
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id)

describe('the list of triage, live', () => {
  const read = [item('a'), item('b')]
  const updates = withChanges(
    new Map(),
    [change('new'), change('a', { reputation: -3 }), change('b', { reputation: 0, previousReputation: -1 })],
    malicious,
    NOW,
  )

  test('keeps its rows in their places, as they are now, and marks them', () => {
    expect(withUpdates(read, updates).map(({ id, reputation }) => [id, reputation])).toEqual([
      ['a', -3],
      ['b', 0],
    ])
    expect([...marksOf(read, updates, NOW - 1)]).toEqual([
      ['a', 'changed'],
      ['b', 'gone'],
    ])
  })

  test('marks nothing that was brought in since', () => {
    expect(marksOf(read, updates, NOW).size).toBe(0)
  })

  test('is what the platform would answer: newest first, without what is gone', () => {
    expect(ids(mergedList(read, NOW - 60_000, updates)).sort()).toEqual(['a', 'new'])
    const older = withChanges(new Map(), [change('c', { lastSeen: '2026-11-22T10:59:00.000Z' })], malicious, NOW)
    expect(ids(mergedList(read, NOW, older))).toEqual(['a', 'b', 'c'])
  })

  test('leaves to a later answer what was told before it', () => {
    expect(mergedList(read, NOW + 60_000, updates)).toEqual(read)
  })

  test('does not take what was seen before its period, or is harmless', () => {
    const changes = [change('old', { lastSeen: '2026-11-20T00:00:00.000Z' }), change('good', { reputation: 2 })]
    expect(mergedList([], NOW, withChanges(new Map(), changes, malicious, NOW))).toEqual([])
    const all = withChanges(new Map(), changes, { hours: 720, malicious: false }, NOW)
    expect(ids(mergedList([], NOW, all))).toEqual(['good', 'old'])
  })

  test('remembers what changed last', () => {
    const many = Array.from({ length: MOST_UPDATES + 10 }, (_, i) => change(`e${i}`))
    const kept = withChanges(new Map(), [...many, change('e20', { reputation: -3 })], malicious, NOW)
    expect(kept.size).toBe(MOST_UPDATES)
    expect([kept.has('e9'), kept.has('e20'), [...kept.keys()].at(-1)]).toEqual([false, true, 'e20'])
  })
})

describe('what waits on the overview', () => {
  test('counts each entity once, and what was new stays new', () => {
    const waiting = withWaiting(NOTHING_WAITS, [
      change('a', { kinds: ['created'], previousReputation: null }),
      change('a', { reputation: -3 }),
      change('b'),
      change('c', { reputation: 1, previousReputation: -2 }),
    ])
    expect(waitingText(waiting)).toBe('1 new, 1 changed, 1 no longer malicious')
    expect(waiting.latest.map(({ entity, mark }) => [entity.id, mark])).toEqual([
      ['c', 'gone'],
      ['b', 'changed'],
      ['a', 'new'],
    ])
  })

  test('is nothing, or more than is counted', () => {
    expect(waitingText(NOTHING_WAITS)).toBeNull()
    const many = Array.from({ length: MOST_COUNTED + 5 }, (_, i) => change(`e${i}`))
    const waiting = withWaiting(NOTHING_WAITS, many)
    expect(waitingText(waiting)).toBe(`${MOST_COUNTED} changed and more`)
    expect(waiting.latest).toHaveLength(SHOWN)
  })
})
