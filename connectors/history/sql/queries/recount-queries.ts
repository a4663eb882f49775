import type { Query } from '../../port.ts'
import { IN_VIEWS } from './entities-queries.ts'
import { BATCH } from './present.ts'

/** Tables that hold what `entities` and `counts` were at one moment. */
export type RecountTables = { entities: string; counts: string }

/** Above this size, groups spill to disk: there is one group for every tag ever used. */
const MEMORY = 'max_bytes_before_external_group_by = 268435456, max_execution_time = 3600'

/** The counters that one row stands in, as `countersOf` names them: an array of dimension and key. */
export const COUNTERS = `arrayConcat(
      [('cell', concat(type, '|', toString(reputation), '|', toString(accuracy))), ('day', toString(toDate(last_seen)))],
      arrayMap(tag -> ('tag', tag), tags),
      arrayFilter(c -> c.2 != '', [('country', country), ('asn', if(asn = 0, '', toString(asn))), ('aso', aso)]))`

/** Every counter, counted again from the entities themselves. */
export const recountSql = (entities: string): string => `
  SELECT audience, counter.1 AS dim, malicious, counter.2 AS key, toInt64(count()) AS n FROM (
    SELECT audience, reputation < 0 AS malicious, arrayJoin(${COUNTERS}) AS counter FROM ${entities} FINAL
    WHERE ${IN_VIEWS})
  GROUP BY audience, dim, malicious, key`

/** What must be added to each counter that is off. */
const missing = ({ entities, counts }: RecountTables): string => `
  SELECT audience, dim, malicious, key, sum(m) AS n FROM (
    SELECT audience, toString(dim) AS dim, malicious, key, -n AS m FROM ${counts} WHERE dim != '${BATCH}'
    UNION ALL SELECT audience, dim, malicious, key, n AS m FROM (${recountSql(entities)}))
  GROUP BY audience, dim, malicious, key HAVING n != 0`

/** How many counters are off, and by how much in all. */
export const driftOf = (at: RecountTables): Query => ({
  sql: `SELECT count() AS counters, sum(abs(n)) AS difference FROM (${missing(at)}) SETTINGS ${MEMORY}`,
  params: {},
})

/**
 * Adds what is missing. Counters are sums, so this stands beside whatever is counted meanwhile; and an insert that was
 * cut leaves a smaller drift, never a larger one. The same correction may be right twice: not to be dropped as a repeat.
 */
export const correctionOf = (at: RecountTables): string =>
  `INSERT INTO counts (audience, dim, malicious, key, n) ${missing(at)} SETTINGS ${MEMORY}, insert_deduplicate = 0`
