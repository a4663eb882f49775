/** The row types of ClickHouse and the queries that they are read with. */

import type { Query } from '../../../connectors/history/port.ts'
import { activityByDay } from '../../../connectors/history/sql/queries/activity.ts'
import { groupsOfAudiences, readableAudiences } from '../../../connectors/history/sql/queries/audiences.ts'
import { counters } from '../../../connectors/history/sql/queries/counts-queries.ts'
import {
  readableRowsByKey,
  recentKeys,
  recentRows,
  rowsByKey,
  shownRows,
} from '../../../connectors/history/sql/queries/entities-queries.ts'
import {
  retractionsSince,
  statementsAlong,
  statementsUntil,
} from '../../../connectors/history/sql/queries/evidence-queries.ts'
import { simplePage, simplePages } from '../../../connectors/history/sql/queries/history-queries.ts'
import { indexRows } from '../../../connectors/history/sql/queries/index-queries.ts'
import { networksAround, networksOf } from '../../../connectors/history/sql/queries/networks-queries.ts'
import { newestOverlaps, overlapCorrection, overlappingRows } from '../../../connectors/history/sql/queries/overlaps.ts'
import { coveringMarks } from '../../../connectors/history/sql/queries/propagation-queries.ts'
import {
  firstLinks,
  linksAmong,
  neighbours,
  relationsPage,
} from '../../../connectors/history/sql/queries/relations-queries.ts'
import { endRows, newestLinks } from '../../../connectors/history/sql/queries/relationships.ts'
import { claimsBetween, rowsBetween, untoldBetween } from '../../../connectors/history/sql/queries/rescore-queries.ts'
import {
  goneAttributes,
  goneTags,
  heldBefore,
  reportedBetween,
  retractedOf,
} from '../../../connectors/history/sql/queries/retract-queries.ts'
import {
  allRetractions,
  recordOrigins,
  retractedWindows,
} from '../../../connectors/history/sql/queries/retracted-records.ts'
import { searchTotals } from '../../../connectors/history/sql/queries/search-queries.ts'
import { sourceScores, sourceVolumes } from '../../../connectors/history/sql/queries/sources-queries.ts'
import {
  foldedByTag,
  matchesByTag,
  pageSearch,
  placesByTag,
} from '../../../connectors/history/sql/queries/tagged-search.ts'
import { verdictsUntil } from '../../../connectors/history/sql/queries/verdicts-queries.ts'
import { historySurface } from '../../../connectors/history/sql/search/surface.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import { BUILT_IN } from '../../../schemas/intelligence/scoring/rules.ts'
import type { Field } from '../../../schemas/intelligence/search/clause.ts'

const AT = Date.UTC(2026, 0, 2)
const AUDIENCES = [1n, 2n]
const LIMIT = 10
const OVERLAPS = { audiences: AUDIENCES, own: [2n] }
const ID = entityId('ip', '8.8.8.8')
const UUID = '019b0000-0000-7000-8000-000000000001'
const ENTITY = { type: 'ip', digest: ID.slice(-64) }
const ASKED = { entityId: ID, type: 'ip', audiences: AUDIENCES }
const SIMPLE = {
  audiences: AUDIENCES,
  anyOf: ['a'],
  allOf: [],
  tags: ['a'],
  entity: null,
  accuracy: null,
  reputation: null,
}
const RECENT = { audiences: AUDIENCES, since: 0, maliciousOnly: true, distinct: false }
const RANGE = { first: 0n, last: 9n }
const NAMING = { own: [], every: true, audiences: AUDIENCES, limit: LIMIT }
const REPORTED = { source: 's', since: 0, from: 0, to: AT, after: { entityId: '', audience: 0n } }

const totals = (collapse: Field | null): Query =>
  searchTotals({
    surface: historySurface(AUDIENCES),
    clause: { is: 'all' },
    collapse,
  })

const byTag = (own: readonly bigint[]) =>
  pageSearch(
    { audiences: [1n, ...own], own },
    {
      clause: { is: 'equals', field: { name: 'tags', kind: 'keyword' }, values: ['a'], caseless: false },
      sort: { field: { name: '@timestamp', kind: 'date' }, order: 'desc' },
      after: null,
      collapse: null,
    },
    { limit: LIMIT, offset: 0 },
  )!

/** File in connectors/history/sql/queries -> row type -> the queries whose rows have this type. */
export const ROWS: Record<string, Record<string, readonly Query[]>> = {
  activity: { ActivityRow: [activityByDay(ENTITY, AUDIENCES, AT)] },
  audiences: { AudienceRow: [readableAudiences(['public'], LIMIT), groupsOfAudiences(AUDIENCES)] },
  'counts-queries': { CountRow: [counters(AUDIENCES, ['cell'])] },
  'entities-queries': {
    EntityRow: [
      rowsByKey([1n]),
      readableRowsByKey([1n], AUDIENCES),
      overlappingRows(OVERLAPS, LIMIT),
      rowsBetween('entities', RANGE),
    ],
    RecentRow: [recentRows([1n], AUDIENCES)],
    RecentKeyRow: [recentKeys(RECENT, LIMIT)],
    LookedUpRow: [shownRows([1n], AUDIENCES, 1_000_000)],
  },
  overlaps: {
    CorrectionRow: [overlapCorrection(OVERLAPS, RANGE, BUILT_IN)],
    NewestRow: [newestOverlaps(OVERLAPS, RANGE, { since: AT, maliciousOnly: true, limit: LIMIT }, BUILT_IN)],
  },
  'evidence-queries': {
    StatementRow: [statementsUntil({ ...ASKED, until: AT }, LIMIT)],
    RetractionRow: [retractionsSince({ entityId: ID, since: AT, audiences: AUDIENCES }, LIMIT)],
    StepRow: [statementsAlong({ ...ASKED, at: [AT] }, LIMIT)],
  },
  'verdicts-queries': {
    VerdictRow: [verdictsUntil({ ...ASKED, until: AT }, LIMIT)],
  },
  'history-queries': {
    // What `sorted` is depends on the field: nothing, text, or a number.
    HistoryRow: [
      simplePage(SIMPLE, { by: { column: 'time' }, order: 'asc' }, LIMIT, 0),
      simplePage(SIMPLE, { by: { column: 'type' }, order: 'asc' }, LIMIT, 0),
      simplePage(SIMPLE, { by: { attribute: 'port', numeric: true }, order: 'asc' }, LIMIT, 0),
      simplePages({ audiences: AUDIENCES, terms: ['a'], tags: ['a'] }, LIMIT),
    ],
  },
  'networks-queries': {
    NetworkColumns: [networksOf(AUDIENCES, LIMIT), networksAround(['::ffff:8.8.8.8'], AUDIENCES, LIMIT)],
  },
  'propagation-queries': { MarkRow: [coveringMarks(0, LIMIT)] },
  'relations-queries': {
    RelationRow: [relationsPage({ id: ID, audiences: AUDIENCES, types: null }, LIMIT, 0)],
    NeighbourRow: [neighbours([ID], AUDIENCES, { each: 1, limit: LIMIT })],
    LinkRow: [linksAmong([ID], AUDIENCES, LIMIT)],
    FirstLinkRow: [firstLinks([{ mode: 'association', source: ID, target: ID }], AUDIENCES)],
  },
  relationships: {
    NewestLinkRow: [newestLinks({ ids: [ID], audiences: AUDIENCES, each: 2, incoming: true })],
    EndRow: [endRows([ID], AUDIENCES)],
  },
  'index-queries': { IndexColumns: [indexRows(RANGE.first, RANGE.last)] },
  'rescore-queries': { ClaimColumns: [claimsBetween(RANGE)], UntoldColumns: [untoldBetween(RANGE, [1])] },
  'retract-queries': {
    ReportedRow: [reportedBetween(REPORTED, LIMIT)],
    HeldRow: [heldBefore({ source: 's', before: AT, entityIds: [ID] })],
    RetractedRow: [retractedOf({ source: 's', entityIds: [ID] })],
    GoneTagsRow: [goneTags({ source: 's', from: 0, to: AT, entityIds: [ID] })],
    GoneAttributeRow: [goneAttributes({ source: 's', from: 0, to: AT, entityIds: [ID] })],
  },
  'retracted-records': {
    RetractedWindowRow: [retractedWindows([ID], AUDIENCES), allRetractions(1)],
    RecordOriginRow: [recordOrigins([{ id: UUID, time: '0' }], AUDIENCES)],
  },
  'search-queries': {
    // `groups` is a literal 0 without a field to collapse.
    SearchTotals: [totals(null), totals({ name: 'tags', kind: 'keyword' })],
  },
  'sources-queries': {
    ScoreRow: [sourceScores({ ...NAMING, ownAudiences: [], now: AT })],
    VolumeRow: [sourceVolumes({ ...NAMING, since: AT })],
  },
  'tagged-search': {
    MatchesRow: [matchesByTag(byTag([])), matchesByTag(byTag([2n]))],
    PlaceRow: [placesByTag(byTag([]))],
    FoldedRow: [foldedByTag(byTag([2n]), LIMIT), foldedByTag(byTag([2n]), null)],
  },
}

/** Names of types that are rows of a query: the files of queries declare no other types with these endings. */
export const ROW_TYPE = /^export type (\w+(?:Row|Columns|Totals))\b/gm
/** Rows as the code has them, which no query gives. */
export const IN_MEMORY = new Set(['NetworkRow', 'ShownRow'])
