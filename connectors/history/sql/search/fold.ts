import { OTHERS } from '../../../../schemas/intelligence/entities/half-life.ts'
import type { ScoringRules } from '../../../../schemas/intelligence/scoring/rules.ts'
import { AGREED, TRUSTED_ALONE } from '../../../../schemas/intelligence/scoring/score.ts'
import { HALF, LIVE } from '../../../../schemas/intelligence/scoring/weights.ts'
import { DECIDED_ACCURACY } from '../../../../schemas/intelligence/state/verdict.ts'
import { MARK } from '../queries/entities-queries.ts'
import type { Binder } from './binder.ts'

/** Half-life of the type of a row, in milliseconds. */
function halfLife({ halfLives }: ScoringRules, b: Binder): string {
  const listed = Object.entries(halfLives).filter(([type]) => type !== OTHERS)
  const types = b.bind(
    listed.map(([type]) => type),
    'Array(String)',
  )
  const days = b.bind(
    listed.map(([, n]) => n),
    'Array(Float64)',
  )
  return `transform(type, ${types}, ${days}, ${b.bind(halfLives[OTHERS], 'Float64')}) * 86400000`
}

/** Trust of a claim `c`, (source, reputation, trust, at, kind): of its source, else of its kind, else its own. */
function trustOf({ trust }: ScoringRules, b: Binder): string {
  const names = Object.keys(trust)
  if (names.length === 0) return 'c.3'
  const known = b.bind(names, 'Array(String)')
  const values = b.bind(Object.values(trust), 'Array(Float64)')
  const by = (name: string): string => `has(${known}, ${name}), arrayElement(${values}, indexOf(${known}, ${name}))`
  return `multiIf(${by('c.1')}, ${by("concat('kind:', c.5)")}, c.3)`
}

/** What the middle of the claims is, by the formula: of `claims` and the sum `weight` of their weights. */
function middle({ formula }: ScoringRules): string {
  if (formula === 1) return 'arraySum(c -> c.weight * c.reputation, claims) / weight'
  const enough = (side: string, of: string): string =>
    `${of}(r -> arraySum(c -> if(c.reputation ${side} r, c.weight, 0), claims) >= ${HALF} * weight, CAST(range(-3, 4), 'Array(Int8)'))`
  const [low, high] = [enough('<=', 'arrayFirst'), enough('>=', 'arrayLast')]
  return `multiIf(${low} > 0, ${low}, ${high} < 0, ${high}, 0)`
}

/** Where each row says that the entity is, beside the attribute that it states, in the order of their audiences. */
const rowsOf = (name: string): string =>
  `arraySort(groupArray((e.audience, e.${name}, e.attributes['${name}']))) AS ${name}_rows`

/** A row that states the folded attribute speaks for it; without one, the first row that knows. */
const place = (name: string, none: string): string =>
  `arrayFirst(r -> if(mapContains(attributes, '${name}'), r.3 = attributes['${name}'], r.2 != ${none}), ${name}_rows).2
    AS ${name}`

const DECIDED = 'if(verdict != 0, verdict, reputation)'

/** Whether a row counts, which one of a match alone does not; and whether a match saw it (ADR 219). */
const COUNTS = `bitAnd(e.well_known, ${MARK.retracted}) = 0`
const MET = `bitAnd(e.well_known, ${MARK.met}) != 0`

/** Of rows with claims, when there are any: a verdict sees nothing. */
const seen = (of: 'min' | 'max', name: string): string =>
  `if(max(e.sources) = 0, ${of}If(e.${name}, ${COUNTS}), ${of}If(e.${name}, e.sources > 0))`

/**
 * The rows of each entity as one row, by the rules of `fold` (schemas/intelligence/state/entity-view.ts): the same numbers, times, tags and
 * latest attributes, in SQL because a caller may have more such entities than fit into a query as values (ADR 272).
 * A verdict of any of them decides, the latest of several (ADR 208); a retracted row has no part in it (ADR 270), but for when
 * a match saw the entity (ADR 219).
 * `rows` is what follows SELECT ... : FROM entities FINAL, a predicate. One level of the query for each step of the
 * formula; unused columns are not computed. A row alone (its key may be that of another type's value) folds to itself.
 */
export const foldedRows = (rows: string, rules: ScoringRules, b: Binder): string => `
  SELECT key, digest, type, value,
    if(bitAnd(well_known, ${MARK.own | MARK.covered}) != 0 AND ${DECIDED} < 0, 0, ${DECIDED}) AS reputation,
    multiIf(verdict != 0, ${DECIDED_ACCURACY}, sources >= 3, if(arraySum(c -> c.weight, agreeing) >= ${AGREED} * weight, 3, 2), sources = 2, 2,
      sources = 0, 0, arrayExists(c -> c.trust >= ${TRUSTED_ALONE}, agreeing), 2, 1) AS accuracy,
    arrayMax(c -> c.reputation, live) AS best, arrayMin(c -> c.reputation, live) AS worst,
    well_known, tags, attributes, ${place('country', "''")}, ${place('asn', '0')}, ${place('aso', "''")}, first_seen, last_seen
  FROM (
    SELECT *, arrayFilter(c -> sign(c.reputation) = sign(reputation), live) AS agreeing,
      arrayUniq(arrayMap(c -> c.source, agreeing)) AS sources
    FROM (
      SELECT *, arraySum(c -> c.weight, claims) AS weight,
        least(1, 2 * arrayMax(c -> c.freshness, claims)) * if(weight > 0, ${middle(rules)}, 0) AS faded,
        toInt8(sign(faded) * floor(floor(abs(faded) * 1e9 + 0.5) / 1e9 + 0.5)) AS reputation,
        arrayFilter(c -> 2 * c.freshness >= ${LIVE}, claims) AS live
      FROM (
        SELECT * EXCEPT (told, attribute_values),
          arrayFilter(c -> c.2 IS NOT NULL, told) AS stated,
          arrayMap(c -> exp2(-greatest(0, toUnixTimestamp64Milli(scored_at) - c.4) / (${halfLife(rules, b)})), stated) AS fresh,
          arraySort(c -> (c.weight, c.reputation), arrayMap((c, freshness, trust) -> CAST(
            (c.1, assumeNotNull(c.2), trust, freshness, trust * freshness),
            'Tuple(source String, reputation Int8, trust Float64, freshness Float64, weight Float64)'),
            stated, fresh, arrayMap(c -> ${trustOf(rules, b)}, stated))) AS claims,
          arraySort(attribute_values) AS ordered,
          mapFromArrays(arrayMap(a -> a.1, latest), arrayMap(a -> a.3, latest)) AS attributes,
          arrayFilter((a, next) -> a.1 != next, ordered,
            arrayResize(arrayMap(a -> a.1, arraySlice(ordered, 2)), length(ordered))) AS latest
        FROM (
          SELECT e.key AS key, e.digest AS digest, e.type AS type, any(e.value) AS value,
            groupBitOrIf(e.well_known, ${COUNTS}) AS well_known,
            argMaxIf(e.verdict, (e.verdict_at, -e.verdict), e.verdict != 0) AS verdict,
            ${seen('min', 'first_seen')} AS first_seen,
            greatest(${seen('max', 'last_seen')}, maxIf(e.last_seen, ${MET})) AS last_seen,
            maxIf(e.scored_at, ${COUNTS}) AS scored_at,
            ${rowsOf('country')}, ${rowsOf('asn')}, ${rowsOf('aso')},
            if(countIf(${COUNTS}) = 1, anyIf(e.tags, ${COUNTS}), arraySort(groupUniqArrayArray(e.tags))) AS tags,
            groupArrayArray(arrayZip(e.claims.source, e.claims.reputation, e.claims.trust, e.claims.at${
              Object.keys(rules.trust).length > 0 ? ', e.claims.kind' : ''
            })) AS told,
            groupArrayArray(arrayMap((name, stated) -> (name, e.attribute_times[name], stated),
              mapKeys(e.attributes), mapValues(e.attributes))) AS attribute_values
          FROM entities AS e FINAL ${rows} AND (${COUNTS} OR ${MET})
          GROUP BY e.key, e.digest, e.type HAVING countIf(${COUNTS}) > 0))))`
