import { hexByte } from '../native/sink.ts'
import type { History, Query } from '../port.ts'
import { tookTooLong } from '../store-errors.ts'

/**
 * The keys of entities (the first 8 bytes of the digest in each id), one after another as the engine has numbers of 64
 * bits: no number is made of any.
 */
export function keyBytes(entityIds: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafe(entityIds.length * 8)
  for (const [i, id] of entityIds.entries())
    for (let byte = 0; byte < 8; byte++) bytes[i * 8 + 7 - byte] = hexByte(id, id.length - 64 + byte * 2)
  return bytes
}

/** Keys of one query. Each reads most of the table's keys, but every version of a row that is not merged yet counts as one of
 * the million rows that a query may answer. */
const KEYS_A_QUERY = 25_000
/** A query of so many keys is not cut any more when it takes too long. */
const FEWEST_KEYS = 500

/**
 * Rows of these entities, some keys at a time; others with the same key are among them. What takes longer than a query may,
 * on a large table and a busy machine, is asked in halves (ADR 265).
 * @param queryOf makes the query of some keys, as `keyBytes` writes them
 */
export async function rowsOfKeys<Row>(
  history: Pick<History, 'query'>,
  entityIds: readonly string[],
  queryOf: (keys: Buffer) => Query,
): Promise<Row[]> {
  const rowsWith = async (ids: readonly string[]): Promise<Row[]> => {
    try {
      return await history.query<Row>(queryOf(keyBytes(ids)))
    } catch (error) {
      if (!tookTooLong(error) || ids.length < 2 * FEWEST_KEYS) throw error
      const half = ids.length >> 1
      return [...(await rowsWith(ids.slice(0, half))), ...(await rowsWith(ids.slice(half)))]
    }
  }
  const found: Row[][] = []
  for (let from = 0; from < entityIds.length; from += KEYS_A_QUERY)
    found.push(await rowsWith(entityIds.slice(from, from + KEYS_A_QUERY)))
  return found.flat()
}
