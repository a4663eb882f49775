import type { History } from '../../../../connectors/history/port.ts'
import { type RecentKeyRow, recentKeys } from '../../../../connectors/history/sql/queries/entities-queries.ts'
import type { LookupSource } from '../../../../connectors/lookups/port.ts'
import { accuracyLabel, reputationLabel } from '../../../../schemas/intelligence/entities/labels.ts'
import { builtIn, type Scoring } from '../../../../schemas/intelligence/scoring/rules.ts'
import { entityKey } from '../../../../schemas/intelligence/state/entity-state.ts'
import type { EntityView } from '../../../../schemas/intelligence/state/entity-view.ts'
import { presentViews } from '../../../../schemas/intelligence/state/present.ts'
import type { Reader } from '../readers.ts'
import type { OverlapLookup } from './overlaps.ts'

const HOUR_MS = 3_600_000
/** Most candidates read for one answer; when more are needed, the answer is shorter than `limit`. */
const MAX_CANDIDATES = 51_200
/** Keys of one look into an index: it does nothing else meanwhile. */
const MOST_KEYS = 1_000
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
  { history, lookups }: { history: Pick<History, 'query'>; lookups: LookupSource },
  overlaps: OverlapLookup,
  scoring: Scoring = builtIn,
): RecentFeed {
  /**
   * What the reader is shown of the entities that have these keys. An index is behind what a statement has just seen by as
   * much as it takes to keep it: those that it has not seen as late are asked of the store.
   */
  async function shown(candidates: readonly Candidate[], { audiences }: Reader): Promise<RecentEntity[]> {
    const rules = await scoring()
    const seen = new Map<bigint, number>()
    for (const { key, last } of candidates) seen.set(key, Math.max(last, seen.get(key) ?? 0))
    const from = seen.size > MOST_KEYS ? lookups.store : await lookups.next(false)
    const views = presentViews(await from.keyed([...seen.keys()], audiences), rules)
    if (from.by === 'store') return views
    const current = views.filter(({ entityId, lastSeen }) => lastSeen >= seen.get(entityKey(entityId))!)
    for (const { entityId } of current) seen.delete(entityKey(entityId))
    return [...current, ...presentViews(await lookups.store.keyed([...seen.keys()], audiences), rules)]
  }

  /**
   * Newest entities that `skip` does not know: those in one audience of the reader only, and those in several that are not
   * known to be. Candidates may be outdated rows of entities that have changed since: their current rows decide, and more
   * candidates are read until enough of them hold.
   */
  async function single(reader: Reader, q: Question, since: number, skip: (entityId: string) => boolean) {
    const filter = { audiences: reader.audiences, since, maliciousOnly: q.maliciousOnly }
    const answers = (view: RecentEntity) => !skip(view.entityId) && matchesQuestion(view, q, since)
    const first = q.limit + SPARE
    const look = async (candidates: number, distinct: boolean) => {
      const found = (await history.query<RecentKeyRow>(recentKeys({ ...filter, distinct }, candidates))).map(
        candidateOf,
      )
      return { found: found.length, views: (await shown(found, reader)).filter(answers) }
    }
    const newest = await look(first, false)
    if (newest.views.length >= q.limit) return newest.views
    for (let candidates = first; ; candidates *= 4) {
      const { found, views } = await look(Math.min(candidates, MAX_CANDIDATES), true)
      const exhausted = found < candidates || candidates >= MAX_CANDIDATES
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

/** An entity by its key, as it was when a row of it was stored; `last` in unix milliseconds. */
type Candidate = { key: bigint; last: number }

const candidateOf = ({ key, last }: RecentKeyRow): Candidate => ({ key: BigInt(key), last: Number(last) })

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
