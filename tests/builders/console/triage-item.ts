import type { Item } from '../../../console/src/pages/triage/feed.ts'

/** An entity of the list of triage. */
export const triageItem = (id: string, given: Partial<Item> = {}): Item => ({
  id,
  type: 'ip',
  value: '203.0.113.7',
  reputation: -3,
  reputation_label: 'Alarming',
  accuracy: 2,
  accuracy_label: 'Medium',
  tags: ['botnet', 'c2'],
  first_seen: '2026-11-22T00:00:00.000Z',
  last_seen: '2026-11-22T01:00:00.000Z',
  ...given,
})
