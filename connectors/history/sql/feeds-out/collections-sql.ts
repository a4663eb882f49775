import type { CollectionFilter } from '../../../../schemas/feeds-out/collections/filter.ts'
import { entityKey } from '../../../../schemas/intelligence/state/entity-state.ts'
import type { Query } from '../../port.ts'
import { binder } from '../search/binder.ts'
import { ALL_FEEDS, LISTED } from './columns-sql.ts'

/** Reads of the collections of feeds (ADR 274); the tables are those of the home database. */

/** Who wrote last: the version in twenty digits, and the writer, so that the latest is the greatest text. */
export const lastClaim: Query = {
  sql: 'SELECT max(text) AS claim FROM taxii_objects WHERE feed = {feed:UUID}',
  params: { feed: ALL_FEEDS },
}

export type PlaceRow = { feed: string; last: string; reached: string }

export const placesOfCollections: Query = {
  sql: `SELECT feed, max(added) AS last, max(sequence) AS reached FROM taxii_objects
    WHERE feed != {claims:UUID} GROUP BY feed`,
  params: { claims: ALL_FEEDS },
}

/** `list` 0: it was never made. */
export type ListRow = { feed: string; revision: number; list: string; reached: string }

/** Where the lists of all feeds are, without what they are made of. */
export const placesOfLists: Query = {
  sql: `SELECT feed, toUInt32(JSONExtractUInt(head, 'feed', 'revision')) AS revision,
      JSONExtractUInt(head, 'epoch') AS list, JSONExtractUInt(head, 'sequence') AS reached
    FROM feed_members FINAL WHERE epoch = 0 AND key = 0`,
  params: {},
}

export type EntityRow = {
  entity_id: string
  place: string
  lives: number
  inside: number
  shown: string
  seen: string
  changed: string
  ends: string
  looked: string
  id: string
  type: string
  holds: number
  digest: string
}

const LATEST = (column: string): string => `argMax(o.${column}, o.added)`

/** A row for each object of these entities, as its last version left it, and one for what no object says. */
export const entitiesOf = (feed: string, entityIds: readonly string[]): Query => ({
  sql: `SELECT o.entity_id AS entity_id, max(o.added) AS place, ${LATEST('life')} AS lives, ${LATEST('live')} AS inside,
      ${LATEST('shown')} AS shown, ${LATEST('first_seen')} AS seen, ${LATEST('modified')} AS changed,
      ${LATEST('valid_until')} AS ends, ${LATEST('look_at')} AS looked,
      o.object_id AS id, any(o.object_type) AS type, ${LATEST('in_force')} AS holds, ${LATEST('digest')} AS digest
    FROM taxii_objects AS o
    WHERE feed = {feed:UUID} AND key IN {keys:Array(UInt64)} AND o.entity_id IN {ids:Array(String)}
    GROUP BY o.entity_id, o.object_id`,
  params: { feed, keys: entityIds.map(entityKey), ids: entityIds },
})

/** A version of an object; what only says that one was superseded has none. */
const IS_OBJECT = 'object_version > 0'

export type PlainRow = { id: string; place: string; digest: string }

export const objectsOf = (feed: string, ids: readonly string[]): Query => ({
  sql: `SELECT o.object_id AS id, max(o.added) AS place, ${LATEST('digest')} AS digest FROM taxii_objects AS o
    WHERE feed = {feed:UUID} AND o.object_id IN {ids:Array(String)} AND ${IS_OBJECT} GROUP BY o.object_id`,
  params: { feed, ids },
})

export type TextRow = { id: string; text: string }

export const textsAt = (feed: string, places: readonly number[]): Query => ({
  sql: `SELECT object_id AS id, text FROM taxii_objects
    WHERE feed = {feed:UUID} AND added IN {places:Array(UInt64)} AND ${IS_OBJECT}`,
  params: { feed, places },
})

/** Entities whose claims are to be looked at, of those that were not at `since`. */
export const entitiesDue = (feed: string, since: number, until: number, limit: number): Query => ({
  sql: `SELECT o.entity_id AS entity_id FROM taxii_objects AS o
    WHERE feed = {feed:UUID} AND key IN (
      SELECT key FROM taxii_objects WHERE feed = {feed:UUID} AND look_at > {since:Int64} AND look_at <= {until:Int64})
    GROUP BY o.entity_id
    HAVING ${LATEST('live')} = 1 AND ${LATEST('look_at')} > 0 AND ${LATEST('look_at')} <= {until:Int64}
    ORDER BY ${LATEST('look_at')}, entity_id LIMIT {limit:UInt32}`,
  params: { feed, since, until, limit },
})

/** Feeds with a row whose look was due then: a later row of the same entity may have another time. */
export const feedsDue = (since: number, until: number): Query => ({
  sql: `SELECT DISTINCT feed FROM taxii_objects
    WHERE feed != {claims:UUID} AND look_at > {since:Int64} AND look_at <= {until:Int64}`,
  params: { claims: ALL_FEEDS, since, until },
})

/** Entities that a collection has and the list of a feed has not. */
export const entitiesLeft = (feed: string, epoch: number, limit: number): Query => ({
  sql: `SELECT o.entity_id AS entity_id FROM taxii_objects AS o
    WHERE feed = {feed:UUID} AND key > 0
      AND o.entity_id GLOBAL NOT IN (SELECT entity_id FROM feed_members FINAL
        WHERE feed = {feed:UUID} AND epoch = {epoch:UInt64} AND state = ${LISTED})
    GROUP BY o.entity_id HAVING ${LATEST('live')} = 1 LIMIT {limit:UInt32}
    SETTINGS max_bytes_before_external_group_by = 268435456`,
  params: { feed, epoch, limit },
})

export const firstPlace = (feed: string): Query => ({
  sql: `SELECT added AS place FROM taxii_objects WHERE feed = {feed:UUID} ORDER BY feed, added LIMIT 1`,
  params: { feed },
})

/** Rows that say only that a version of a place was superseded have no version, and stand beside its own. */
export type PageQuestion = {
  feed: string
  /** Those added after it, and not after `until`; null: without an end. Unix microseconds. */
  after: number
  until: number | null
  filter: CollectionFilter
  /** Whether the texts are wanted. */
  texts: boolean
  limit: number
}

/**
 * A page is a short run of rows that stand together: one thread, which reads the files itself, and small blocks of each
 * part.
 */
const RUN =
  "max_threads = 1, max_block_size = 1024, query_plan_optimize_lazy_materialization = 0, local_filesystem_read_method = 'pread'"

/** Rows of a collection in their order, those too that wait for what supersedes them to be added to them. */
export function pageOf({ feed, after, until, filter, texts, limit }: PageQuestion): Query {
  const b = binder()
  const { ids, types, versions } = filter
  const parts = [`feed = ${b.bind(feed, 'UUID')}`, `added > ${b.bind(after, 'UInt64')}`, "object_type != ''"]
  if (until !== null) parts.push(`added <= ${b.bind(until, 'UInt64')}`)
  if (types !== null) parts.push(`object_type IN ${b.bind(types, 'Array(String)')}`)
  if (ids !== null) parts.push(`object_id IN ${b.bind(ids, 'Array(String)')}`)
  if (!versions.includes('all')) parts.push(`(object_version = 0 OR ${versionsIn(versions, b.bind)})`)
  const indexes = ids === null ? ', use_skip_indexes = 0' : ''
  const sql = `SELECT added, superseded, object_version, is_first, ${texts ? 'text' : 'object_id'}
    FROM taxii_objects WHERE ${parts.join(' AND ')} ORDER BY feed, added LIMIT ${b.bind(limit, 'UInt32')}
    SETTINGS ${RUN}${indexes}`
  return { sql, params: b.params }
}

function versionsIn(versions: CollectionFilter['versions'], bind: (value: unknown, type: string) => string): string {
  const times = versions.filter((version) => typeof version === 'number')
  const either = versions.flatMap((version) =>
    version === 'last' ? ['superseded = 0'] : version === 'first' ? ['is_first = 1'] : [],
  )
  if (times.length > 0) either.push(`object_version IN ${bind(times, 'Array(UInt64)')}`)
  return `(${either.join(' OR ')})`
}
