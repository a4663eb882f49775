import type { History } from '../../../../connectors/history/port.ts'
import {
  newestRows,
  type RecentRow,
  recentKeys,
  recentRows,
  withId,
} from '../../../../connectors/history/sql/queries/entities-queries.ts'
import { accuracyLabel, reputationLabel } from '../../../../schemas/intelligence/entities/labels.ts'
import { builtIn, type Scoring } from '../../../../schemas/intelligence/scoring/rules.ts'
import type { EntityView } from '../../../../schemas/intelligence/state/entity-view.ts'
import { foldVisibleRows } from '../entity/visible-rows.ts'
import type { Reader } from '../readers.ts'
import type { OverlapLookup } from './overlaps.ts'

const HOUR_MS = 3_600_000
/** Most candidates read for one answer; when more are needed, the answer is shorter than `limit`. */
const MAX_CANDIDATES = 51_200
/** Beyond the limit, for the few rows among the newest that are outdated. */
const SPARE = 10

/** Members of an entity that the feed shows. */
type RecentEntity = Pick<
  EntityView,
  'entityId' | 'type' | 'value' | 'reputation' | 'accuracy' | 'tags' | 'firstSeen' | 'lastSeen'
>

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

export type RecentFeed = (reader: Reader, q: Question, now: number) => Promise<Recent>

/** The triage feed: entities the reader may read, by last sighting, newest first (specification 4.1). */
export function recent(
  history: Pick<History, 'query'>,
  overlaps: OverlapLookup,
  scoring: Scoring = builtIn,
): RecentFeed {
  /** The entities of these rows as the reader may see them, as far as they answer the question. */
  async function shown(found: readonly RecentRow[], reader: Reader, answers: (view: RecentEntity) => boolean) {
    const rows = found.map(withId)
    // In several only since a moment ago, or the overlaps would know them.
    const { single, folded } = await foldVisibleRows(history, rows, reader.audiences, scoring)
    return [...single.map(shownOf), ...folded].filter(answers)
  }

  /**
   * Newest entities that `skip` does not know: those in one audience of the reader only, and those in several that are not
   * known to be. Candidates may be outdated rows of entities that have changed since: their current rows decide, and more
   * candidates are read until enough of them hold.
   */
  async function single(reader: Reader, q: Question, since: number, skip: (entityId: string) => boolean) {
    const { audiences } = reader
    const filter = { audiences, since, maliciousOnly: q.maliciousOnly }
    const answers = (view: RecentEntity) => !skip(view.entityId) && matchesQuestion(view, q, since)
    const first = q.limit + SPARE
    const newest = await history.query<RecentRow>(newestRows({ ...filter, distinct: false }, first))
    const views = await shown(newest, reader, answers)
    if (views.length >= q.limit) return views
    for (let candidates = first; ; candidates *= 4) {
      const asked = Math.min(candidates, MAX_CANDIDATES)
      const found = await history.query<{ key: string }>(recentKeys({ ...filter, distinct: true }, asked))
      const keys = found.map((row) => BigInt(row.key))
      const rows = keys.length === 0 ? [] : await history.query<RecentRow>(recentRows(keys, audiences))
      const views = await shown(rows, reader, answers)
      const exhausted = found.length < candidates || candidates >= MAX_CANDIDATES
      if (views.length >= q.limit || exhausted) return views
    }
  }

  return async (reader, q, now) => {
    const since = now - q.hours * HOUR_MS
    const found = await overlaps.of(reader)
    const { limit, maliciousOnly } = q
    const folded: RecentEntity[] = (await found.newest({ since, maliciousOnly, limit })).filter((view) =>
      matchesQuestion(view, q, since),
    )
    const known = new Set(folded.map((view) => view.entityId))
    const others = await single(reader, q, since, found.has)
    const items = [...folded, ...others.filter((view) => !known.has(view.entityId))]
      .sort((a, b) => b.lastSeen - a.lastSeen || (a.entityId < b.entityId ? -1 : 1))
      .slice(0, q.limit)
      .map(itemOf)
    return { items, window: { hours: q.hours, since: new Date(since).toISOString() } }
  }
}

const shownOf = (row: RecentRow & { entity_id: string }): RecentEntity => ({
  entityId: row.entity_id,
  type: row.type,
  value: row.value,
  reputation: row.reputation,
  accuracy: row.accuracy,
  tags: row.tags,
  firstSeen: Number(row.first),
  lastSeen: Number(row.last),
})

const matchesQuestion = (view: RecentEntity, q: Question, since: number): boolean =>
  view.lastSeen >= since && (!q.maliciousOnly || view.reputation < 0)

const itemOf = (view: RecentEntity): RecentItem => ({
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
