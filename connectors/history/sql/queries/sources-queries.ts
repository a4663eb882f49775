import { HALF_LIVES, OTHERS } from '../../../../schemas/intelligence/entities/half-life.ts'
import type { Query } from '../../port.ts'
import { MARK } from './entities-queries.ts'
import { IS_REPORT } from './history-queries.ts'

/** What a caller is shown of sources: `own` and feeds by name, all of them with `every`, the others as their kind. */
export type Naming = { own: readonly string[]; every: boolean }

type SourceQuestion = Naming & { audiences: readonly bigint[]; limit: number }

/** One source as a caller is shown it; `source` is `<kind>:<name>`, without a name for the others of a kind. */
export type ScoreRow = {
  source: string
  entities: string
  malicious: string
  benign: string
  unique_entities: string
  first_entities: string
  /** Milliseconds; null when it was first with nothing. */
  lead: number | null
  on_marked: string
  agreed: string
  contradicted: string
  freshness: number
  /** Unix milliseconds. */
  last: string
}

export type VolumeRow = { shown_as: string; records: string }

/**
 * The sources that are shown, from the columns of a kind and a name. Runs over millions of claims, so it makes no
 * needless comparison.
 */
function shownSource(kind: string, name: string, { own, every }: Naming): string {
  const whole = `concat(${kind}, ':', ${name})`
  if (every) return whole
  const mine = own.length === 0 ? '' : `has({own:Array(String)}, ${name}), ${whole}, `
  return `multiIf(${kind} = 'feed', ${whole}, ${mine}concat(${kind}, ':'))`
}

const DAY_MS = 86_400_000
const halfLives = Object.entries(HALF_LIVES).filter(([type]) => type !== OTHERS)
/** Milliseconds, by the type of an entity. */
const HALF_LIFE = `${DAY_MS} * transform(type, [${halfLives.map(([type]) => `'${type}'`).join()}], [${halfLives.map(([, days]) => days).join()}], ${HALF_LIVES[OTHERS]})`

/**
 * The claims about one entity, as arrays in step: who, what was stated last, the last and the first sighting. A
 * statement is one number, the later the greater and of one moment the worst the greater; -1 for a sighting.
 */
const claims = (naming: Naming): string => `
  arrayMap((k, s) -> ${shownSource('k', 's', naming)}, claims.kind, claims.source) AS who,
  arrayMap((r, c) -> ifNull(c * 8 + 3 - r, -1), claims.reputation, claims.claimed_at) AS said,
  claims.at AS ats, claims.first_seen AS firsts`
const MARKED = `bitAnd(well_known, ${MARK.own | MARK.covered}) != 0`

/** Keys of entities that stand in several of the reader's audiences, which few rows lead to. */
const OVERLAPPING = `
  SELECT key FROM entities
  WHERE audience IN {audiences:Array(UInt64)}
    AND key IN (SELECT key FROM entities WHERE audience IN {own_audiences:Array(UInt64)})
  GROUP BY key HAVING uniqExact(audience) > 1`

/** One row for each entity, whatever the number of audiences. */
const entities = (several: boolean, naming: Naming): string => {
  const alone = `SELECT type, ${MARKED} AS marked, ${claims(naming)} FROM entities FINAL
    WHERE audience IN {audiences:Array(UInt64)}`
  if (!several) return alone
  return `${alone} AND key NOT IN (${OVERLAPPING})
    UNION ALL
    SELECT type, max(m) AS marked, groupArrayArray(w) AS who, groupArrayArray(s) AS said, groupArrayArray(a) AS ats,
      groupArrayArray(f) AS firsts
    FROM (SELECT key, digest, type, m, who AS w, said AS s, ats AS a, firsts AS f FROM (
      SELECT key, digest, type, ${MARKED} AS m, ${claims(naming)} FROM entities FINAL
      WHERE audience IN {audiences:Array(UInt64)} AND key IN (${OVERLAPPING})))
    GROUP BY key, digest, type`
}

/**
 * The claims of one source, whose names stand together, become one: the latest statement, the last and the first
 * sighting. Most entities have one claim of each source as it is.
 */
const MERGED = `
  SELECT type, marked, length(who) AS claimed, claimed = 1 OR claimed = length(arrayDistinct(who)) AS plain,
    if(plain, [], arraySort(arrayZip(who, said, ats, firsts))) AS z,
    arrayMap(c -> c.1, z) AS names, arrayEnumerateUniq(names) AS nth,
    arrayFilter((i, n) -> n = 1, arrayEnumerate(names), nth) AS starts,
    arrayMap((s, e) -> (s, toUInt32(e - s)), starts, arrayPushBack(arrayPopFront(starts), length(names) + 1)) AS ranges,
    if(plain, who, arrayCompact(names)) AS sources,
    if(plain, said, arrayReduceInRanges('max', ranges, arrayMap(c -> c.2, z))) AS stated,
    if(plain, ats, arrayReduceInRanges('max', ranges, arrayMap(c -> c.3, z))) AS lasts,
    if(plain, firsts, arrayReduceInRanges('min', ranges, arrayMap(c -> c.4, z))) AS begins`

/** What of an entity the claim of each source is compared with: the two earliest, the last against it, the last for it. */
const COMPARED = `
  SELECT sources, stated, lasts, begins, marked, ${HALF_LIFE} AS half_life, length(sources) AS n,
    arrayMin(begins) AS earliest,
    if(n = 1, 0, arraySort(begins)[2]) AS second,
    if(n = 1, 0, arrayMax(arrayMap((f, s) -> if(s >= 0 AND s % 8 > 3, f, 0), begins, stated))) AS last_against,
    if(n = 1, 0, arrayMax(arrayMap(s -> if(s >= 0 AND s % 8 < 3, intDiv(s, 8), 0), stated))) AS last_for`

/**
 * Of each source, as the caller is shown it, what its claims about current entities say of it (docs/use/sources.md), at
 * most `limit` of them, those with the most entities. `now` is unix milliseconds; `own` audiences are those without
 * public, and empty when there is one audience alone.
 */
export const sourceScores = (q: SourceQuestion & { ownAudiences: readonly bigint[]; now: number }): Query => ({
  sql: `SELECT source, count() AS entities, countIf(negative) AS malicious, countIf(said >= 0 AND said % 8 < 3) AS benign,
      countIf(n = 1) AS unique_entities, countIf(led) AS first_entities,
      if(first_entities = 0, NULL, quantileExactInclusiveIf(0.5)(second - first, led)) AS lead,
      countIf(negative AND marked) AS on_marked,
      countIf(negative AND last_against > first) AS agreed, countIf(negative AND last_for > first) AS contradicted,
      avg(exp2(-greatest(0, {now:Int64} - at) / half_life)) AS freshness, max(at) AS last
    FROM (SELECT source, said, at, first, marked, half_life, n, second, last_against, last_for,
        said >= 0 AND said % 8 > 3 AS negative, n > 1 AND first = earliest AND second > first AS led
      FROM (${COMPARED} FROM (${MERGED} FROM (${entities(q.ownAudiences.length > 0, q)})))
      ARRAY JOIN sources AS source, stated AS said, lasts AS at, begins AS first)
    GROUP BY source ORDER BY entities DESC, source LIMIT {limit:UInt32}`,
  params: {
    ...namingOf(q),
    now: q.now,
    ...(q.ownAudiences.length > 0 && { own_audiences: q.ownAudiences }),
  },
})

/** How many records the history has of each source since a time (unix milliseconds), at most `limit` sources. */
export const sourceVolumes = (q: SourceQuestion & { since: number }): Query => ({
  sql: `SELECT ${shownSource('source_kind', 'source', q)} AS shown_as, count() AS records FROM history
    WHERE ts >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') AND audience IN {audiences:Array(UInt64)}
      AND ${IS_REPORT}
    GROUP BY shown_as ORDER BY records DESC, shown_as LIMIT {limit:UInt32}`,
  params: { ...namingOf(q), since: q.since },
})

const namingOf = ({ own, every, audiences, limit }: SourceQuestion) => ({
  ...(!every && own.length > 0 && { own }),
  audiences,
  limit,
})
