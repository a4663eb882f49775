import type { History } from '../../connectors/history/port.ts'
import {
  currentRows,
  type EntityRow,
  readableRowsByKey,
  recentKeys,
} from '../../connectors/history/queries/entities.ts'
import { accuracyLabel, reputationLabel } from '../../schemas/entities/labels.ts'
import { type EntityView, fold } from '../../schemas/entity-view.ts'
import type { OverlapLookup } from './overlaps.ts'
import type { Reader } from './readers.ts'

const HOUR_MS = 3_600_000
/** Candidates looked at for one answer, at most; beyond it the answer is shorter than asked. */
const MAX_CANDIDATES = 51_200

export type RecentItem = {
  id: string
  type: string
  value: string
  reputation: number
  reputation_label: string
  accuracy: number
  accuracy_label: string
  tags: string[]
  first_seen: string
  last_seen: string
}

export type Recent = { items: RecentItem[]; window: { hours: number; since: string } }

type Question = { hours: number; limit: number; maliciousOnly: boolean }

/** The triage feed: entities the reader may read, by last sighting, newest first (specification 4.1). */
export function recent(history: Pick<History, 'query'>, overlaps: OverlapLookup) {
  /**
   * Newest entities that stand in one audience of the reader only. Candidates may be outdated rows of entities that
   * have changed since: their current rows decide, and more candidates are read until enough of them hold.
   */
  async function single(reader: Reader, q: Question, since: number, skip: ReadonlyMap<string, EntityView>) {
    for (let candidates = q.limit * 4; ; candidates *= 4) {
      const found = await history.query<{ key: string }>(
        recentKeys(reader.audiences, since, q.maliciousOnly, Math.min(candidates, MAX_CANDIDATES)),
      )
      const keys = [...new Set(found.map((row) => BigInt(row.key)))]
      const rows = keys.length === 0 ? [] : await history.query<EntityRow>(readableRowsByKey(keys, reader.audiences))
      const views = [...Map.groupBy(currentRows(rows), (r) => r.entityId).values()]
        .map(fold)
        .filter((view) => !skip.has(view.entityId) && wanted(view, q, since))
      const exhausted = found.length < candidates || candidates >= MAX_CANDIDATES
      if (views.length >= q.limit || exhausted) return views
    }
  }

  return async (reader: Reader, q: Question, now: number): Promise<Recent> => {
    const since = now - q.hours * HOUR_MS
    const { views } = await overlaps.of(reader)
    const folded = [...views.values()].filter((view) => wanted(view, q, since))
    const items = [...folded, ...(await single(reader, q, since, views))]
      .sort((a, b) => b.lastSeen - a.lastSeen || (a.entityId < b.entityId ? -1 : 1))
      .slice(0, q.limit)
      .map(itemOf)
    return { items, window: { hours: q.hours, since: new Date(since).toISOString() } }
  }
}

export type RecentFeed = ReturnType<typeof recent>

const wanted = (view: EntityView, q: Question, since: number): boolean =>
  view.lastSeen >= since && (!q.maliciousOnly || view.reputation < 0)

const itemOf = (view: EntityView): RecentItem => ({
  id: view.entityId,
  type: view.type,
  value: view.value,
  reputation: view.reputation,
  reputation_label: reputationLabel(view.reputation),
  accuracy: view.accuracy,
  accuracy_label: accuracyLabel(view.accuracy),
  tags: [...view.tags],
  first_seen: new Date(view.firstSeen).toISOString(),
  last_seen: new Date(view.lastSeen).toISOString(),
})
