import type { History } from '../../../connectors/history/port.ts'

/** Rows of one insert, which makes one part of them. */
const BLOCK = 2_000_000
const AUDIENCE = '16045690985374415566'

/** A hash of the number of a row, another for every salt: the same rows on every machine. */
const hash = (salt: number): string => `cityHash64(number, ${salt}, 20261123)`
/** Of 2^64 keys each row has an equal share, and one of them by chance: as digests lie, and in their order. */
const keyOf = (all: number): string => `(number * ${2n ** 64n / BigInt(all)} + ${hash(1)} % ${2n ** 64n / BigInt(all)})`

const VALUE = `multiIf(type = 'ip', IPv4NumToString(toUInt32(${hash(2)})),
  type = 'domain', concat('host-', toString(number), '.example-', toString(${hash(3)} % 997), '.com'),
  type = 'url', concat('http://host-', toString(number), '.example.com/path/', toString(${hash(3)} % 100)),
  lower(hex(SHA256(toString(number)))))`
/** Milliseconds within the last 200 days. */
const time = (salt: number): string => `(1795000000000 - toInt64(${hash(salt)} % 17280000000))`
const each = (of: string): string => `arrayMap(c -> ${of}, range(claimed))`

/** Entities of one audience, one source for most of them, three for every eighth. */
const insert = (from: number, rows: number, all: number, due: string): string => `
INSERT INTO entities (key, digest, type, value, audience, version, partition, reputation, accuracy, best, worst, sources,
  tags, attributes, attribute_times, country, asn, aso, first_seen, last_seen, scored_at, due, claims.source,
  claims.kind, claims.trust, claims.reputation, claims.claimed_at, claims.at, claims.kept_at, claims.kept_hash,
  claims.first_seen)
SELECT ${keyOf(all)} AS k, toFixedString(concat(reinterpretAsString(byteSwap(k)), substring(SHA256(toString(number)), 1,
    24 + 8 - length(reinterpretAsString(byteSwap(k))))), 32) AS digest,
  ['ip', 'ip', 'domain', 'domain', 'url', 'sha256'][1 + ${hash(4)} % 6] AS type, ${VALUE} AS value, ${AUDIENCE},
  number + 1, number % 12, toInt8(${hash(5)} % 7) - 3 AS reputation, ${hash(6)} % 4, reputation, reputation, claimed,
  arraySlice(['malware', concat('family-', toString(${hash(7)} % 500)), 'c2'], 1, ${hash(8)} % 4),
  if(type = 'ip', map('port', concat(toString(${hash(9)} % 65536), '/tcp')), map()) AS attributes,
  if(type = 'ip', map('port', ${time(10)}), map()),
  if(type = 'ip', concat('Country ', toString(${hash(11)} % 200)), ''),
  if(type = 'ip', toUInt32(${hash(11)} % 60000), 0) AS asn, if(asn = 0, '', concat('Network ', toString(asn))),
  fromUnixTimestamp64Milli(${time(12)}), fromUnixTimestamp64Milli(${time(13)}), fromUnixTimestamp64Milli(${time(13)}),
  fromUnixTimestamp64Milli(${due}),
  ${each(`concat('feed-', toString((${hash(14)} + c) % 60))`)}, ${each("'feed'")}, ${each('0.7')},
  ${each('toNullable(reputation)')}, ${each(time(15))}, ${each(time(13))}, ${each(time(16))}, ${each(`${hash(17)} + c`)},
  ${each(time(12))}
FROM (SELECT number, if(${hash(18)} % 8 = 0, 3, 1) AS claimed FROM numbers(${from}, ${rows}))
SETTINGS max_block_size = 65536, max_insert_block_size = 10000000, min_insert_block_size_rows = 10000000,
  min_insert_block_size_bytes = 4000000000, max_insert_threads = 1, insert_deduplicate = 0`

/**
 * Fills `entities` with so many rows, two blocks at a time. Blocks follow one another in the order of the keys, so a key
 * lies in one part, as in a table that is merged; nothing is merged, and the views of the table are taken away.
 * @param fading without it no row is due to fade, so that a platform on this table has nothing to do of its own
 */
export async function fillEntities(history: History, rows: number, fading = true): Promise<void> {
  for (const view of ['recency_feed', 'networks_feed', 'covering_marks_feed', 'due_keys_feed'])
    await history.command(`DROP TABLE IF EXISTS ${view} SYNC`)
  await history.command('SYSTEM STOP MERGES entities')
  const starts = Array.from({ length: Math.ceil(rows / BLOCK) }, (_, i) => i * BLOCK)
  let stored = 0
  async function work(): Promise<void> {
    for (let from = starts.shift(); from !== undefined; from = starts.shift()) {
      const some = Math.min(BLOCK, rows - from)
      await history.command(insert(from, some, rows, fading ? `${time(13)} + 604800000` : '0'))
      stored += some
      process.stderr.write(`\r${stored} of ${rows} rows`)
    }
  }
  await Promise.all([work(), work()])
  process.stderr.write('\n')
}

/** Keys of a batch: of some rows of the table, and of entities that it does not have; others in each round. */
export async function keysOfBatch(
  history: Pick<History, 'query'>,
  batch: { rows: number; known: number; unknown: number; round: number },
): Promise<bigint[]> {
  const { rows, known, unknown, round } = batch
  const sql = `SELECT DISTINCT ${keyOf(rows)} AS key FROM (
      SELECT cityHash64(number, {round:UInt32}) % ${rows} AS number FROM numbers({known:UInt32}))
    UNION ALL SELECT cityHash64(number, {round:UInt32}, 'new') AS key FROM numbers({unknown:UInt32})`
  const found = await history.query<{ key: string }>({ sql, params: { known, unknown, round } })
  return found.map(({ key }) => BigInt(key))
}
