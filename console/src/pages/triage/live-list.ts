/** What the stream of changes does to the list of Triage: nothing moves until it is brought in. */

import { accuracyLabel, reputationLabel } from '../../parts/entity/scores.ts'
import type { ChangeEvent } from '../../parts/live/events.ts'
import { type Item, LIMIT } from './feed.ts'

/**
 * `at`: unix milliseconds when it was told. `inside`: whether the entity belongs into the list now. `previous`: its last
 * other reputation; null: none is known.
 */
export type LiveUpdate = { item: Item; inside: boolean; at: number; previous: number | null }
export type LiveUpdates = ReadonlyMap<string, LiveUpdate>

/** Entities that are remembered; those that changed longest ago are forgotten first. */
export const MOST_UPDATES = 500
/** An answer has everything that was told so long before it came, in milliseconds. */
const ANSWERED_MS = 5_000

export type ListQuery = { hours: number; malicious: boolean }

const itemOf = ({ id, type, value, reputation, accuracy, tags, firstSeen, lastSeen }: ChangeEvent['entity']): Item => ({
  id,
  type,
  value,
  reputation,
  reputation_label: reputationLabel(reputation) as Item['reputation_label'],
  accuracy,
  accuracy_label: accuracyLabel(accuracy) as Item['accuracy_label'],
  tags: [...tags],
  first_seen: firstSeen,
  last_seen: lastSeen,
})

/** The updates after some changes, in the order in which they were told. */
export function withChanges(
  updates: LiveUpdates,
  changes: readonly ChangeEvent[],
  { hours, malicious }: ListQuery,
  now: number,
): LiveUpdates {
  const after = new Map(updates)
  for (const { entity } of changes) {
    const item = itemOf(entity)
    const recent = Date.parse(entity.lastSeen) >= now - hours * 3_600_000
    const told = entity.previousReputation
    const previous = told === null || told === item.reputation ? (after.get(item.id)?.previous ?? null) : told
    after.delete(item.id)
    after.set(item.id, { item, inside: recent && (!malicious || item.reputation < 0), at: now, previous })
  }
  for (const id of after.keys()) {
    if (after.size <= MOST_UPDATES) break
    after.delete(id)
  }
  return after
}

/** The list as the platform would answer it now: its last answer (`at`) with what was told since. */
export function mergedList(answer: readonly Item[], at: number, updates: LiveUpdates): Item[] {
  const items = new Map(answer.map((item) => [item.id, item]))
  for (const [id, { item, inside, at: told }] of updates) {
    if (told < at - ANSWERED_MS) continue
    if (inside) items.set(id, item)
    else items.delete(id)
  }
  const byLastSeen = (a: Item, b: Item): number => (a.last_seen < b.last_seen ? 1 : a.last_seen > b.last_seen ? -1 : 0)
  return [...items.values()].sort(byLastSeen).slice(0, LIMIT)
}

export type Mark = 'changed' | 'gone'

/**
 * How the rows on the screen are marked: what they have become is shown in their place.
 * @param since unix milliseconds when they were brought onto the screen
 */
export function marksOf(read: readonly Item[], updates: LiveUpdates, since: number): ReadonlyMap<string, Mark> {
  const marks = new Map<string, Mark>()
  for (const { id } of read) {
    const update = updates.get(id)
    if (update !== undefined && update.at > since) marks.set(id, update.inside ? 'changed' : 'gone')
  }
  return marks
}

/** The rows on the screen as they were told last, those that are gone too. */
export const withUpdates = (items: readonly Item[], updates: LiveUpdates): Item[] =>
  items.map((item) => updates.get(item.id)?.item ?? item)
