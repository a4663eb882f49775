/** The tables of a history store, read back whole. */

import type { History } from '../../../connectors/history/port.ts'
import { type EntityRow, stateOf } from '../../../connectors/history/sql/queries/entities-queries.ts'
import { entityLine, line, type Stored, sorted } from './stored.ts'

const ENTITIES = `SELECT entity_id, type, value, audience, partition, version, reputation, accuracy, best, worst, sources,
  well_known, verdict, toUnixTimestamp64Milli(verdict_at) AS decided, toUnixTimestamp64Milli(verdict_until) AS until,
  tags, lost_tags, attributes, attribute_times, country, asn, aso,
  toUnixTimestamp64Milli(first_seen) AS first, toUnixTimestamp64Milli(last_seen) AS last,
  toUnixTimestamp64Milli(scored_at) AS scored, toUnixTimestamp64Milli(due) AS next,
  claims.source, claims.kind, claims.trust, claims.reputation, claims.claimed_at, claims.at, claims.kept_at,
  claims.kept_hash, claims.first_seen
  FROM entities FINAL`

/** History is read without FINAL, as the API reads it: a record that was stored twice shows twice. */
const HISTORY = `SELECT toString(id) AS id, entity_id, toString(audience) AS audience, source, reputation, accuracy,
  well_known, tags, attributes, toUnixTimestamp64Milli(ts) AS time, topic_partition, log_offset FROM history`

const ASSOCIATIONS = `SELECT entity_id, related_id, mode, outgoing, toString(audience) AS audience, relationship,
  toUnixTimestamp64Milli(min(first_seen)) AS first, toUnixTimestamp64Milli(max(last_seen)) AS last,
  min(first_version) AS version
  FROM associations GROUP BY entity_id, related_id, mode, outgoing, audience, relationship`

const COUNTS = `SELECT toString(audience) AS audience, dim, malicious, key, sum(n) AS n
  FROM counts WHERE dim != 'batch' GROUP BY audience, dim, malicious, key HAVING n != 0`

const AUDIENCES = 'SELECT DISTINCT toString(audience) AS audience, groups FROM audiences'

const RETRACTIONS = `SELECT entity_id, toString(audience) AS audience, source, toUnixTimestamp64Milli(first) AS from,
  toUnixTimestamp64Milli(last) AS to, toUnixTimestamp64Milli(at) AS made, log_offset, trust FROM retractions FINAL`

type Row = Record<string, unknown>

export async function storedIn(history: History): Promise<Stored> {
  const read = <R = Row>(sql: string) => history.query<R>({ sql, params: {} })
  const [audiences, records, associations, counts, retractions, entities] = [
    await read(AUDIENCES),
    await read(HISTORY),
    await read(ASSOCIATIONS),
    await read(COUNTS),
    await read(RETRACTIONS),
    await read<EntityRow>(ENTITIES),
  ]
  return {
    audiences: audiences.map((r) => line(r.audience, r.groups)).sort(),
    history: records.map(historyLine).sort(),
    associations: associations
      .map((r) => {
        const key = [r.entity_id, r.related_id, r.mode, r.outgoing, r.audience, r.relationship]
        return line(key, Number(r.first), Number(r.last), Number(r.version))
      })
      .sort(),
    counts: counts.map((r) => line(line(r.audience, r.dim, r.malicious === 1, r.key), Number(r.n))).sort(),
    retractions: retractions
      .map((r) =>
        line(
          ...[r.entity_id, r.audience, r.source, Number(r.from), Number(r.to), Number(r.made)],
          ...[Number(r.log_offset), r.trust],
        ),
      )
      .sort(),
    entities: entities.map((row) => entityLine(stateOf(row))).sort(),
  }
}

const historyLine = (r: Row): string =>
  line(
    r.id,
    r.entity_id,
    r.audience,
    r.source,
    r.reputation,
    r.accuracy,
    r.well_known === 1,
    r.tags,
    sorted(r.attributes as object),
    Number(r.time),
    r.topic_partition,
    Number(r.log_offset),
  )
