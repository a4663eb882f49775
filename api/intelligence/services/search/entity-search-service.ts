import type { History } from '../../../../connectors/history/port.ts'
import { type EntityHit, entitySurface } from '../../../../connectors/history/sql/queries/entity-search-queries.ts'
import {
  countedByTag,
  type FoldedRow,
  foldedByTag,
  type MatchesRow,
  matchesByTag,
  type PageByTag,
  type PlaceRow,
  pageSearch,
  placesByTag,
} from '../../../../connectors/history/sql/queries/tagged-search.ts'
import type { LookupSource } from '../../../../connectors/lookups/port.ts'
import { builtIn, type Scoring } from '../../../../schemas/intelligence/scoring/rules.ts'
import type { Search } from '../../../../schemas/intelligence/search/read-search.ts'
import { type SimpleTerm, simpleClause } from '../../../../schemas/intelligence/search/simple.ts'
import { type PresentView, presentViews } from '../../../../schemas/intelligence/state/present.ts'
import { aroundQuery, type Covering, type Coverings } from '../entity/covering.ts'
import { entityRecord, viewOf } from '../entity/entity-record.ts'
import type { Reader } from '../readers.ts'
import type { Source } from './record-fields.ts'
import { type FoundPage, type Paging, recordSearch, type SearchResult } from './record-search.ts'

/** Matches that one statement keeps in memory. */
const FEW = 200_000

type Store = Pick<History, 'query'>

/** What a search of entities asks: the store for which ones they are, the look-ups for all of those of a page. */
export type EntitySearchPorts = { history: Store; lookups: LookupSource }

/** An entity of a page, as the statement saw it that found it. */
type Place = { id: string; reputation: number; accuracy: number; firstSeen: number; lastSeen: number }

/**
 * A page of entities that their rows by tag find (ADR 266). They and the entities are read one after the other while reports
 * come in: null where they disagree, and then the entities decide alone.
 */
export async function foundByTag(
  { history, lookups }: EntitySearchPorts,
  page: PageByTag,
  few = FEW,
): Promise<FoundPage | null> {
  // Nearly no match stands in several audiences of the reader, so both begin as if none did.
  const [[counted], first] = await Promise.all([
    history.query<MatchesRow>(matchesByTag(page)),
    history.query<PlaceRow>(placesByTag(page)),
  ])
  const { places, shown } =
    Number(counted!.several) === 0
      ? { places: first.map(placeOf), shown: Number(counted!.matches) }
      : await folded(history, page, few)
  const due = Math.max(0, Math.min(page.at.limit, shown - page.at.offset))
  if (places.length !== due || new Set(places.map(({ id }) => id)).size !== due) return null
  const views = await viewsAt(places, page, lookups)
  const rows = views?.map((view) => ({
    id: view.entityId,
    sorted: sortedBy(page.search.sort.field.name, view),
    record: entityRecord(view),
  }))
  return rows === undefined ? null : { rows, shown }
}

/**
 * What the reader of the page is shown of these entities, in their order. An index is behind what a statement has just seen
 * by as much as it takes to keep it, so what it says otherwise is asked of the store. null where that does, too.
 */
async function viewsAt(
  places: readonly Place[],
  { reader, rules, byTag }: PageByTag,
  lookups: LookupSource,
): Promise<PresentView[] | null> {
  const found = new Map<string, PresentView>()
  const isAsSeen = ({ id, reputation, accuracy, firstSeen, lastSeen }: Place): boolean => {
    const view = found.get(id)
    return (
      view !== undefined &&
      [view.reputation, view.accuracy, view.firstSeen, view.lastSeen].join() ===
        [reputation, accuracy, firstSeen, lastSeen].join() &&
      view.tags.some((tag) => byTag.tags.includes(tag))
    )
  }
  for (const from of [await lookups.next(false), lookups.store]) {
    const others = places.filter((place) => !isAsSeen(place))
    if (others.length === 0) break
    const ids = others.map(({ id }) => id)
    for (const [id, rows] of await from.entities(ids, reader.audiences)) {
      const [view] = presentViews(rows, rules)
      if (view !== undefined) found.set(id, view)
    }
  }
  return places.every(isAsSeen) ? places.map(({ id }) => found.get(id)!) : null
}

const placeOf = ({ id, reputation, accuracy, first, last }: PlaceRow): Place => ({
  id,
  reputation,
  accuracy,
  firstSeen: Number(first),
  lastSeen: Number(last),
})

/** The value of a field by which rows by tag are ordered. */
function sortedBy(field: string, view: PresentView): string | number {
  if (field === '@timestamp') return view.firstSeen
  if (field === 'lastSeen' || field === 'reputation' || field === 'accuracy' || field === 'type') return view[field]
  return view.entityId
}

async function folded(history: Store, page: PageByTag, few: number): Promise<{ places: Place[]; shown: number }> {
  const matches = ([row]: readonly FoldedRow[]): number => Number(row?.matches ?? 0)
  const first = await history.query<FoldedRow>(foldedByTag(page, few))
  const all = matches(first) > few ? await history.query<FoldedRow>(foldedByTag(page, null)) : first
  return { places: all.slice(page.at.offset).map(placeOf), shown: matches(all) }
}

/** Advanced search of what a reader is shown of each entity today (docs/use/search.md). */
export const advancedEntities = async (
  ports: EntitySearchPorts,
  reader: Reader,
  search: Search,
  paging: Paging,
  scoring: Scoring = builtIn,
): Promise<SearchResult> => {
  const rules = await scoring()
  return recordSearch<EntityHit>(
    ports.history,
    {
      surface: entitySurface(reader, rules),
      show: (row) => entityRecord(viewOf(row)),
      counted: (clause, aggs) => (aggs.size === 0 ? countedByTag(reader, clause, rules) : null),
      found: (asked, at) => {
        const page = pageSearch(reader, asked, at, rules)
        return page && foundByTag(ports, page)
      },
    },
    search,
    paging,
  )
}

/** The same by a term (decisions 5.4), with the networks around an address; nothing is counted but the records. */
export async function simpleEntities(
  ports: EntitySearchPorts,
  networks: Coverings,
  reader: Reader,
  { query, accuracy, reputation, source }: SimpleTerm & { source: Source },
  paging: Paging,
  scoring: Scoring = builtIn,
): Promise<Omit<SearchResult, 'aggregations'> & { aggregations: null; coveredBy?: Covering[] }> {
  const search = {
    clause: simpleClause({ query, accuracy, reputation }),
    aggs: new Map(),
    source,
    after: null,
    collapse: null,
  }
  const [found, coveredBy] = await Promise.all([
    advancedEntities(ports, reader, search, paging, scoring),
    aroundQuery(networks, reader, query),
  ])
  return { ...found, aggregations: null, ...(coveredBy !== null && { coveredBy }) }
}
