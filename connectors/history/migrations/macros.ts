/** Where migrations run: one node (the embedded engine too), or every node of a ClickHouse cluster of this name. */
export type Deployment = { mode: 'single' } | { mode: 'cluster'; cluster: string }

type Macros = Record<string, (args: string[]) => string>

/**
 * What a table is given when it is made and never later, beside what the migrations say: a table of before keeps what it
 * has until its rows are written to a new one (ADR 265).
 */
const WHEN_MADE: ReadonlyMap<string, string> = new Map([['history', 'index_granularity = 1024']])

/** Insert tokens are remembered for this many blocks, several times what can be in flight after a crash. */
const WINDOW = 10_000

const single: Macros = {
  table: ([name]) => name!,
  local: ([name]) => name!,
  engine: ([family, ...args]) => `${family}(${args.join(', ')})`,
  once: () => `non_replicated_deduplication_window = ${WINDOW}, fsync_after_insert = 1, fsync_part_directory = 1`,
  distributed: () => '',
  redistributed: () => '',
  over: () => '',
}

const PATH = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'"

const distributed = (cluster: string, name: string, key: readonly string[]): string =>
  `${name} ON CLUSTER '${cluster}' AS ${name}_local ` +
  `ENGINE = Distributed('${cluster}', currentDatabase(), '${name}_local', ${key.join(', ')})`

const clusterMacros = (cluster: string): Macros => ({
  table: ([name]) => `${name}_local ON CLUSTER '${cluster}'`,
  local: ([name]) => `${name}_local`,
  engine: ([family, ...args]) => `Replicated${family}(${[PATH, ...args].join(', ')})`,
  once: () => `replicated_deduplication_window = ${WINDOW}, replicated_deduplication_window_seconds = 604800`,
  distributed: ([name, ...key]) => `CREATE TABLE IF NOT EXISTS ${distributed(cluster, name!, key)}`,
  redistributed: ([name, ...key]) => `CREATE OR REPLACE TABLE ${distributed(cluster, name!, key)}`,
  over: ([name, ...changes]) => `ALTER TABLE ${name} ON CLUSTER '${cluster}' ${changes.join(', ')}`,
})

/** How a statement that changes the parts of a table names it: a distributed one has none of its own. */
export const storedTable = (name: string, deployment: Deployment): string =>
  (deployment.mode === 'single' ? single : clusterMacros(deployment.cluster)).table!([name])

/** A macro and its arguments: `$name` or `$name(a, b(c))`, brackets nested three deep at most. */
const MACRO = /\$([a-z]+)(?:\(((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*)\))?/g

/** Arguments between commas outside of brackets. */
const split = (text: string): string[] => {
  const found: string[] = ['']
  let depth = 0
  for (const c of text) {
    if (c === '(') depth++
    if (c === ')') depth--
    if (c === ',' && depth === 0) found.push('')
    else found[found.length - 1] += c
  }
  return found.map((part) => part.trim()).filter((part) => part !== '')
}

const withoutComments = (sql: string): string => sql.replace(/^\s*--.*$/gm, '')

/**
 * The statements of a migration for a deployment. A statement ends with `;` at the end of a line; lines that begin
 * with `--` are comments. Macros: `$table(name)` where a table is made or altered, `$local(name)` where one node's part of it
 * is named, `$engine(Family, args)`, `$once` for
 * the settings that make repeated inserts count once, `$distributed(name, sharding key)` as a statement of its own,
 * `$redistributed(name, sharding key)` as another: the same with another key for rows to come, and
 * `$over(name, changes)`: what was done to a table, done to the distributed one over it (ADR 265).
 * @throws Error that names an unknown macro or a cluster name that cannot be written into a statement
 */
export const statements = (sql: string, deployment: Deployment): string[] => {
  if (deployment.mode === 'cluster' && !/^[\w.-]{1,100}$/.test(deployment.cluster))
    throw new Error(`'${deployment.cluster}' is not a valid cluster name`)
  const macros = deployment.mode === 'single' ? single : clusterMacros(deployment.cluster)
  let table = ''
  const written = withoutComments(sql).replace(MACRO, (_, name: string, args: string | undefined) => {
    const macro = Object.hasOwn(macros, name) ? macros[name] : undefined
    if (macro === undefined) throw new Error(`unknown macro $${name}`)
    const given = split(args ?? '')
    if (name === 'table') table = given[0] ?? ''
    // The settings of a table begin with this one.
    const whenMade = name === 'once' ? WHEN_MADE.get(table) : undefined
    return whenMade === undefined ? macro(given) : `${macro(given)}, ${whenMade}`
  })
  return written
    .split(/;[ \t]*(?:\r?\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}
